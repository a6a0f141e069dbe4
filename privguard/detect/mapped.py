"""A text in another form, and the way back to the offsets of the text that it was made of."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from privguard.core.letters import DOT_OF_I, changed_letters, folded_letter, lowered


@dataclass(frozen=True, slots=True)
class Mapped:
    """A text in which forms stand in the place of some letters, and where each code point came from."""

    text: str = field(repr=False)
    _starts: tuple[int, ...] = field(default=(), repr=False)  # offsets in `text` at which the shift changes
    _origins: tuple[int, ...] = field(default=(), repr=False)  # the offsets of the original that they belong to
    _flat: tuple[bool, ...] = field(default=(), repr=False)  # whether offsets advance from there, or stand still

    @classmethod
    def of(cls, text: str, changes: Iterable[tuple[int, str]]) -> "Mapped":
        """Put a form in the place of single code points, in their order."""
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
        return cls("".join((*pieces, text[done:])), tuple(starts), tuple(origins), tuple(flat))

    def back(self, offset: int) -> int:
        """Return the offset in the original of the code point that `offset` came from."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        return self._origins[at] + (0 if self._flat[at] else offset - self._starts[at])

    def back_from(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original that `[start, end)` came from."""
        first = self.back(start)
        return first, max(first, self.back(end - 1)) + 1


def reformed(text: str, forms: Mapping[str, str]) -> Mapped:
    """Put its form in the place of each letter."""
    return Mapped.of(text, ((at, forms[letter]) for at, letter in _among(text, forms)))


def mapped_fold(text: str) -> Mapped:
    """Fold a text as `letters.folded` does."""
    lower = lowered(text).replace("`", "'")
    if lower.isascii():
        return Mapped(lower)
    changes = [(at, "") for dots in DOT_OF_I.finditer(lower) for at in range(*dots.span())]
    forms = changed_letters(lower, folded_letter)
    if forms:
        changes += ((at, forms[letter]) for at, letter in _among(lower, forms))
        changes.sort()
    return Mapped.of(lower, changes) if changes else Mapped(lower)


def _among(text: str, letters: Iterable[str]) -> Iterator[tuple[int, str]]:
    wanted = re.compile(f"[{''.join(map(re.escape, letters))}]")
    return ((match.start(), match[0]) for match in wanted.finditer(text))
