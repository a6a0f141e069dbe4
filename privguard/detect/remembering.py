"""Remember what was found in a segment: a conversation costs its new messages only.

Keys are keyed hashes and values are offsets, so that nothing of any text is kept.
"""

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence

from privguard.core.protocols import Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span

_CAPACITY = 8192  # segments


class RememberingDetector:
    """Ask another detector only for segments that it has not answered for.

    The other one must judge each segment by its text alone, as the shipped ones do.
    """

    def __init__(self, detector: Detector, capacity: int = _CAPACITY) -> None:
        self._detector = detector
        self._capacity = capacity
        self._secret = secrets.token_bytes(32)
        self._spans: OrderedDict[bytes, tuple[Span, ...]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        """Return the id of the other detector: remembering changes no answer."""
        return self._detector.id

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment; equal texts are asked for once."""
        marks = [self._mark(segment.text) for segment in segments]
        known = self._known(marks)
        fresh = {mark: segment for mark, segment in zip(marks, segments, strict=True) if mark not in known}
        if fresh:
            answers = self._detector.detect(tuple(fresh.values()))
            known |= dict(zip(fresh, answers, strict=True))
            self._keep({mark: known[mark] for mark in fresh})
        return tuple(known[mark] for mark in marks)

    def _mark(self, text: str) -> bytes:
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=self._secret, digest_size=20).digest()

    def _known(self, marks: Sequence[bytes]) -> dict[bytes, tuple[Span, ...]]:
        with self._lock:
            found = {mark: self._spans[mark] for mark in marks if mark in self._spans}
            for mark in found:
                self._spans.move_to_end(mark)
        return found

    def _keep(self, answers: dict[bytes, tuple[Span, ...]]) -> None:
        with self._lock:
            self._spans |= answers
            while len(self._spans) > self._capacity:
                self._spans.popitem(last=False)
