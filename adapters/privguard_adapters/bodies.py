"""The bodies of replies on their way to the caller: each chunk restored as it passes. For httpx2 and for httpx.

Where the connection breaks, what was held back comes first, and then its error.
"""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import suppress
from functools import partial
from typing import Any, Self
from weakref import finalize

from privguard_adapters.call import Call
from privguard_adapters.handover import drop_in_thread, restore_beside_loop


class _Body:
    """What both have in common: how a reply goes on, and what it ends with."""

    def __init__(self, response: Any, call: Call) -> None:  # noqa: ANN401 - of either library
        self._response, self._call = response, call
        self._ended = False
        self._failure: Exception | None = None
        finalize(self, drop_in_thread, call)

    def _work(self, chunk: bytes | None, failure: Exception | None) -> Callable[[], bytes]:
        """Return what restores a chunk; without one, what gives the rest."""
        self._ended, self._failure = chunk is None, failure
        if failure is not None:
            return partial(self._call.break_off, failure)
        return self._call.end if chunk is None else partial(self._call.feed, chunk)

    def _stop(self, end: type[Exception]) -> Exception:
        """Return what the reply ended with: once its error, then the end."""
        failure, self._failure = self._failure, None
        return failure or end()


class RestoredBody(_Body):
    """The body of a reply, restored as it is read. Closing it early closes the connection and the exchange."""

    def __init__(self, response: Any, source: Generator[bytes], call: Call) -> None:  # noqa: ANN401 - of either library
        super().__init__(response, call)
        self._source = source

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        while not self._ended:
            with self._call.watched():
                chunk, failure = None, None
                try:
                    chunk = next(self._source, None)
                except Exception as error:  # noqa: BLE001 - raised behind what was held back
                    failure = error
                restored = self._work(chunk, failure)()
            if restored:
                return restored
        raise self._stop(StopIteration)

    def close(self) -> None:
        """Leave the exchange and close the connection."""
        try:
            self._call.leave()
        finally:
            self._response.close()
            # Another thread may be reading; closing the response is what ends its wait.
            with suppress(ValueError):
                self._source.close()


class AsyncRestoredBody(_Body):
    """The same, awaited."""

    def __init__(self, response: Any, source: AsyncGenerator[bytes], call: Call) -> None:  # noqa: ANN401 - likewise
        super().__init__(response, call)
        self._source = source

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        while not self._ended:
            with self._call.watched():
                chunk, failure = None, None
                try:
                    chunk = await anext(self._source, None)
                except Exception as error:  # noqa: BLE001 - likewise
                    failure = error
                restored = await restore_beside_loop(self._call, self._work(chunk, failure))
            if restored:
                return restored
        raise self._stop(StopAsyncIteration)

    async def aclose(self) -> None:
        """Leave the exchange and close the connection."""
        try:
            self._call.leave()
        finally:
            await self._response.aclose()
            with suppress(RuntimeError):
                await self._source.aclose()
