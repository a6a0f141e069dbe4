"""Tokens that a merge tore: `ada_roth_cv.pdf`, where a name took its part of a file name, becomes one span again.

A value that is cut into several placeholders is of no use to the model, and says more than one. So the spans of such a
token become one, under the strongest of their types; the values within stay known, and are found elsewhere.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from privguard.core.entities import Category
from privguard.core.spans import Span
from privguard.detect.lists import SOURCE as DENIED
from privguard.detect.merge import Interval, is_certain, type_order

_STRENGTH = (Category.SECRET, Category.DIRECT, Category.SENSITIVE, Category.QUASI)


def mend(spans: Sequence[Span], torn: Iterable[Interval], text: str) -> tuple[Span, ...]:
    """Return the spans with those of each torn token made one.

    Args:
        spans: sorted and disjoint.
        torn: the tokens, see `privguard.detect.merge.Merged`.
        text: that they stand in; a span that goes on behind white space is left as it is.
    """
    starts = [span.start for span in spans]
    reaches: list[Interval] = []
    for start, end in torn:
        first = max(bisect_right(starts, start) - 1, 0)
        first += bool(spans) and spans[first].end <= start
        last = bisect_right(starts, end - 1)
        if last - first > 1:
            low, high = min(start, spans[first].start), max(end, spans[last - 1].end)
            if not _has_space(text[low:start]) and not _has_space(text[end:high]):
                reaches.append((spans[first].start, spans[last - 1].end))
    return _joined(spans, reaches) if reaches else tuple(spans)


def _has_space(text: str) -> bool:
    return any(map(str.isspace, text))


def _united(reaches: Iterable[Interval]) -> list[Interval]:
    united: list[Interval] = []
    for start, end in sorted(reaches):
        if united and start < united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], end))
        else:
            united.append((start, end))
    return united


def _joined(spans: Sequence[Span], reaches: Iterable[Interval]) -> tuple[Span, ...]:
    waiting = deque(spans)
    result: list[Span] = []
    for start, end in _united(reaches):
        while waiting and waiting[0].start < start:
            result.append(waiting.popleft())
        inside: list[Span] = []
        while waiting and waiting[0].start < end:
            inside.append(waiting.popleft())
        result.append(replace(min(inside, key=_strength), start=start, end=end))
    return (*result, *waiting)


def _strength(span: Span) -> tuple[bool, bool, int, bool, int, int]:
    secret = span.kind.category is Category.SECRET
    strength = _STRENGTH.index(span.kind.category)
    return (not secret, span.source != DENIED, strength, not is_certain(span), -span.length, type_order(span.kind))
