"""Protected chat models: every call passes one seam, whichever method of LangChain makes it."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

from privguard_adapters.call import Call
from privguard_adapters.guarding import Guarding
from privguard_adapters.handover import drop_in_thread
from privguard_adapters.langchain.asked import Asked
from privguard_adapters.langchain.calls import ChatCall, ChatStream, aiterated, iterated
from privguard_adapters.langchain.seam import Value
from privguard_adapters.langchain.twins import Model, Protected, plain, protect
from privguard_adapters.wire.langchain_requests import ChatRequest

Manager: TypeAlias = Any  # of callbacks: sync or async
Stop: TypeAlias = list[str] | None


class ProtectedChat(Protected):
    """What stands before the methods of a chat model."""

    __slots__ = ()

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: Stop = None,
        run_manager: Manager = None,  # noqa: ARG002 - it would show placeholders to the callbacks
        **kwargs: Value,
    ) -> ChatResult:
        chat = _open(self, Asked.of(messages, stop, kwargs))
        with chat.call.watched():
            result: ChatResult = plain(self)._generate(chat.messages, stop=chat.stop, **chat.options)
            return chat.whole(result)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: Stop = None,
        run_manager: Manager = None,  # noqa: ARG002 - see above
        **kwargs: Value,
    ) -> ChatResult:
        chat = await _aopen(self, Asked.of(messages, stop, kwargs))
        with chat.call.watched():
            result: ChatResult = await plain(self)._agenerate(chat.messages, stop=chat.stop, **chat.options)
            return await _beside_loop(chat.call, lambda: chat.whole(result))

    def get_num_tokens_from_messages(
        self, messages: list[BaseMessage], tools: Sequence[Value] | None = None, **kwargs: Value
    ) -> int:
        """Count the tokens of what would be sent: some models ask their provider."""
        given = {"tools": [convert_to_openai_tool(tool) for tool in tools]} if tools is not None else {}
        return int(
            self._counted(
                messages,
                given,
                lambda model, sent, more: model.get_num_tokens_from_messages(sent, **more, **kwargs),
            )
        )

    def get_num_tokens(self, text: str) -> int:
        """Count the tokens of what would be sent of a text."""
        return int(
            self._counted([HumanMessage(text)], {}, lambda model, sent, _: model.get_num_tokens(sent[-1].content))
        )

    def get_token_ids(self, text: str) -> list[int]:
        """Return the tokens of what would be sent of a text."""
        found: list[int] = self._counted(
            [HumanMessage(text)], {}, lambda model, sent, _: model.get_token_ids(sent[-1].content)
        )
        return found

    def _counted(self, messages: list[BaseMessage], options: dict[str, Value], count: Callable[..., Any]) -> Any:  # noqa: ANN401 - what it counts
        chat = _open(self, Asked.of(messages, None, options))
        with chat.call.watched():
            found = count(plain(self), chat.messages, chat.options)
        chat.call.finish()
        return found


def _stream(
    self: Model, messages: list[BaseMessage], stop: Stop = None, run_manager: Manager = None, **kwargs: Value
) -> Iterator[ChatGenerationChunk]:
    chat = _open(self, Asked.of(messages, stop, kwargs))
    with _ended(chat.call, partial(drop_in_thread, chat.call)):
        chunks = plain(self)._stream(chat.messages, stop=chat.stop, **chat.options)
        try:
            for piece in iterated(chunks, ChatStream(chat), chat.call):
                if run_manager is not None:
                    run_manager.on_llm_new_token(piece.text, chunk=piece)
                yield piece
        finally:
            if hasattr(chunks, "close"):
                chunks.close()


async def _astream(
    self: Model, messages: list[BaseMessage], stop: Stop = None, run_manager: Manager = None, **kwargs: Value
) -> AsyncIterator[ChatGenerationChunk]:
    chat = await _aopen(self, Asked.of(messages, stop, kwargs))
    with _ended(chat.call, chat.call.drop):
        chunks = plain(self)._astream(chat.messages, stop=chat.stop, **chat.options)
        try:
            async for piece in aiterated(chunks, ChatStream(chat), chat.call):
                if run_manager is not None:
                    await run_manager.on_llm_new_token(piece.text, chunk=piece)
                yield piece
        finally:
            if hasattr(chunks, "aclose"):
                await chunks.aclose()


def protected_class(original: type, guard: Guarding) -> type:
    """Derive a protected class from that of a chat model."""
    more: dict[str, object] = {}
    model: Any = original
    streams = model._stream is not BaseChatModel._stream
    if streams:
        more["_stream"] = _stream
    if streams or model._astream is not BaseChatModel._astream:
        more["_astream"] = _astream
    for name in ("_stream_chat_model_events", "_astream_chat_model_events"):
        if getattr(original, name, None) is not None:
            more[name] = None  # events are made of restored pieces instead
    return protect(original, ProtectedChat, guard, **more)


def _open(model: Model, asked: Asked) -> ChatCall:
    kept: list[ChatRequest] = []
    call = model.privguard_seam.open("chat", partial(asked.write, model, kept))
    return ChatCall(call, asked, kept[0])


async def _aopen(model: Model, asked: Asked) -> ChatCall:
    kept: list[ChatRequest] = []
    call = await model.privguard_seam.aopen("chat", partial(asked.write, model, kept))
    return ChatCall(call, asked, kept[0])


async def _beside_loop(call: Call, restore: Callable[[], ChatResult]) -> ChatResult:
    if not call.is_slow:
        return restore()
    import anyio.to_thread

    return await anyio.to_thread.run_sync(restore)


@contextmanager
def _ended(call: Call, leave: Callable[[], None]) -> Iterator[None]:
    """Close when a stream ends before its end."""
    try:
        yield
    except GeneratorExit:
        leave()
        raise
    except BaseException:
        with call.watched():
            raise
