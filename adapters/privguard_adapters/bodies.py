"""The bodies of replies on their way to the caller: each chunk restored as it passes. For httpx2 and for httpx."""

from collections.abc import AsyncGenerator, Generator
from contextlib import suppress
from functools import partial
from typing import Any, Self
from weakref import finalize

from privguard_adapters.call import Call
from privguard_adapters.handover import drop_in_thread, restore_beside_loop


class RestoredBody:
    """The body of a reply, restored as it is read. Closing it early closes the connection and the exchange."""

    def __init__(self, response: Any, source: Generator[bytes], call: Call) -> None:  # noqa: ANN401 - of either library
        self._response, self._source, self._call = response, source, call
        finalize(self, drop_in_thread, call)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        with self._call.watched():
            for chunk in self._source:
                restored = self._call.feed(chunk)
                if restored:
                    return restored
            rest = self._call.end()
        if rest:
            return rest
        raise StopIteration

    def close(self) -> None:
        """Leave the exchange and close the connection."""
        try:
            self._call.leave()
        finally:
            self._response.close()
            # Another thread may be reading; closing the response is what ends its wait.
            with suppress(ValueError):
                self._source.close()


class AsyncRestoredBody:
    """The same, awaited."""

    def __init__(self, response: Any, source: AsyncGenerator[bytes], call: Call) -> None:  # noqa: ANN401 - likewise
        self._response, self._source, self._call = response, source, call
        finalize(self, drop_in_thread, call)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        with self._call.watched():
            async for chunk in self._source:
                restored = await restore_beside_loop(self._call, partial(self._call.feed, chunk))
                if restored:
                    return restored
            rest = await restore_beside_loop(self._call, self._call.end)
        if rest:
            return rest
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Leave the exchange and close the connection."""
        try:
            self._call.leave()
        finally:
            await self._response.aclose()
            with suppress(RuntimeError):
                await self._source.aclose()
