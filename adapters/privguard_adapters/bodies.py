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
from privguard_adapters.pulling import Ending, Pulled, pull, pull_awaited


class _Body:
    """What both have in common: how a reply goes on, and what it ends with."""

    def __init__(self, response: Any, call: Call) -> None:  # noqa: ANN401 - of either library
        self._response, self._call = response, call
        self._ended, self._ending = False, Ending()
        finalize(self, drop_in_thread, call)

    def _work(self, pulled: Pulled[bytes]) -> Callable[[], bytes]:
        """Return what restores a chunk; without one, what gives the rest."""
        self._ended, self._ending.failure = pulled.piece is None, pulled.failure
        if pulled.failure is not None:
            return partial(self._call.break_off, pulled.failure)
        return self._call.end if pulled.piece is None else partial(self._call.feed, pulled.piece)


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
                restored = self._work(pull(self._source))()
            if restored:
                return restored
        raise self._ending.take(StopIteration)

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
                restored = await restore_beside_loop(self._call, self._work(await pull_awaited(self._source)))
            if restored:
                return restored
        raise self._ending.take(StopAsyncIteration)

    async def aclose(self) -> None:
        """Leave the exchange and close the connection."""
        try:
            self._call.leave()
        finally:
            await self._response.aclose()
            with suppress(RuntimeError):
                await self._source.aclose()
