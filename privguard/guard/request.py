"""One request between finding and writing."""

from collections.abc import Sequence
from dataclasses import dataclass

from privguard.core.plan import Choice
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard.entities import Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request with its spans grouped and its actions chosen."""

    segments: Sequence[Segment]
    spans: Sequence[Sequence[Span]]
    entities: Sequence[Entity]
    choices: Sequence[Choice]  # one per entity
