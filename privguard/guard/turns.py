"""The messages of a request, in the order in which a conversation grows."""

from collections.abc import Sequence
from typing import NamedTuple

from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Role, Segment
from privguard.core.spans import Span

_MESSAGE = lazy_pattern(r"\w+\[\d+\]")  # what the path of everything in one message begins with
_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT, Role.TOOL})


class Place(NamedTuple):
    """Where a span stands."""

    segment: int  # index into the segments
    place: int  # index into the spans of that segment


def turns_of(segments: Sequence[Segment]) -> tuple[tuple[int, ...], ...]:
    """Return the indices of the segments, message by message; what has no speaker stands before all messages.

    Tool definitions and metadata do not move when a message is added behind the last one, wherever they are written.
    """
    apart: list[int] = []
    turns: list[list[int]] = []
    last: tuple[str, Role] | None = None
    for index, segment in enumerate(segments):
        if segment.role is Role.OTHER:
            apart.append(index)
            continue
        message = _MESSAGE.match(segment.path)
        mark = (message[0] if message else "", segment.role)
        if mark != last:
            turns.append([])
            last = mark
        turns[-1].append(index)
    return tuple(tuple(turn) for turn in ([apart, *turns] if apart else turns))


def words_begun(segments: Sequence[Segment]) -> str:
    """Return the text of the model that ends a request, "" where another speaker does: a reply may go on in it."""
    last = next((each for each in reversed(segments) if each.role in _SPEAKERS), None)
    if last is None or last.role is not Role.ASSISTANT:
        return ""
    return last.text if last.written is None else last.written.string


def places_of(
    turns: Sequence[Sequence[int]], rows: Sequence[Sequence[Span]], since: Sequence[Sequence[int]]
) -> tuple[tuple[Place, ...], ...]:
    """Return the spans that came to be known with each message, in the order in which they stand.

    Args:
        turns: the indices of the segments, message by message.
        rows: the spans of each segment, in any order.
        since: the number of the message with which each of them came to be known.
    """
    known: list[list[Place]] = [[] for _ in turns]
    for turn in turns:
        for segment in turn:
            row = rows[segment]
            for place in sorted(range(len(row)), key=lambda place: row[place].start):
                known[since[segment][place]].append(Place(segment, place))
    return tuple(map(tuple, known))
