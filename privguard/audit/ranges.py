"""Sets of row numbers, as sorted disjoint ranges: a million neighbours cost no more than one."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

_NONE = -(2**63)


class Ranges:
    """A set of integers. Neighbours are joined."""

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self._ranges: list[tuple[int, int]] = []
        for first, last in ranges:
            self.add(first, last)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Iterate over the ranges in order, `first` to `last` inclusive."""
        return iter(self._ranges)

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def __len__(self) -> int:
        """Count the integers."""
        return sum(last - first + 1 for first, last in self._ranges)

    def add(self, first: int, last: int) -> None:
        """Add all integers from `first` to `last` inclusive; none where `last` comes before."""
        if first > last:
            return
        ranges = self._ranges
        if not ranges or ranges[-1][1] + 1 < first:
            ranges.append((first, last))
            return
        low = bisect_right(ranges, (first, _NONE))
        if low and ranges[low - 1][1] + 1 >= first:
            low -= 1
        high = bisect_right(ranges, (last + 1, 2**63))
        touched = ranges[low:high]
        if touched:
            first, last = min(first, touched[0][0]), max(last, touched[-1][1])
        ranges[low:high] = [(first, last)]

    def take(self, number: int) -> bool:
        """Remove one integer; tell whether it was there."""
        at = bisect_right(self._ranges, (number, 2**63)) - 1
        if at < 0 or self._ranges[at][1] < number:
            return False
        first, last = self._ranges[at]
        self._ranges[at : at + 1] = [
            (low, high) for low, high in ((first, number - 1), (number + 1, last)) if low <= high
        ]
        return True

    def minus(self, other: "Ranges") -> "Ranges":
        """Return what is in this set and not in the other."""
        left = Ranges()
        taken = list(other)
        at = 0
        for first, last in self._ranges:
            start = first
            while at < len(taken) and taken[at][1] < start:
                at += 1
            probe = at
            while probe < len(taken) and taken[probe][0] <= last:
                left.add(start, taken[probe][0] - 1)
                start = max(start, taken[probe][1] + 1)
                probe += 1
            left.add(start, last)
        return left
