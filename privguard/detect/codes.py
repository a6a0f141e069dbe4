r"""A text as it shows where a page or a program is run: `O&#39;Brien` and `O\x27Brien` are O'Brien.

The codes of HTML, once or several times over, and those of programs but for octal and named ones: `\x27`, `\xc3\xbc`
(bytes, as UTF-8 or else as Latin-1), `\u0027`, `\u{27}`, `\U00000027`.
"""

from collections.abc import Iterator

from privguard.core.patterns import lazy_pattern
from privguard.detect.bare import TEXT_CODES, signs_of
from privguard.detect.mail_codes import mail_view
from privguard.detect.mojibake import meant_views
from privguard.detect.percent import Decoded, decodings
from privguard.detect.tags import tag_view
from privguard.detect.tex_codes import tex_view

_BEGINNING = lazy_pattern(r"&[#A-Za-z]|\\[xuU]")
_CONTROL = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_HALVES = range(0xD800, 0xE000)  # of surrogate pairs, which are no code points


def uncoded(text: str, *, keeps_data: bool = False) -> Decoded | None:
    """Return a text without its codes; None where it has none.

    Args:
        text: the text.
        keeps_data: whether bytes stay as they are that say no text, since control characters are among them.
    """
    if ("&" not in text and "\\" not in text) or not _BEGINNING.search(text):
        return None
    shown = Decoded.of(text, _signs(text, keeps_data=keeps_data))
    return None if shown.text == text else shown


def code_views(text: str) -> Iterator[Decoded]:
    """Yield a text without its percent-encoding, see `decodings`, and without each other kind of codes; mostly none."""
    yield from decodings(text)
    shown = uncoded(text)
    if shown is not None:
        yield shown
    yield from written_views(text)


def written_views(text: str) -> Iterator[Decoded]:
    """Yield a text without the codes of mail, those of TeX and tags, and as it was meant before it was garbled."""
    yield from (view for view in (mail_view(text), tex_view(text), tag_view(text)) if view is not None)
    yield from meant_views(text)


def without_codes(value: str) -> str:
    """Return a value without its codes; the same object where it has none."""
    shown = uncoded(value)
    return value if shown is None else shown.text


def _signs(text: str, *, keeps_data: bool) -> Iterator[tuple[int, int, str]]:
    for code in TEXT_CODES.finditer(text):
        signs = tuple(signs_of(code))
        if keeps_data and code["bytes"] is not None and any(_CONTROL.match(sign) for _, _, sign in signs):
            continue
        for start, end, sign in signs:
            if sign != text[start:end]:
                yield start, end, "\ufffd" if ord(sign) in _HALVES else sign
