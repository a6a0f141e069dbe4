"""A reply as it goes out, and what is known of it: its status, its size, when its first byte left."""

import math
import time
from collections.abc import Callable, Iterable

import anyio
import anyio.lowlevel
from starlette.types import Message, Send

from privguard_adapters.gateway.incoming import CallerLeft
from privguard_adapters.gateway.problems import Problem
from privguard_adapters.wire.headers import Headers


class Sending:
    """One reply. Each piece of the body is written at once, and waits where the caller does not read.

    Raises:
        CallerLeft: by every method that sends, where the caller takes nothing for too long.
    """

    def __init__(
        self, send: Send, clock: Callable[[], float] = time.perf_counter, *, timeout_s: float = math.inf
    ) -> None:
        self._send_now, self._clock, self._timeout_s = send, clock, timeout_s
        self._began = clock()
        self.status = 0  # 0: not begun
        self.size = 0
        self.first_s: float | None = None  # seconds from the beginning to the first byte of the body
        self.has_ended = False
        self._is_stream = False

    @property
    def whole_s(self) -> float:
        """Return the seconds since the beginning."""
        return self._clock() - self._began

    async def _send(self, message: Message) -> None:
        with anyio.move_on_after(self._timeout_s) as scope:
            await self._send_now(message)
        if scope.cancelled_caught:
            raise CallerLeft

    async def start(self, status: int, headers: Headers) -> None:
        """Send the head."""
        self._is_stream = any(
            name.lower() == b"content-type" and value.lower().startswith(b"text/event-stream")
            for name, value in headers
        )
        if self._is_stream:
            headers = (*headers, (b"x-accel-buffering", b"no"))  # what nginx reads before it buffers
        self.status = status
        await self._send({"type": "http.response.start", "status": status, "headers": list(headers)})

    async def body(self, piece: bytes) -> None:
        """Send a piece of the body.

        The event loop gets its turn each time: where pieces come faster than the loop, it would not learn that the
        caller is gone.
        """
        await anyio.lowlevel.checkpoint()
        if self.first_s is None:
            self.first_s = self.whole_s
        self.size += len(piece)
        await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self) -> None:
        """Send the end of the body."""
        self.has_ended = True
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def tell(self, problem: Problem, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Send a problem instead of a reply; into a stream that has begun, as an event.

        A reply that has begun is not ended: the server drops the connection, so that nobody takes it for complete.
        """
        if not self.status:
            await self.start(problem.status, (*problem.headers(), *headers))
            await self.body(problem.body())
            await self.end()
        elif self._is_stream and not self.has_ended:
            await self.body(problem.event())
