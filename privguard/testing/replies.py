"""What the scripted server says, and how it puts it on the wire."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from privguard.testing.mangling import Mangle
from privguard.testing.said import Speaker
from privguard.testing.speakers import assist


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted reply: what is said, how it is spoiled, and how the bytes travel."""

    speak: Speaker | tuple[Speaker, ...] = assist  # with several, choice i is spoken by the i-th, in turn
    mangle: Mangle = Mangle.NONE
    annotate: bool = False  # a citation of the first placeholder (of a document, in the Messages API), with its indices
    truncate: bool = False  # finish_reason "length", cut inside the last placeholder
    delta_every: int = 4  # characters in one delta of a stream
    delta_cuts: tuple[int, ...] = ()  # where to cut the deltas instead, in characters
    done: bool = True  # whether a stream ends with [DONE], or with message_stop
    status: int = 200  # any other is an error, with a body as the API has it
    fail_after: int | None = None  # after this many events a stream says that it failed, quotes the request, and ends
    retry_after_s: float | None = None
    malformed: bool = False  # the body, or the second event of a stream, is cut inside its JSON
    content_type: str | None = None  # None: the right one
    encoding: str = ""  # "gzip" or "deflate"
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    cut_every: int = 0  # bytes that travel together; 0: one event of a stream, or the whole body
    cuts: tuple[int, ...] = ()  # where to cut the bytes instead
    drop_after: int | None = None  # drop the connection after this many bytes of the body
    end_after: int | None = None  # end the body there as if it were whole, as a proxy may that gives up on a stream
    hold: threading.Event | None = None  # wait for it before everything but the first piece

    @classmethod
    def rate_limited(cls, retry_after_s: float = 0.001) -> "Reply":
        """Make a 429 that asks the client to come again."""
        return cls(status=429, retry_after_s=retry_after_s)

    def speaker(self, choice: int) -> Speaker:
        """Return who speaks for a choice."""
        return self.speak[choice % len(self.speak)] if isinstance(self.speak, tuple) else self.speak


def cut_at(text: str, cuts: tuple[int, ...]) -> list[str]:
    """Cut at positions; those outside the text are ignored and the pieces are never empty."""
    inside = sorted({cut for cut in cuts if 0 < cut < len(text)})
    return [text[start:end] for start, end in zip([0, *inside], [*inside, len(text)], strict=True) if start < end]


def cut_by(text: str, size: int) -> list[str]:
    """Cut into pieces of one size."""
    return [text[start : start + size] for start in range(0, len(text), size)]
