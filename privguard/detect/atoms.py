"""The parts of identifiers: `loadTobiasKernData2` is load, Tobias, Kern, Data and 2; `TOBIAS_KERN` is two."""

import re
from collections.abc import Iterator

_RUN = re.compile(r"[^\W\d_]+|\d+")
# A hump begins with a capital; of several capitals the last one begins the next hump: `HTTPServer`.
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def atoms(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the half-open intervals of the atoms of `text[start:stop]`: letters up to the next hump, or digits."""
    for run in _RUN.finditer(text, start, stop):
        word = run[0]
        if len(word) == 1 or word.islower() or word.isupper() or word[1:].islower() or not word.isalpha():
            yield run.span()
        elif word.isascii():
            for hump in _HUMP.finditer(text, run.start(), run.end()):
                yield hump.span()
        else:
            yield from _humps(text, run.start(), run.end())


def atoms_of(value: str) -> list[str]:
    """Return the atoms of a short text."""
    return [value[start:end] for start, end in atoms(value, 0, len(value))]


def _humps(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    first = start
    for at in range(start + 1, stop):
        before, letter, after = text[at - 1], text[at], text[at + 1 : min(at + 2, stop)]
        if letter.isupper() and (before.islower() or (before.isupper() and after.islower())):
            yield first, at
            first = at
    yield first, stop
