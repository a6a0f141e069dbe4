"""Need by the encoder: each span is read against the instructions that it serves."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from privguard.core.plan import Need
from privguard.core.segments import Role, Segment
from privguard.core.spans import Span

if TYPE_CHECKING:
    from privguard.encoder.encoder import Encoded, TokenEncoder
    from privguard.encoder.interaction import Asked, Place, SpanScore

_CAPACITY = 40_000  # remembered scores; a score takes about 300 bytes

_Pair = tuple[bytes, bytes, bool]  # text, instruction, and whether the one belongs to the other


class EncoderNeedModel:
    """Estimate need with the shipped network. Thread-safe.

    A span serves the instruction of its own user turn and those of all later turns, and takes the largest difficulty
    among them: what an earlier turn has disclosed stays disclosed. Adjacent user segments are one turn. Only the user's
    words are read as an instruction, the system's where there are none, else the longest text: a tool result cannot
    raise the need of anything.
    """

    def __init__(self, encoder: "TokenEncoder") -> None:
        """Take an open encoder, to be shared with the detector: both together cost one pass."""
        self._encoder = encoder
        self._memory = _ScoreMemory(_CAPACITY)

    @property
    def id(self) -> str:
        """Return name, version and hash of the artifact."""
        return f"encoder:{self._encoder.id}"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        """Return one `Need` per span, in the shape of `spans`.

        Raises:
            DetectionError: the network failed.
        """
        from privguard.encoder.interaction import Asked, Place
        from privguard.encoder.labels import TAG_OF

        first, turns = find_turns(segments)
        order = sorted({number for turn in turns for number in turn} | {n for n, row in enumerate(spans) if row})
        texts = dict(zip(order, self._encoder.encode([segments[number].text for number in order]), strict=True))
        places = {
            number: [Place(span.start, span.end, TAG_OF[span.kind]) for span in row]
            for number, row in enumerate(spans)
            if row
        }
        best: dict[int, list[SpanScore]] = {}
        for number_of_turn, members in enumerate(turns):
            turn = _Turn(members=frozenset(members), texts=[texts[number] for number in members])
            served = [number for number in places if first[number] <= number_of_turn]
            asked = [Asked(text=texts[number], places=places[number], own=number in turn.members) for number in served]
            for number, scores in zip(served, self._scores(turn, asked), strict=True):
                best[number] = _largest(best[number], scores) if number in best else scores
        slope = self._encoder.artifact.manifest.need.slope
        return tuple(tuple(_need(score, slope) for score in best.get(number, ())) for number in range(len(segments)))

    def _scores(self, turn: "_Turn", asked: "Sequence[Asked]") -> "list[list[SpanScore]]":
        """Return what a turn says of the spans of each text; only what is new is computed."""
        from privguard.encoder.interaction import read_instruction, score_spans

        pairs: list[_Pair] = [(row.text.mark, turn.mark, row.own) for row in asked]
        known = [self._memory.get(pair, row.places) for pair, row in zip(pairs, asked, strict=True)]
        missing = [
            replace(row, places=[place for place in row.places if place not in scores])
            for row, scores in zip(asked, known, strict=True)
        ]
        if any(row.places for row in missing):
            head = self._encoder.need_head
            fresh = score_spans(head, missing, read_instruction(head, turn.texts))
            for pair, row, scores, new in zip(pairs, missing, known, fresh, strict=True):
                if new:
                    added = dict(zip(row.places, new, strict=True))
                    self._memory.put(pair, added)
                    scores.update(added)
        return [[scores[place] for place in row.places] for row, scores in zip(asked, known, strict=True)]


@dataclass(frozen=True, kw_only=True)
class _Turn:
    """One instruction: the segments that it is made of."""

    members: frozenset[int]
    texts: "Sequence[Encoded]" = field(repr=False)

    @cached_property
    def mark(self) -> bytes:
        """Return the hash of its texts."""
        return hashlib.blake2b(b"".join(text.mark for text in self.texts), digest_size=20).digest()


def find_turns(segments: Sequence[Segment]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the first turn that each segment serves, and the segments of each turn.

    A text before the first user turn serves all of them, one after the last serves the last. Where nobody speaks as the
    user there is one turn, and all segments serve it.
    """
    turns: list[list[int]] = []
    first: list[int] = []
    speaking = False
    for number, segment in enumerate(segments):
        if segment.role is Role.USER:
            if not speaking:
                turns.append([])
            turns[-1].append(number)
        speaking = segment.role is Role.USER
        first.append(max(len(turns) - 1, 0))
    if not turns and segments:
        system = [number for number, segment in enumerate(segments) if segment.role is Role.SYSTEM]
        turns = [system or [max(range(len(segments)), key=lambda number: len(segments[number].text))]]
    return first, [tuple(turn) for turn in turns]


class _ScoreMemory:
    """Scores by text, instruction and span, the least recently used pair forgotten first. Marks and numbers alone."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._pairs: OrderedDict[_Pair, dict[Place, SpanScore]] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

    def get(self, pair: _Pair, places: "Sequence[Place]") -> "dict[Place, SpanScore]":
        with self._lock:
            found = self._pairs.get(pair)
            if found is None:
                return {}
            self._pairs.move_to_end(pair)
            return {place: found[place] for place in places if place in found}

    def put(self, pair: _Pair, scores: "Mapping[Place, SpanScore]") -> None:
        with self._lock:
            kept = self._pairs.setdefault(pair, {})
            self._pairs.move_to_end(pair)
            before = len(kept)
            kept.update(scores)
            self._count += len(kept) - before
            while self._count > self._capacity:
                self._count -= len(self._pairs.popitem(last=False)[1])


def _largest(old: "Sequence[SpanScore]", new: "Sequence[SpanScore]") -> "list[SpanScore]":
    return [type(a)(*map(max, a, b)) for a, b in zip(old, new, strict=True)]


def _need(score: "SpanScore", slope: float) -> Need:
    return Need(b_redact=score.b_redact, b_abstract=score.b_abstract, slope=slope, p_public=score.p_public)
