"""Who has said what: the people, the model and the tools of the conversation, or the application around it.

What only the application has written, in system messages and tool definitions, is not the user's to read. The arguments
of an earlier tool call are no part of what was said either: they may hold values that the application's text has.
"""

from collections.abc import Sequence

from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Role, Segment
from privguard.guard.entities import Entity
from privguard.guard.request import Request

_TOOL_CALL = lazy_pattern(
    r"\w+\[\d+\]\.(?:tool_calls|function_call|content\[\d+\]\.input|arguments|input|actions?|operation|code)\b"
)


def is_said(segment: Segment) -> bool:
    """Tell whether the user may read a segment: it was said in the conversation, or describes the reply."""
    match segment.role:
        case Role.SYSTEM:
            return False
        case Role.OTHER:
            return segment.expected
        case Role.ASSISTANT:
            return _TOOL_CALL.match(segment.path) is None
        case Role.USER | Role.TOOL:
            return True


def unsaid_forms(request: Request, entity: Entity, said: Sequence[bool]) -> frozenset[str]:
    """Return the forms of an entity, "" the plain one, whose spelling stands in nothing that was said.

    Args:
        request: the texts.
        entity: one of its entities.
        said: whether each of the texts was said.
    """
    if all(said[mention.segment] for mention in entity.mentions):
        return frozenset()
    spelled = set()
    for mention in entity.mentions:
        if said[mention.segment]:
            span = request.spans[mention.segment][mention.place]
            spelled.add(request.segments[mention.segment].text[span.start : span.end])
    spellings = (("", entity.surface), *entity.forms)
    return frozenset([form for form, spelling in spellings if spelling not in spelled])
