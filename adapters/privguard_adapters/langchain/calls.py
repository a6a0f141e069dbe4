"""One call of a chat model: what of it is sent, and how its reply comes back, whole or piece by piece."""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from privguard_adapters.call import Call
from privguard_adapters.handover import restore_beside_loop
from privguard_adapters.langchain.asked import HEADERS, Asked
from privguard_adapters.langchain.messages import (
    PARSED,
    extra_chunk,
    is_last,
    message_of,
    rebuilt,
    reply_fields,
    to_be_sent,
)
from privguard_adapters.langchain.seam import EVENTS, WHOLE, Value, restored, sent_headers, written
from privguard_adapters.pulling import pull, pull_awaited
from privguard_adapters.wire.langchain_messages import dump, load
from privguard_adapters.wire.langchain_replies import ChunkCodec, ReplyCodec
from privguard_adapters.wire.langchain_requests import ChatRequest
from privguard_adapters.wire.langchain_values import Values
from privguard_adapters.wire.sse import SseParser, write_frame


class ChatCall:
    """A call that may be made: what is sent, and its reply."""

    def __init__(self, call: Call, asked: Asked, request: ChatRequest) -> None:
        self.call = call
        self._output = asked.output
        new = written(call, lambda: request.written(call.request.body))
        added: list[BaseMessage | None] = [None] * (len(new.messages) - len(asked.messages))
        given = [*added, *map(to_be_sent, asked.messages)]
        self.messages = [message_of(old, fields) for old, fields in zip(given, new.messages, strict=True)]
        options = dict(new.options)
        self.stop: list[str] | None = options.pop("stop") if asked.stop is not None else None
        self.options = {**options, **asked.aside}
        if HEADERS in asked.aside:
            self.options[HEADERS] = sent_headers(call, asked.aside[HEADERS] or {})

    def whole(self, result: ChatResult) -> ChatResult:
        """Restore a whole reply.

        Raises:
            RestoreError: it could not be restored.
        """
        self.call.receive(200, WHOLE)
        for generation in result.generations:
            self.unparse(generation)
        shown = restored(lambda: [reply_fields(generation) for generation in result.generations])
        codec = ReplyCodec(thinks=self.call.is_slow)
        body = restored(lambda: _reply_body(codec, shown, result.llm_output))
        back = self.call.whole(body)
        if back != body:
            result = restored(lambda: _woven(codec, result, shown, load(back)))
        for generation in result.generations:
            generation.message.additional_kwargs |= self.parsed(generation.message.text)
        return result

    def unparse(self, generation: ChatGeneration) -> None:
        """Drop what was parsed from placeholders, where the reply is parsed again."""
        if self._output is not None:
            restored(lambda: generation.message.additional_kwargs.pop(PARSED, None))

    def parsed(self, text: str) -> dict[str, Value]:
        """Return what the reply is as an object of the class that was asked for."""
        if self._output is None or not text.strip():
            return {}
        output: Any = self._output
        return {PARSED: output.model_validate_json(text)}


class ChatStream:
    """The pieces of a streamed reply, restored."""

    def __init__(self, chat: ChatCall) -> None:
        self._chat, self._parser = chat, SseParser()
        self._codec = ChunkCodec(thinks=chat.call.is_slow)
        self._last: ChatGenerationChunk | None = None
        self._texts: list[str] = []
        chat.call.receive(200, EVENTS)

    def frame(self, chunk: ChatGenerationChunk) -> bytes:
        """Write a piece as the event that the call is fed with."""
        self._chat.unparse(chunk)
        return restored(lambda: self._frame(chunk))

    def read(self, chunk: ChatGenerationChunk, frame: bytes, back: bytes) -> list[ChatGenerationChunk]:
        """Return the pieces that the caller gets for one, by what the call gave back for its event."""
        self._last = chunk
        pieces = [chunk] if back == frame else restored(lambda: self._read(chunk, back))
        self._texts += [piece.text for piece in pieces]
        return pieces

    def rest(self, back: bytes) -> list[ChatGenerationChunk]:
        """Return the pieces that come at the end."""
        pieces = self.held(back)
        parsed = self._chat.parsed("".join([*self._texts, *[piece.text for piece in pieces]]))
        if parsed and self._last is not None:
            pieces.append(extra_chunk(self._last, {"content": "", "additional_kwargs": parsed}))
        return pieces

    def held(self, back: bytes) -> list[ChatGenerationChunk]:
        """Return the pieces that carry what was held back."""
        last = self._last
        if last is None:
            return []
        return restored(lambda: [extra_chunk(last, self._codec.tail(load(data))) for data in self._data(back)])

    def _frame(self, chunk: ChatGenerationChunk) -> bytes:
        fields, info, has = reply_fields(chunk)
        return write_frame(dump(self._codec.show(fields, info, logprobs=has, is_last=is_last(chunk))).decode())

    def _read(self, chunk: ChatGenerationChunk, back: bytes) -> list[ChatGenerationChunk]:
        *extras, own = map(load, self._data(back))
        fields, info, keeps = self._codec.weave(*reply_fields(chunk)[:2], own)
        pieces = [extra_chunk(chunk, self._codec.tail(each)) for each in extras]
        return [*pieces, rebuilt(chunk, fields, info, keeps_logprobs=keeps)]

    def _data(self, back: bytes) -> list[str]:
        return [frame.data for frame in self._parser.feed(back) if frame.data is not None]


def iterated(chunks: Iterator[ChatGenerationChunk], stream: ChatStream, call: Call) -> Iterator[ChatGenerationChunk]:
    """Yield the restored pieces of a stream; where it breaks off, what was held back, before its error."""
    while (pulled := pull(chunks)).piece is not None:
        frame = stream.frame(pulled.piece)
        yield from stream.read(pulled.piece, frame, call.feed(frame))
    if pulled.failure is not None:
        yield from stream.held(call.cut_off())
        raise pulled.failure
    yield from stream.rest(call.end())


async def aiterated(
    chunks: AsyncIterator[ChatGenerationChunk], stream: ChatStream, call: Call
) -> AsyncIterator[ChatGenerationChunk]:
    """Yield the restored pieces of a stream; where it breaks off, what was held back, before its error."""
    while (pulled := await pull_awaited(chunks)).piece is not None:
        frame = stream.frame(pulled.piece)
        back = await restore_beside_loop(call, partial(call.feed, frame))
        for piece in stream.read(pulled.piece, frame, back):
            yield piece
    if pulled.failure is not None:
        for piece in stream.held(await restore_beside_loop(call, call.cut_off)):
            yield piece
        raise pulled.failure
    for piece in stream.rest(await restore_beside_loop(call, call.end)):
        yield piece


def _reply_body(codec: ReplyCodec, shown: Sequence[tuple[Any, Any, bool]], output: Value) -> bytes:
    choices = [codec.show(fields, info, logprobs=has, index=at) for at, (fields, info, has) in enumerate(shown)]
    return dump({"choices": choices, "output": Values(sent=False, calls=False).show(output)})


def _woven(codec: ReplyCodec, result: ChatResult, shown: Sequence[tuple[Any, Any, bool]], new: Value) -> ChatResult:
    generations = []
    for old, (fields, info, _), choice in zip(result.generations, shown, new["choices"], strict=True):
        back, rest, keeps = codec.weave(fields, info, choice)
        generations.append(rebuilt(old, back, rest, keeps_logprobs=keeps))
    output = Values(sent=False, calls=False).weave(result.llm_output, new["output"])
    return ChatResult(generations=generations, llm_output=output)
