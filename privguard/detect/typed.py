"""A text as a plain keyboard types it: in plain letters, with one kind of space and of hyphen, all of it visible.

Rules are written for that form. So a text that is written otherwise is looked at twice, and what is found in its typed
form is led back to the offsets of the text; what is invisible within a value is a part of it. The text itself still
counts: something invisible may as well stand between two words.

Likewise for what is percent-encoded, as in addresses and forms. There the direct identifiers alone are read: their form
is certain.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from privguard.core.entities import EntityType
from privguard.core.letters import changed_letters, plain_letter
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.mapped import Mapped, reformed
from privguard.detect.percent import decodings

_CERTAIN = frozenset({EntityType.EMAIL, EntityType.PHONE, EntityType.FIN_ACCOUNT, EntityType.GOV_ID})
_KEYCAP = "\u20e3"  # drawn around the digit before it
_ORDINALS = "\u00aa\u00ba"  # letters of `4º` and `nº`, not of a word
# Hyphens join letters; longer dashes (and the long vowel of kana, which Japanese keyboards give for one) join numbers.
# Those of other widths are among these in plain letters.
_DASH = lazy_pattern(
    r"[\u2010\u2012-\u2015\u2212\u30fc](?:(?<=\w\u2010)(?=\w)|(?<=\d[\u2012\u2013\u2212])(?=\w)"
    r"|(?<=\w[\u2012\u2013\u2212])(?=\d)|(?<=\d[\u2014\u2015\u30fc])(?=\d)|(?<=\d [^\u30fc])(?= \d))"
)
# One raised, lowered or circled digit is a note, a power or a mark of a list; several are a number.
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2473\u24ea-\u24ff\u2776-\u2793"
_MARK = lazy_pattern(f"[{_RAISED}](?<![{_RAISED}].)(?![{_RAISED}])")


def typed(text: str) -> Mapped | None:
    """Return the typed form of a text, or None where it is the text itself."""
    if text.isascii():
        return None
    unmarked = _MARK.sub(" ", text)
    forms = changed_letters(unmarked, _typed_letter)
    form = reformed(unmarked, forms) if forms else Mapped(unmarked)
    form = replace(form, text=_DASH.sub("-", form.text))
    return form if form.text != text else None


def find_as_typed(text: str, find: Callable[[str], Iterable[Span]]) -> tuple[Span, ...]:
    """Return what is found in a text or in its typed form, each span once, at the offsets of the text."""
    found = list(find(text))
    form = typed(text)
    if form is not None:
        for span in find(form.text):
            start, end = form.back_from(span.start, span.end)
            found.append(replace(span, start=start, end=end))
    return tuple(dict.fromkeys(found))


def find_decoded(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """Yield the identifiers that are percent-encoded in a text, wholly or in part, at the offsets of the text."""
    for form in decodings(text):
        for span in find(form.text):
            start, end = form.back(span.start, span.end)
            if span.kind in _CERTAIN and "%" in text[start:end]:
                yield replace(span, start=start, end=end)


def _typed_letter(letter: str) -> str:
    return "" if letter == _KEYCAP else letter if letter in _ORDINALS else plain_letter(letter)
