"""A text as its reader sees it: in plain letters, without what is invisible.

Values are looked for in these views besides the text itself, and what is found is led back to the offsets of the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from privguard.core.letters import plain_letter
from privguard.detect.forms import letters_without_accents
from privguard.detect.phrases import Folded


@dataclass(frozen=True, slots=True)
class View:
    """A text derived from another one, and the way back."""

    text: str = field(repr=False)
    _folded: Folded = field(repr=False)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original that `[start, end)` of the view came from."""
        first = self._folded.back(start)
        return first, max(first, self._folded.back(end - 1)) + 1


def views_of(text: str) -> Iterator[View]:
    """Yield the views that differ from the text; for most texts there are none.

    Two at the most: an invisible space may stand within a word or between two, so it is kept in one of them.
    """
    # White space is white space in every form.
    letters = [] if text.isascii() else [letter for letter in set(text) if not letter.isspace()]
    forms = {letter: form for letter in letters if (form := plain_letter(letter)) != letter}
    shown = {letter: form for letter, form in forms.items() if form}
    for each in (shown, forms) if shown and len(forms) > len(shown) else (forms,) if forms else ():
        yield _view(text, each)


def views_without_accents(text: str) -> Iterator[View]:
    """Yield the text without accents where it has any: `Müller` is Muller in one view, Mueller in another."""
    for forms in letters_without_accents(text):
        yield _view(text, forms)


def _view(text: str, forms: Mapping[str, str]) -> View:
    folded = _replaced(text, ((at, forms[letter]) for at, letter in _among(text, forms)))
    return View(folded.text, folded)


def _among(text: str, letters: Iterable[str]) -> Iterator[tuple[int, str]]:
    wanted = re.compile(f"[{''.join(map(re.escape, letters))}]")
    return ((match.start(), match[0]) for match in wanted.finditer(text))


def _replaced(text: str, changes: Iterable[tuple[int, str]]) -> Folded:
    """Put a form in the place of single code points, in order, and remember where everything came from."""
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    flat: list[bool] = []
    done = length = 0
    for at, form in changes:
        pieces += (text[done:at], form)
        length += at - done
        if len(form) != 1:
            starts += (length, length + len(form))
            origins += (at, at + 1)
            flat += (True, False)
        length += len(form)
        done = at + 1
    whole = "".join((*pieces, text[done:]))
    return Folded(text=whole, _starts=tuple(starts), _origins=tuple(origins), _flat=tuple(flat))
