"""Weighted sums for check digits, and numbers that fail them: people's data is broken too."""

from collections.abc import Sequence
from random import Random


def weighted(digits: str, weights: Sequence[int]) -> int:
    """Return the weighted sum of digits."""
    return sum(int(d) * w for d, w in zip(digits, weights, strict=False))


def broken(text: str, rng: Random) -> str:
    """Change one digit, so that a check digit most probably fails."""
    places = [i for i, sign in enumerate(text) if sign.isdigit()]
    place = rng.choice(places)
    other = str((int(text[place]) + rng.randrange(1, 10)) % 10)
    return text[:place] + other + text[place + 1 :]


def grouped(text: str, rng: Random, *, size: int = 4, separators: Sequence[str] = (" ", "", "-")) -> str:
    """Cut a number into groups, as people write it."""
    return rng.choice(separators).join(text[i : i + size] for i in range(0, len(text), size))
