"""Spans: where something sensitive stands in the text of one segment."""

from dataclasses import dataclass

from privguard.core.entities import EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Half-open `[start, end)` in code points of one segment."""

    start: int
    end: int
    kind: EntityType
    score: float  # detector confidence, 0 to 1
    source: str  # the recognizer, for the audit record: a fixed name, never content

    def __post_init__(self) -> None:
        """Check the interval and the score once; they are trusted afterwards."""
        if not 0 <= self.start < self.end:
            raise ValueError(f"{self.kind} [{self.start}, {self.end}) is not a span")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"{self.kind} [{self.start}, {self.end}) has a score outside 0 to 1")

    @property
    def length(self) -> int:
        """Return the number of code points."""
        return self.end - self.start

    def resized(self, start: int, end: int) -> "Span":
        """Return the span with other edges."""
        if (start, end) == (self.start, self.end):
            return self
        return Span(start=start, end=end, kind=self.kind, score=self.score, source=self.source)

    def overlaps(self, other: "Span") -> bool:
        """Tell whether the two spans share a code point."""
        return self.start < other.end and other.start < self.end
