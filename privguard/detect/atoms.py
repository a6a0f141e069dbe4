"""The parts of identifiers: `loadTobiasKernData2` is load, Tobias, Kern, Data and 2; `TOBIAS_KERN` is two."""

from itertools import accumulate

from privguard.core.letters import APOSTROPHES, replace_letters
from privguard.core.patterns import lazy_pattern

# A hump begins with a capital; of several capitals the last one begins the next hump: `HTTPServer`.
_ATOM = lazy_pattern(r"([A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+)")


def split_atoms(text: str) -> list[str]:
    """Return what stands between the atoms, and the atoms, letters up to the next hump or digits, by turns."""
    if text.isascii():
        return _ATOM.split(text)
    shapes = {letter: _shape(letter) for letter in set(text) if not letter.isascii()}
    lengths = map(len, _ATOM.split(replace_letters(text, shapes)))
    ends = list(accumulate(lengths))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def atoms_of(text: str) -> list[str]:
    """Return the atoms of a text."""
    return split_atoms(text)[1::2]


def _shape(letter: str) -> str:
    """Return an ASCII character that is cut alike."""
    if letter.isdecimal():
        return "0"
    if not letter.isalnum() or letter in APOSTROPHES:
        return " "
    return "A" if letter.isupper() or letter.istitle() else "a"
