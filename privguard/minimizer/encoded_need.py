"""Need by the encoder: each span is read against the instructions that it serves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privguard.core.plan import Need
from privguard.core.segments import Role, Segment
from privguard.core.spans import Span
from privguard.minimizer.need_table import TableNeedModel

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder

_NO_NEED = -9.0  # logits
_SENTENCE = 5  # words


class EncoderNeedModel:
    """Estimate need with the shipped network. Thread-safe.

    A span serves the instruction of its own user turn and those of all later turns, and takes the largest difficulty
    among them: what an earlier turn has disclosed stays disclosed. Adjacent user segments are one turn. Only the user's
    words are read as an instruction, the system's where there are none, else the longest text: a tool result cannot
    raise the need of anything, nor can values by themselves. Where nothing is asked the table of types speaks. What
    stands beside the conversation, such as metadata, has no need: the answer is not about it.
    """

    def __init__(self, encoder: "TokenEncoder") -> None:
        """Take an open encoder, to be shared with the detector: both together cost one pass."""
        from privguard.encoder.history import History

        self._encoder = encoder
        self._history = History(encoder.need_head)
        self._table = TableNeedModel()

    @property
    def id(self) -> str:
        """Return name, version and hash of the artifact."""
        return f"encoder:{self._encoder.id}"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        """Return one `Need` per span, in the shape of `spans`.

        Raises:
            DetectionError: the network failed.
        """
        from privguard.encoder.history import Served, places_of

        first, turns = find_turns(segments, spans)
        if not turns:
            return self._table.need(segments, spans)
        speaking = {number for turn in turns for number in turn}
        talk = any(segment.role is not Role.OTHER for segment in segments)
        asked = [n for n, row in enumerate(spans) if row and not (talk and segments[n].role is Role.OTHER)]
        order = sorted(speaking.union(asked))
        texts = dict(zip(order, self._encoder.encode([segments[number].text for number in order]), strict=True))
        rows = [
            Served(
                text=texts[number],
                places=places_of(spans[number]),
                first=first[number],
                own=number in speaking,
            )
            for number in asked
        ]
        scores = self._history.largest([[texts[number] for number in turn] for turn in turns], rows)
        slope = self._encoder.artifact.manifest.need.slope
        none = Need(b_redact=_NO_NEED, b_abstract=_NO_NEED, slope=slope, p_public=0.0)
        needs: list[tuple[Need, ...]] = [(none,) * len(row) for row in spans]
        for number, table in zip(asked, scores, strict=True):
            needs[number] = tuple(
                Need(b_redact=redact, b_abstract=abstract, slope=slope, p_public=public)
                for redact, abstract, public in table.tolist()
            )
        return tuple(needs)


def find_turns(
    segments: Sequence[Segment], spans: Sequence[Sequence[Span]] = ()
) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the first turn that each segment serves, and the segments of each turn that ask for something.

    A text before the first user turn serves all of them, one after the last serves the last. Where nobody speaks as the
    user there is one turn, and all segments serve it. A turn that brings nothing but values goes on with what was asked
    before: by the turn before it, or else by the system. Where nothing was asked there is no turn.
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
    system = [number for number, segment in enumerate(segments) if segment.role is Role.SYSTEM]
    if not turns:
        longest = [max(range(len(segments)), key=lambda number: len(segments[number].text))] if segments else []
        return first, [tuple(system or longest)] if segments else []
    asking: list[tuple[int, ...]] = []
    place: list[int] = []
    for turn in turns:
        asked = [number for number in turn if _asks(segments[number], spans[number] if spans else ())]
        if asked or (system and not asking):
            asking.append(tuple(asked or system))
        place.append(max(len(asking) - 1, 0))
    return [place[turn] for turn in first], asking


def _asks(segment: Segment, spans: Sequence[Span]) -> bool:
    """Tell whether a text may ask for something: not a value alone, nor one of a JSON document but for a sentence."""
    if segment.written is not None and segment.written.in_document:
        return len(segment.text.split()) >= _SENTENCE
    return all(len(segment.text.strip()) > span.end - span.start for span in spans)
