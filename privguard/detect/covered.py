"""The intervals of a text that spans cover already."""

from bisect import bisect_right
from collections.abc import Iterable

from privguard.core.spans import Span


class Covered:
    """The intervals that spans cover already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Take spans in any order; they may overlap."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(spans, key=lambda span: span.start):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def holds(self, start: int, end: int) -> bool:
        """Tell whether one of them covers `[start, end)`."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end <= self._ends[at]

    def count(self, text: str, part: str) -> int:
        """Return at how many places `part` begins in `text`, -1 where one of them is not covered."""
        count = 0
        at = text.find(part)
        while at >= 0:
            if not self.holds(at, at + len(part)):
                return -1
            count += 1
            at = text.find(part, at + 1)
        return count
