"""Random numbers that a seed decides."""

from random import Random


def seeded(seed: int | str) -> Random:
    """Start a generator: the same seed draws the same numbers, on every machine."""
    return Random(seed)  # noqa: S311 - examples, not secrets
