"""Restore a streamed reply of the Responses API, event by event.

Every text has a stream of R of its own, told from the others by the indices that its events give. What R holds back
comes out with the next delta of the same text, or in an extra delta right before the event that ends it. The events
that repeat texts in full get what their deltas became. Numbers of events stay unique and rising: an extra event takes
the next one, and all that follow move on. That depends on the events alone, so a stream that is asked for again has the
same numbers.
"""

from functools import partial

from privguard.core.json_leaves import Document
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.framed import FramedEvents
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_event import Event
from privguard_adapters.wire.responses_open import OpenTexts
from privguard_adapters.wire.sse import Frame

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_STARTS = frozenset({"response.created", "response.queued", "response.in_progress"})


class ResponseEvents(FramedEvents):
    """The bytes of a streamed reply, restored."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        super().__init__(exchange)
        self._rules = rules
        self._open = OpenTexts(exchange, rules)
        self._is_bound = False

    def _close_all(self) -> bytes:
        return self._open.close_all()

    def _last(self) -> bytes:
        # Who may ask for the rest again gets it then: a tail would take the number of an event that is still to come.
        return b"" if self._rules.resumes and not self._complete else self._close_all()

    def _read(self, frame: Frame, document: Document) -> bytes:
        event = Event(frame, document, self._open)
        if event.kind in _STARTS or event.kind in _ENDS:
            self._open.texts.learn(event.places)
            self._bind(event.places.of_response("id"))
        before = event.run(closes_all=event.kind in _ENDS)
        self._failed |= event.kind == "error"
        if event.kind == "error" and self._open.holds:
            # The end, most often, and who reads it reads no further; but a server may go on in the midst of a value.
            self._failure.append(partial(self._written, event))
            return b""
        self._complete |= event.kind in _ENDS
        return before + self._written(event)

    def _written(self, event: Event) -> bytes:
        """Number an event and write it, unless the caller has it."""
        event.number()
        return b"" if self._open.is_old else event.written()

    def _bind(self, response_id: str) -> None:
        if response_id and not self._is_bound:
            self._is_bound = True
            self._rules.bind(response_id)
