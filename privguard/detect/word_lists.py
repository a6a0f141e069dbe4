"""The lists of words that ship in the package, in `words`: each is read at its first use."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "words"


@cache
def read_words(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(read_lines(name))


def read_lines(name: str) -> list[str]:
    """Return the lines of a list, in their order, without comments, which begin with `#`, and empty lines."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
