"""What a scripted model says: the content of one choice of a reply."""

from collections.abc import Callable
from dataclasses import dataclass

from privguard.testing.recorded import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One tool call of a reply."""

    name: str
    arguments: str  # a JSON document; free text for a custom tool
    custom: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The content of one choice of a reply."""

    text: str | None = None
    tools: tuple[ToolUse, ...] = ()
    refusal: str | None = None
    thinking: str | None = None  # in front of the text: signed, or the summary of a reasoning item


Speaker = Callable[[Recorded], Said]
