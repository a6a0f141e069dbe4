"""A streamed reply of LiteLLM, restored chunk by chunk, with what callers use of LiteLLM's own stream."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Self
from weakref import finalize

from privguard_adapters.call import Call
from privguard_adapters.handover import drop_in_thread, restore_beside_loop
from privguard_adapters.litellm.failures import close_failed, with_words
from privguard_adapters.litellm.ids import ReplyIds
from privguard_adapters.litellm.objects import kind_of_chunk, read_events, write_event
from privguard_adapters.litellm.opening import receive
from privguard_adapters.pulling import Ending, Pulled, pull, pull_awaited

# What LiteLLM's streams tell of themselves; nothing else of them is reachable, so nothing passes unrestored.
_SHOWN = (
    "model",
    "custom_llm_provider",
    "logging_obj",
    "stream_options",
    "response_id",
    "created",
    "_hidden_params",
    "_response_headers",
)


class RestoredStream:
    """The chunks of a reply with the real values in them. Leaving it early closes the reply and the exchange.

    Where the reply fails, what was held back comes first, and then its error, which says the real values as well.
    """

    def __init__(
        self,
        source: Any,  # noqa: ANN401 - a stream of LiteLLM
        call: Call,
        tell: Callable[[Exception, Mapping[str, str]], Exception] = with_words,
    ) -> None:
        receive(call, streams=True)
        self._source, self._call, self._tell = source, call, tell
        self._ending = Ending()
        self._ready: deque[Any] = deque()
        self._ended = False
        self._ids = ReplyIds()
        self._last: Any = None
        self._kinds: dict[str, Any] = {}  # a chunk of each sort of event
        self.chunks: list[Any] = []
        for name in _SHOWN:
            if hasattr(source, name):
                setattr(self, name, getattr(source, name))
        finalize(self, drop_in_thread, call)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:  # noqa: ANN401 - a chunk of LiteLLM
        while not self._ready:
            if self._ended:
                raise self._ending.take(StopIteration)
            with self._call.watched():
                pulled = pull(self._source)
                raw, work = self._work(pulled)
                self._take(pulled.piece, raw, work())
        return self._give()

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:  # noqa: ANN401 - likewise
        while not self._ready:
            if self._ended:
                raise self._ending.take(StopAsyncIteration)
            with self._call.watched():
                pulled = await pull_awaited(self._source)
                raw, work = self._work(pulled)
                self._take(pulled.piece, raw, await restore_beside_loop(self._call, work))
        return self._give()

    def _work(self, pulled: Pulled[Any]) -> tuple[bytes, Callable[[], bytes]]:
        """Return the bytes of a chunk, and what restores them; without one, what gives the rest."""
        if pulled.failure is not None:
            return b"", partial(self._break_off, pulled.failure)
        if pulled.piece is None:
            return b"", self._call.end
        raw = self._ids.shorten(write_event(pulled.piece), pulled.piece)
        return raw, partial(self._call.feed, raw)

    def _break_off(self, error: Exception) -> bytes:
        """Return what was held back before an error, and keep the error."""
        held = self._call.cut_off()
        self._ending.failure = self._tell(error, close_failed(self._call, error))
        return held

    def _take(self, chunk: Any, raw: bytes, restored: bytes) -> None:  # noqa: ANN401 - likewise
        """Keep what became of a chunk; None stands for the end."""
        if chunk is None:
            self._ended = True
        else:
            self._last = self._kinds[kind_of_chunk(chunk)] = chunk
        if chunk is not None and restored == raw:
            self._ready.append(chunk)  # as it came
        else:
            restored = self._ids.lengthen(restored)
            self._ready.extend(read_events(restored, lambda kind: self._kinds.get(kind, self._last), self._last))

    def _give(self) -> Any:  # noqa: ANN401 - likewise
        chunk = self._ready.popleft()
        self.chunks.append(chunk)
        return chunk

    def close(self) -> None:
        """Read no further."""
        self._ended = True
        self._ready.clear()
        try:
            self._call.leave()
        finally:
            if hasattr(self._source, "close"):
                self._source.close()

    async def aclose(self) -> None:
        """Read no further."""
        self._ended = True
        self._ready.clear()
        try:
            self._call.leave()
        finally:
            if hasattr(self._source, "aclose"):
                await self._source.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self.aclose()


def restored_stream(source: Any, call: Call) -> Any:  # noqa: ANN401 - of the class of the source
    """Return a stream of the class of another, restored."""
    cls: type = type(source)
    return _class_of(cls)(source, call)


@cache
def _class_of(source: type) -> type:
    """Return a class that `isinstance` takes for that of the source, whose own methods stand behind ours."""

    def forget(_self: object) -> None:
        return None

    return type(f"Restored{source.__name__}", (RestoredStream, source), {"__del__": forget, "__doc__": source.__doc__})
