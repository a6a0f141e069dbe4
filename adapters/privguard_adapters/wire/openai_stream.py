"""Restore a streamed reply of the chat and completions routes, event by event.

Every text of every choice has a stream of R of its own. What R holds back comes out with the next delta of the same
text, whatever comes in between; before the choice's `finish_reason` and before the end of the stream it is flushed, in
an extra chunk where the one at hand has no place for it. So the deltas of each text always add up to what that text
alone gives, and the SDK's own accumulators see them in order. Untouched events pass byte for byte.
"""

from privguard.core.json_leaves import Document
from privguard_adapters.wire.deltas import bare_index
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.framed import FramedEvents
from privguard_adapters.wire.openai_chunk import Chunk
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.sse import Frame, with_data
from privguard_adapters.wire.streamed import StreamedChoice, extra_event, flush


class EventStream(FramedEvents):
    """The bytes of a streamed reply, restored."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        super().__init__(exchange)
        self._rules = rules
        self._tools = rules.tools(exchange.profile)
        self._choices: dict[str, StreamedChoice] = {}

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete, or that each of its choices is."""
        finished = sum(choice.finished for choice in self._choices.values())
        return self._complete or finished >= max(self._rules.choices, len(self._choices), 1)

    def _read(self, frame: Frame, document: Document) -> bytes:
        chunk = Chunk(document, self._exchange, self._rules, self._tools)
        before = b""
        for number in chunk.choice_numbers():
            index = chunk.raw(("choices", number, "index")) or str(number)
            choice = self._choices.setdefault(bare_index(index), StreamedChoice(index=index))
            choice.head = chunk.head()
            before += b"".join([extra_event(choice, text, tail) for text, tail in chunk.restore_choice(number, choice)])
        chunk.restore_rest()
        written = with_data(frame, chunk.text()) if chunk.changed else frame.raw
        is_error = frame.event == "error" or chunk.is_error()
        self._failed |= is_error
        if is_error and not chunk.choice_numbers() and self._holds():
            # The end, most often, and who reads it reads no further; but a server may go on in the midst of a value.
            self._failure.append(lambda: written)
            return b""
        return before + written

    def _holds(self) -> bool:
        return any(text.holds for choice in self._choices.values() for text in choice.texts.values())

    def _close_all(self) -> bytes:
        frames = []
        for choice in self._choices.values():
            for text in choice.texts.values():
                tail = flush(choice, text, self._tools)
                if tail:
                    frames.append(extra_event(choice, text, tail))
            choice.texts.clear()
        return b"".join(frames)
