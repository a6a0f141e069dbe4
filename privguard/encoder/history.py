"""What the turns of a conversation say of its spans, remembered, so that a turn costs what is new in it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.core.memory import Memory
from privguard.core.spans import Span
from privguard.encoder.encoder import Encoded
from privguard.encoder.interaction import Asked, read_instruction, score_spans
from privguard.encoder.labels import TAG_OF
from privguard.encoder.need_head import NeedHead

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

MEMORY_BYTES = 4 * 2**20
_OVERHEAD = 300  # bytes of one remembered row beside its numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The spans of one text and the turns that they serve: the first and all that follow."""

    text: Encoded = field(repr=False)
    places: IntArray = field(repr=False)  # (n, 3) start, end, tag
    first: int
    own: bool  # whether the text is part of the first of these turns


def places_of(spans: Sequence[Span]) -> IntArray:
    """Return start, end and tag of each span, `(n, 3)`."""
    flat = [number for span in spans for number in (span.start, span.end, TAG_OF[span.kind])]
    return np.array(flat, dtype=np.int64).reshape(-1, 3)


class History:
    """Take the maximum over turns. Thread-safe.

    The maximum over all turns but the new one is that of the request before: it is found under a hash of text, spans
    and turns. No text is kept, and no features.
    """

    def __init__(self, head: NeedHead, memory_bytes: int = MEMORY_BYTES) -> None:
        self._head = head
        self._memory: Memory[FloatArray] = Memory(memory_bytes, lambda scores: scores.nbytes + _OVERHEAD)

    def largest(self, turns: Sequence[Sequence[Encoded]], rows: Sequence[Served]) -> list[FloatArray]:
        """Return for each row `(n, 3)` the largest scores over the turns that it serves, see `score_spans`.

        Raises:
            DetectionError: the need head failed.
        """
        marks = [hashlib.blake2b(b"".join(text.mark for text in turn), digest_size=20).digest() for turn in turns]
        best: list[FloatArray] = []
        begin: list[int] = []  # the first turn that a row is still to be scored against
        keys = [_keys(row, marks[row.first :]) for row in rows]
        for row, row_keys in zip(rows, keys, strict=True):
            known, scores = self._recall(row_keys)
            begin.append(row.first + known)
            best.append(np.full((len(row.places), 3), -np.inf, dtype=np.float32) if scores is None else scores)
        for turn, texts in enumerate(turns):
            waiting = [number for number, first in enumerate(begin) if first <= turn]
            if not waiting:
                continue
            instruction = read_instruction(self._head, texts)
            asked = [
                Asked(
                    text=rows[number].text,
                    places=rows[number].places,
                    own=rows[number].own and rows[number].first == turn,
                )
                for number in waiting
            ]
            for number, scores in zip(waiting, score_spans(self._head, asked, instruction), strict=True):
                best[number] = np.maximum(best[number], scores)
        for row_keys, scores in zip(keys, best, strict=True):
            self._memory.put(row_keys[-1], scores)
        return best

    def _recall(self, keys: Sequence[bytes]) -> tuple[int, FloatArray | None]:
        """Return how many turns are known, and what they say."""
        for known in range(len(keys), 0, -1):
            scores = self._memory.get(keys[known - 1])
            if scores is not None:
                return known, scores
        return 0, None


def _keys(row: Served, turns: Sequence[bytes]) -> list[bytes]:
    """Return one key for the first turn, one for the first two, and so on."""
    start = row.text.mark + row.places.tobytes() + bytes([row.own])
    return list(_chain(hashlib.blake2b(start, digest_size=20).digest(), turns))


def _chain(mark: bytes, turns: Sequence[bytes]) -> Iterator[bytes]:
    for turn in turns:
        mark = hashlib.blake2b(mark + turn, digest_size=20).digest()
        yield mark
