"""A text as its reader sees it: in plain letters, without what is invisible, letter-spaced words drawn together.

Values are looked for in these views besides the text itself, and what is found is led back to the offsets of the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from privguard.core.letters import plain_letter
from privguard.detect.phrases import Folded

_MIN_SPACED_DIGITS = 8  # a shorter list of single digits is no number
# `T o b i a s`: four letters or digits at the least, each by itself, with one and the same separator between them.
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?=([ \u00a0\u2009\u202f._\u00b7-])[^\W_]\1[^\W_]\1)(?:\1[^\W_])+(?![^\W_])")


@dataclass(frozen=True, slots=True)
class View:
    """A text derived from another one, and the way back."""

    text: str = field(repr=False)
    _steps: tuple[Folded, ...] = field(repr=False)  # from the original to the view

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original that `[start, end)` of the view came from."""
        last = end - 1
        for step in reversed(self._steps):
            start, last = step.back(start), step.back(last)
        return start, max(start, last) + 1


def views_of(text: str) -> Iterator[View]:
    """Yield the views that differ from the text; for most texts there are none.

    Two at the most: an invisible space may stand within a word or between two, so it is kept in one of them.
    """
    steps: list[Folded] = []
    current = text
    if not text.isascii():
        # White space is white space in every form.
        others = [letter for letter in set(text) if not letter.isspace()]
        forms = {letter: form for letter in others if (form := plain_letter(letter)) != letter}
        shown = {letter: form for letter, form in forms.items() if form}
        if shown:
            steps = [_replaced(text, ((at, shown[letter]) for at, letter in _among(text, shown)))]
            yield View(steps[0].text, (steps[0],))
        if len(forms) > len(shown):
            steps = [_replaced(text, ((at, forms[letter]) for at, letter in _among(text, forms)))]
        current = steps[0].text if steps else text
    gaps = list(_gaps(current))
    if gaps:
        steps.append(_replaced(current, ((at, "") for at in gaps)))
        current = steps[-1].text
    if gaps or (steps and "" in forms.values()):
        yield View(current, tuple(steps))


def _among(text: str, letters: Iterable[str]) -> Iterator[tuple[int, str]]:
    wanted = re.compile(f"[{''.join(map(re.escape, letters))}]")
    return ((match.start(), match[0]) for match in wanted.finditer(text))


def _gaps(text: str) -> Iterator[int]:
    """Yield where the separators of letter-spaced words stand."""
    for match in _SPACED.finditer(text):
        count = (len(match[0]) + 1) // 2
        if count >= _MIN_SPACED_DIGITS or any(map(str.isalpha, match[0])):
            yield from range(match.start() + 1, match.end(), 2)


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
