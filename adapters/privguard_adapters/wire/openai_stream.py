"""Restore a streamed reply of the chat and completions routes, event by event.

Every text of every choice has a stream of R of its own. What R holds back comes out with the next delta of the same
text, whatever comes in between; before the choice's `finish_reason` and before the end of the stream it is flushed, in
an extra chunk where the one at hand has no place for it. So the deltas of each text always add up to what that text
alone gives, and the SDK's own accumulators see them in order. Untouched events pass byte for byte.
"""

from privguard.core.json_leaves import Document
from privguard.core.segments import Channel
from privguard_adapters.wire.deltas import bare_index
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.openai_chunk import Chunk
from privguard_adapters.wire.reply import ReplyRules, read_reply, restore_unread
from privguard_adapters.wire.sse import Frame, SseParser, with_data, with_end
from privguard_adapters.wire.streamed import StreamedChoice, extra_event, flush


class EventStream:
    """The bytes of a streamed reply, restored."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        self._exchange, self._rules = exchange, rules
        self._tools = rules.tools(exchange.profile)
        self._parser = SseParser()
        self._choices: dict[str, StreamedChoice] = {}
        self._failure: list[bytes] = []  # what may be the last event, which comes behind what is held back
        self._complete = False

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete, or that each of its choices is."""
        finished = sum(choice.finished for choice in self._choices.values())
        return self._complete or finished >= max(self._rules.choices, len(self._choices), 1)

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored bytes of all events that the chunk completes."""
        return b"".join([self._frame(frame) for frame in self._parser.feed(chunk)])

    def end(self) -> bytes:
        """Return what is left at the end of the stream."""
        frames = self._parser.end()  # what the stream ends within, if it does
        rest = b"".join(map(self._frame, frames))
        tails, failure = self._flush_all(), b"".join(self._failure)
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
            return self._flush_all() + failure + frame.raw
        return failure + self._event(frame, frame.data)

    def _event(self, frame: Frame, data: str) -> bytes:
        document = read_reply(data)
        if document is None:
            restored = restore_unread(data, self._exchange, "event", Channel.JSON)
            return frame.raw if restored == data else with_data(frame, restored)
        return self._chunk(frame, document)

    def _chunk(self, frame: Frame, document: Document) -> bytes:
        chunk = Chunk(document, self._exchange, self._rules, self._tools)
        before = b""
        for number in chunk.choice_numbers():
            index = chunk.raw(("choices", number, "index")) or str(number)
            choice = self._choices.setdefault(bare_index(index), StreamedChoice(index=index))
            choice.head = chunk.head()
            before += b"".join([extra_event(choice, text, tail) for text, tail in chunk.restore_choice(number, choice)])
        chunk.restore_rest()
        written = with_data(frame, chunk.text()) if chunk.changed else frame.raw
        if not chunk.choice_numbers() and (frame.event == "error" or chunk.is_error()) and self._holds():
            # The end, most often, and who reads it reads no further; but a server may go on in the midst of a value.
            self._failure.append(written)
            return b""
        return before + written

    def _holds(self) -> bool:
        return any(text.holds for choice in self._choices.values() for text in choice.texts.values())

    def _flush_all(self) -> bytes:
        frames = []
        for choice in self._choices.values():
            for text in choice.texts.values():
                tail = flush(choice, text, self._tools)
                if tail:
                    frames.append(extra_event(choice, text, tail))
            choice.texts.clear()
        return b"".join(frames)


def _is_whole(frame: Frame) -> bool:
    """Tell whether all data of an event has come."""
    if not frame.is_cut:
        return True
    return frame.data is not None and (frame.data.startswith("[DONE]") or read_reply(frame.data) is not None)
