"""In which message each span came to be known: what is found later is taken out of earlier messages as well.

What has left leaves the same way again. So whatever is decided message by message, who is who and how a spelling is
called, counts a span from the message on with which it was known, wherever it stands; and a span that was known before
a longer one took its place still counts, though it stands there no more.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from privguard.core.spans import Span
from privguard.detect.scanning import Carried, Hit
from privguard.detect.spread import mentions

Row: TypeAlias = tuple[Span, ...]
Finish: TypeAlias = Callable[[Row, tuple[Row, ...]], Row]


class Since(NamedTuple):
    """With which message each span of a segment came to be known, and those that were known before."""

    spans: tuple[int, ...]
    past: Row = ()  # what others have taken the place of since
    past_spans: tuple[int, ...] = ()


class Late:
    """The spans of one segment whose values were found in later messages."""

    def __init__(self, turn: int, first: Row, carried: Mapping[bytes, Carried], finish: Finish) -> None:
        """Take what is known of the segment.

        Args:
            turn: the number of the message that holds it.
            first: what was found in it before values of others were looked for, sorted and disjoint.
            carried: the values.
            finish: makes the spans of what was found first and of mentions by view.
        """
        self._turn, self._first, self._carried, self._finish = turn, first, carried, finish

    def since(self, row: Row, hits: Sequence[Sequence[Hit]]) -> Since:
        """Return when the spans of the segment came to be known.

        Args:
            row: the spans, sorted and disjoint.
            hits: the mentions of values of others, by view.
        """
        starts = [span.start for span in row]
        inside: dict[int, list[list[Hit]]] = {}
        for view, found in enumerate(hits):
            for hit in found:
                inside.setdefault(bisect_right(starts, hit.end - 1) - 1, [[] for _ in hits])[view].append(hit)
        past: dict[Span, int] = {}
        since = tuple([self._since(span, inside.get(place, ()), past) for place, span in enumerate(row)])
        return Since(since, tuple(past), tuple(past.values()))

    def _since(self, span: Span, hits: Sequence[Sequence[Hit]], past: dict[Span, int]) -> int:
        times = sorted({self._time(hit) for found in hits for hit in found})
        if not times or times[-1] <= self._turn:
            return self._turn
        early = _overlapping(self._first, span)
        if len(times) == 1 and not early:
            return times[0]
        for time in dict.fromkeys((self._turn, *times)):
            found = [
                mentions([hit for hit in view if self._time(hit) <= time], self._carried, self._turn) for view in hits
            ]
            then = self._finish(early, tuple(map(tuple, found)))
            if any((each.start, each.end, each.kind) == (span.start, span.end, span.kind) for each in then):
                return time
            for each in then:
                past.setdefault(each, time)
        return times[-1]

    def _time(self, hit: Hit) -> int:
        return max(self._turn, self._carried[hit.key].since)


def _overlapping(row: Row, span: Span) -> Row:
    low = bisect_right([each.end for each in row], span.start)
    return row[low : bisect_left([each.start for each in row], span.end)]
