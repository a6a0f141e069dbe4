"""Whether something costs time in proportion to the length of what it is given, by the clock of this thread."""

import gc
import time
from collections.abc import Callable

_ATTEMPTS = 3  # a busy machine may slow one run down, never all of them in the same way
_TIMES = 8  # as long is the longer text
_MOST = 3  # times what is in proportion: what is quadratic costs eight times that
_LEAST_S = 0.005  # below, little can be told


def grows_in_proportion(
    run: Callable[[str], object], unit: str, size: int = 10_000, before: str = "", *, least_s: float = _LEAST_S
) -> bool:
    """Tell whether a text of eight times `size` code points of repeated units costs about eight times as much."""

    def cost(count: int) -> float:
        text = before + (unit * count)[:count]
        return seconds(lambda: run(text))

    return costs_in_proportion(cost, size, least_s=least_s)


def costs_in_proportion(seconds_of: Callable[[int], float], size: int, *, least_s: float = _LEAST_S) -> bool:
    """Tell whether what is eight times as large costs about eight times as much.

    Args:
        seconds_of: runs with a size, and returns what that cost.
        size: the smaller of the two.
        least_s: what costs less is taken to cost as much.
    """
    return any(seconds_of(_TIMES * size) <= _MOST * _TIMES * max(seconds_of(size), least_s) for _ in range(_ATTEMPTS))


def costs_at_most(limit_s: float, run: Callable[[], object]) -> bool:
    """Tell whether something is done within a time; only what is far beyond it every time is a fault."""
    return any(seconds(run) < limit_s for _ in range(_ATTEMPTS))


def seconds(run: Callable[[], object]) -> float:
    """Return what something costs: what other threads and processes do meanwhile does not count.

    Nor does the collection of garbage, which costs what all tests before this one have left.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time()
        run()
        return time.thread_time() - start
    finally:
        if collects:
            gc.enable()
