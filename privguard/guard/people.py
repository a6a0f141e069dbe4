"""Who is mentioned where, as far as it is known: beside somebody else a pronoun tells nothing."""

from bisect import bisect_left
from collections.abc import Sequence

from privguard.core.entities import EntityType
from privguard.core.placeholders import Pronoun
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.pronouns import find_pronouns, is_title
from privguard.guard.turns import Place


class People:
    """The mentions of people in a request, message by message."""

    def __init__(self, segments: Sequence[Segment], rows: Sequence[Sequence[Span]]) -> None:
        self._segments, self._rows = segments, rows
        self._known: dict[int, list[tuple[int, int]]] = {}  # by segment, sorted

    def hear(self, turn: Sequence[Place]) -> None:
        """Take note of the people of a message."""
        touched = set()
        for at in turn:
            span = self._rows[at.segment][at.place]
            if span.kind is EntityType.PERSON and not is_title(self._segments[at.segment].text[span.start : span.end]):
                self._known.setdefault(at.segment, []).append((span.start, span.end))
                touched.add(at.segment)
        for segment in touched:
            self._known[segment].sort()

    def pronouns_of(self, at: Place) -> frozenset[Pronoun]:
        """Return the pronouns that the text tells of a mention."""
        span, text = self._rows[at.segment][at.place], self._segments[at.segment].text
        if span.kind is not EntityType.PERSON:
            return frozenset()
        known = self._known.get(at.segment, [])

        def is_other(start: int, end: int) -> bool:
            first, last = bisect_left(known, (start, start)), bisect_left(known, (end, end))
            return any(
                each_end > start and not _is_same(text, span, each_start, each_end)
                for each_start, each_end in known[max(0, first - 1) : last]
            )

        return find_pronouns(text, span.start, span.end, is_other)


def _is_same(text: str, span: Span, start: int, end: int) -> bool:
    """Tell whether a mention is the span, stands in its place, or is spelled as it is."""
    return (start < span.end and span.start < end) or text[start:end] == text[span.start : span.end]
