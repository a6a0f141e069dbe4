"""How the replies of an API are restored: whole, and event by event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules, restore_reply


class Events(Protocol):
    """The bytes of a streamed reply, restored."""

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete."""
        ...

    @property
    def failed(self) -> bool:
        """Tell whether the reply said that it failed."""
        ...

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored bytes of all events that the chunk completes."""
        ...

    def end(self) -> bytes:
        """Return what is left at the end of the stream."""
        ...

    def cut_off(self) -> bytes:
        """Return what was held back where the stream breaks off: whole events, and nothing of one that is not."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """How the replies of one route are restored."""

    whole: Callable[[str, Restoring, ReplyRules], str] = restore_reply
    events: Callable[[Restoring, ReplyRules], Events] = EventStream
    sniffs: bool = True  # whether a stream that is not declared as events may be a whole
    tells_end: bool = True  # whether a stream says that it is complete


CHAT_REPLIES = Replies()
