"""Remember what was found in a segment: a conversation costs its new messages only."""

from collections.abc import Sequence

from privguard.core.memory import Memory
from privguard.core.protocols import Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span

MEMORY_BYTES = 4 * 2**20
_ROW_BYTES, _SPAN_BYTES = 130, 160  # what a segment and each of its spans take, about


class RememberingDetector:
    """Ask another detector only for segments that it has not answered for.

    The other one must judge each segment by its text alone, as the shipped ones do. What is remembered are offsets.
    """

    def __init__(self, detector: Detector, memory_bytes: int = MEMORY_BYTES) -> None:
        """Take the detector.

        Args:
            detector: the one to ask.
            memory_bytes: about how many bytes the answers may take, whether the texts are many or long.
        """
        self._detector = detector
        self._memory: Memory[tuple[Span, ...]] = Memory(memory_bytes, _weight)

    @property
    def id(self) -> str:
        """Return the id of the other detector: remembering changes no answer."""
        return self._detector.id

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment; equal texts are asked for once."""
        marks = [self._memory.mark(segment.text) for segment in segments]
        known = {mark: spans for mark in set(marks) if (spans := self._memory.get(mark)) is not None}
        fresh = {mark: segment for mark, segment in zip(marks, segments, strict=True) if mark not in known}
        if fresh:
            answers = self._detector.detect(tuple(fresh.values()))
            for mark, spans in zip(fresh, answers, strict=True):
                known[mark] = spans
                self._memory.put(mark, spans)
        return tuple(known[mark] for mark in marks)


def _weight(spans: Sequence[Span]) -> int:
    return _ROW_BYTES + _SPAN_BYTES * len(spans)
