"""The placeholders and markers that already stand in a text: left alone, so that minimizing twice changes nothing."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from privguard.core.entities import EntityType
from privguard.core.markers import MARKER
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import ALPHABET, MAX_HINT, MAX_ID, MIN_ID, is_placeholder_id
from privguard.core.spans import Span

_KINDS = {kind.value: kind for kind in EntityType}
_PLACEHOLDER = lazy_pattern(
    rf"\[({'|'.join(_KINDS)})_([{ALPHABET}]{{{MIN_ID},{MAX_ID}}})(?:: ([^\[\]\r\n]{{1,{MAX_HINT}}}))?\]"
)


def find_zones(text: str, is_rung: Callable[[EntityType, str], bool]) -> tuple[tuple[int, int], ...]:
    """Return the half-open intervals of privguard's own placeholders and markers, in order.

    Only the canonical form counts. A hint must be one that the ladder of its type could have written: a value that
    somebody hides in a bracket is not protected by it.
    """
    placeholders = [
        match.span()
        for match in _PLACEHOLDER.finditer(text)
        if is_placeholder_id(match[2]) and (match[3] is None or is_rung(_KINDS[match[1]], match[3]))
    ]
    return tuple(sorted([*placeholders, *(match.span() for match in MARKER.finditer(text))]))


def outside(spans: Iterable[Span], zones: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """Return the spans without what lies inside `zones` (sorted, disjoint): dropped, or cut into what is left."""
    if not zones:
        return tuple(spans)
    starts = [start for start, _ in zones]
    result: list[Span] = []
    for span in spans:
        at = max(bisect_right(starts, span.start) - 1, 0)
        start = span.start
        while start < span.end:
            while at < len(zones) and zones[at][1] <= start:
                at += 1
            zone_start, zone_end = zones[at] if at < len(zones) else (span.end, span.end)
            if zone_start > start:
                end = min(zone_start, span.end)
                result.append(span.resized(start, end))
            start = max(start, zone_end)
    return tuple(result)
