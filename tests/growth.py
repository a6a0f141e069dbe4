"""Whether something costs time in proportion to the length of a text, by the clock of the processor."""

import time
from collections.abc import Callable

ATTEMPTS = 3  # a busy machine may slow one run down, never all of them in the same way
_TIMES = 8  # as long is the longer text
_MOST = 24  # times the cost: eight in proportion, 64 where it is quadratic
_LEAST_S = 0.02  # below, nothing can be told


def grows_in_proportion(run: Callable[[str], object], unit: str, size: int = 10_000, before: str = "") -> bool:
    """Tell whether a text of eight times `size` code points of repeated units costs about eight times as much."""
    return any(_costs_in_proportion(run, unit, size, before) for _ in range(ATTEMPTS))


def _costs_in_proportion(run: Callable[[str], object], unit: str, size: int, before: str) -> bool:
    short, long = (_seconds(run, before + (unit * count)[:count]) for count in (size, _TIMES * size))
    return long <= _MOST * max(short, _LEAST_S)


def _seconds(run: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start
