"""The frames of a streamed reply in their order: what is held back, and what may be the last event."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from privguard.core.json_leaves import Document
from privguard.core.segments import Channel
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.reply import read_reply, restore_unread
from privguard_adapters.wire.sse import Frame, SseParser, with_data, with_end


class FramedEvents(ABC):
    """The bytes of a streamed reply, restored; what an event is, and what is held back, is the API's own."""

    def __init__(self, exchange: Restoring) -> None:
        self._exchange = exchange
        self._parser = SseParser()
        # What writes what may be the last event: it comes, and is numbered, behind what is held back.
        self._failure: list[Callable[[], bytes]] = []
        self._complete = self._failed = self._has_ended = False

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete."""
        return self._complete

    @property
    def failed(self) -> bool:
        """Tell whether an event of the reply said that it failed."""
        return self._failed

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored bytes of all events that the chunk completes."""
        return b"".join([self._frame(frame) for frame in self._parser.feed(chunk)])

    def end(self) -> bytes:
        """Return what is left at the end of the stream."""
        self._has_ended = True
        frames = self._parser.end()  # what the stream ends within, if it does
        rest = b"".join(map(self._frame, frames))
        tails, failure = self._last(), self._told()  # in this order, in which they are numbered
        if not all(map(_is_whole, frames)):
            return tails + failure + rest  # the last still, and broken off: nothing is read as the rest of it
        if rest and (tails or rest != frames[0].raw):
            rest = with_end(rest)  # clients read no event without its blank line, and here stands what was held back
        return rest + tails + failure

    def cut_off(self) -> bytes:
        """Return what was held back where the stream breaks off."""
        self._has_ended = True
        return self._last() + self._told()

    @abstractmethod
    def _read(self, frame: Frame, document: Document) -> bytes:
        """Return what goes out for an event."""

    @abstractmethod
    def _close_all(self) -> bytes:
        """Return the events that carry what is held back of all texts, which end."""

    def _last(self) -> bytes:
        """Return the events that carry what is held back when the stream ends."""
        return self._close_all()

    def _frame(self, frame: Frame) -> bytes:
        if frame.data is None:
            if not self._failure:
                return frame.raw
            self._failure.append(lambda: frame.raw)
            return b""
        if frame.data.startswith("[DONE]"):
            self._complete = True
            return self._close_all() + self._told() + frame.raw
        return self._told() + self._event(frame, frame.data)

    def _told(self) -> bytes:
        """Write what waited behind what is held back."""
        written = b"".join([write() for write in self._failure])
        self._failure.clear()
        return written

    def _event(self, frame: Frame, data: str) -> bytes:
        document = read_reply(data)
        if document is None:
            restored = restore_unread(data, self._exchange, "event", Channel.JSON)
            return frame.raw if restored == data else with_data(frame, restored)
        return self._read(frame, document)


def _is_whole(frame: Frame) -> bool:
    """Tell whether all data of an event has come."""
    if not frame.is_cut:
        return True
    return frame.data is not None and (frame.data.startswith("[DONE]") or read_reply(frame.data) is not None)
