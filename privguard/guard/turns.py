"""The messages of a request, in the order in which a conversation grows."""

import re
from collections.abc import Sequence

from privguard.core.segments import Role, Segment

_MESSAGE = re.compile(r"\w+\[\d+\]")  # what the path of everything in one message begins with


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
