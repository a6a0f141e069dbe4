"""Check digits, and numbers that fail them: people's data is broken too."""

from collections.abc import Sequence
from random import Random

_D = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_P = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)


def luhn_digit(digits: str) -> str:
    """Return the digit that completes `digits` to a number that passes the Luhn check."""
    total = 0
    for place, sign in enumerate(reversed(digits)):
        value = int(sign) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def verhoeff_digit(digits: str) -> str:
    """Return the digit that completes `digits` to a number that passes the Verhoeff check."""
    state = 0
    for place, sign in enumerate(reversed(digits)):
        state = _D[state][_P[(place + 1) % 8][int(sign)]]
    return next(str(d) for d in range(10) if _D[state][d] == 0)


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
