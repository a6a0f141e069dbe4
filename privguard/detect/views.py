"""A text as its reader sees it: in plain letters, without what is invisible.

Values are looked for in these views besides the text itself, and what is found is led back to the offsets of the text.
"""

from collections.abc import Iterator

from privguard.core.letters import plain_letter
from privguard.core.patterns import lazy_pattern
from privguard.detect.forms import ESCAPING, letters_without_accents
from privguard.detect.mapped import Mapped, reformed

# Of a string, and of a string in a string.
_PAIR, _FOUR = lazy_pattern(r"\\{2}"), lazy_pattern(r"\\{4}")


def views_of(text: str) -> Iterator[Mapped]:
    """Yield the views that differ from the text; for most texts there are none.

    Two at the most: an invisible space may stand within a word or between two, so it is kept in one of them.
    """
    # White space is white space in every form.
    letters = [] if text.isascii() else [letter for letter in set(text) if not letter.isspace()]
    forms = {letter: form for letter in letters if (form := plain_letter(letter)) != letter}
    shown = {letter: form for letter, form in forms.items() if form}
    for each in (shown, forms) if shown and len(forms) > len(shown) else (forms,) if forms else ():
        yield reformed(text, each)


def views_without_accents(text: str) -> Iterator[Mapped]:
    """Yield the text without accents where it has any: `Müller` is Muller in one view, Mueller in another."""
    for forms in letters_without_accents(text):
        yield reformed(text, forms)


def views_unescaped(text: str) -> Iterator[Mapped]:
    r"""Yield the text without backslashes before apostrophes where it has any: SQL and programs write `O\'Brien`."""
    if "\\" in text and (changes := [(at, "") for match in ESCAPING.finditer(text) for at in range(*match.span())]):
        yield Mapped.of(text, changes)


def views_undoubled(text: str) -> Iterator[Mapped]:
    r"""Yield the text as strings of programs and of JSON say it: `CORP\tala` for `CORP\\tala`."""
    for written in (_PAIR, _FOUR):
        if changes := [(at, "") for match in written.finditer(text) for at in range(match.start() + 1, match.end())]:
            yield Mapped.of(text, changes)
