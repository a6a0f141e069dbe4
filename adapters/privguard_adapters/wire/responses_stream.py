"""Restore a streamed reply of the Responses API, event by event.

Every text has a stream of R of its own, told from the others by the indices that its events give. What R holds back
comes out with the next delta of the same text, or in an extra delta right before the event that ends it. The events
that repeat texts in full get what their deltas became. Numbers of events stay unique and rising: an extra event takes
the next one, and all that follow move on. That depends on the events alone, so a stream that is asked for again has the
same numbers.
"""

from privguard.core.json_leaves import Document
from privguard.core.segments import Channel
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.reply import ReplyRules, read_reply, restore_unread
from privguard_adapters.wire.responses_event import Event
from privguard_adapters.wire.responses_open import OpenTexts
from privguard_adapters.wire.sse import Frame, SseParser, with_data, with_end

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_STARTS = frozenset({"response.created", "response.queued", "response.in_progress"})


class ResponseEvents:
    """The bytes of a streamed reply, restored."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        self._exchange, self._rules = exchange, rules
        self._open = OpenTexts(exchange, rules)
        self._parser = SseParser()
        self._failure: list[bytes] = []  # what may be the last event, which comes behind what is held back
        self._is_bound = False
        self._complete = False

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete."""
        return self._complete

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored bytes of all events that the chunk completes."""
        return b"".join([self._frame(frame) for frame in self._parser.feed(chunk)])

    def end(self) -> bytes:
        """Return what is left at the end of the stream."""
        frames = self._parser.end()  # what the stream ends within, if it does
        rest = b"".join(map(self._frame, frames))
        # Who may ask for the rest again gets it then: a tail would take the number of an event that is still to come.
        tails = b"" if self._rules.resumes and not self._complete else self._open.close_all()
        failure = b"".join(self._failure)
        if not all(map(_is_whole, frames)):
            return tails + failure + rest  # the last still, and broken off: nothing is read as the rest of it
        if rest and (tails or rest != frames[0].raw):
            rest = with_end(rest)  # clients read no event without its blank line, and here stands what was held back
        return rest + tails + failure

    def _frame(self, frame: Frame) -> bytes:
        if frame.data is None:
            if not self._failure:
                return frame.raw
            self._failure.append(frame.raw)
            return b""
        failure = b"".join(self._failure)
        self._failure.clear()
        if frame.data.startswith("[DONE]"):
            self._complete = True
            return self._open.close_all() + failure + frame.raw
        return failure + self._event(frame, frame.data)

    def _event(self, frame: Frame, data: str) -> bytes:
        document = read_reply(data)
        if document is None:
            restored = restore_unread(data, self._exchange, "event", Channel.JSON)
            return frame.raw if restored == data else with_data(frame, restored)
        return self._read(frame, document)

    def _read(self, frame: Frame, document: Document) -> bytes:
        event = Event(frame, document, self._open)
        if event.kind in _STARTS or event.kind in _ENDS:
            self._open.texts.learn(event.places)
            self._bind(event.places.of_response("id"))
        before = event.run(closes_all=event.kind in _ENDS)
        if event.kind == "error" and self._open.holds:
            # The end, most often, and who reads it reads no further; but a server may go on in the midst of a value.
            self._failure.append(event.written())
            return b""
        self._complete |= event.kind in _ENDS or event.kind == "error"
        return before + (b"" if self._open.is_old else event.written())

    def _bind(self, response_id: str) -> None:
        if response_id and not self._is_bound:
            self._is_bound = True
            self._rules.bind(response_id)


def _is_whole(frame: Frame) -> bool:
    """Tell whether all data of an event has come."""
    if not frame.is_cut:
        return True
    return frame.data is not None and (frame.data.startswith("[DONE]") or read_reply(frame.data) is not None)
