"""Need by the encoder: each span is read against the instructions that it serves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privguard.core.plan import Need
from privguard.core.segments import Role, Segment
from privguard.core.spans import Span

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder


class EncoderNeedModel:
    """Estimate need with the shipped network. Thread-safe.

    A span serves the instruction of its own user turn and those of all later turns, and takes the largest difficulty
    among them: what an earlier turn has disclosed stays disclosed. Adjacent user segments are one turn. Only the user's
    words are read as an instruction, the system's where there are none, else the longest text: a tool result cannot
    raise the need of anything.
    """

    def __init__(self, encoder: "TokenEncoder") -> None:
        """Take an open encoder, to be shared with the detector: both together cost one pass."""
        from privguard.encoder.history import History

        self._encoder = encoder
        self._history = History(encoder.need_head)

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

        first, turns = find_turns(segments)
        speaking = {number for turn in turns for number in turn}
        asked = [number for number, row in enumerate(spans) if row]
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
        needs: list[tuple[Need, ...]] = [()] * len(segments)
        for number, table in zip(asked, scores, strict=True):
            needs[number] = tuple(
                Need(b_redact=redact, b_abstract=abstract, slope=slope, p_public=public)
                for redact, abstract, public in table.tolist()
            )
        return tuple(needs)


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
