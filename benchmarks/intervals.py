"""Shares with Wilson intervals, and bootstrap intervals over records."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054  # of a 95 % interval
REPLICATES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Hits of trials."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """Return the share, None without a trial."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval (Wilson 1927), None without a trial."""
        if not self.n:
            return None
        share, square = self.hits / self.n, Z * Z / self.n
        middle = (share + square / 2) / (1 + square)
        half = Z * math.sqrt(share * (1 - share) / self.n + square / (4 * self.n)) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    def as_json(self) -> dict[str, object]:
        """Return value, interval and counts."""
        interval = self.interval
        return {
            "value": None if self.value is None else round(self.value, 4),
            "ci95": interval and [round(bound, 4) for bound in interval],
            "hits": self.hits,
            "n": self.n,
        }

    def __str__(self) -> str:
        if self.value is None or self.interval is None:
            return "unscored"
        low, high = self.interval
        return f"{self.value:.3f} ({low:.3f}-{high:.3f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its bootstrap interval; None where it could not be computed."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def as_json(self) -> dict[str, object]:
        """Return value, interval and count."""
        known = self.low is not None and self.high is not None
        return {
            "value": None if self.value is None else round(self.value, 4),
            "ci95": [round(self.low or 0.0, 4), round(self.high or 0.0, 4)] if known else None,
            "n": self.n,
        }

    def __str__(self) -> str:
        if self.value is None:
            return "unscored"
        return f"{self.value:.3f}" + ("" if self.low is None else f" ({self.low:.3f}-{self.high:.3f})")


def bootstrap(
    records: NDArray[np.intp],
    statistic: Callable[[NDArray[np.intp]], float | None],
    *,
    seed: int,
    replicates: int = REPLICATES,
) -> Estimate:
    """Estimate a statistic with an interval from records drawn with replacement.

    Args:
        records: `(n,)` the record that each row belongs to.
        statistic: takes the indices of the rows that count, repeated where a record was drawn more than once.
        seed: of the draws.
        replicates: number of draws; those where the statistic is None are left out.
    """
    rows = np.arange(len(records))
    names = np.unique(records)
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(replicates if len(names) else 0):
        times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)))
        value = statistic(np.repeat(rows, times[np.searchsorted(names, records)]))
        if value is not None:
            drawn.append(value)
    low, high = np.percentile(drawn, (2.5, 97.5)) if drawn else (None, None)
    return Estimate(
        value=statistic(rows) if len(rows) else None,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        n=len(rows),
    )
