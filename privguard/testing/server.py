"""A scripted model server on the loopback interface, which speaks the APIs of OpenAI and of Anthropic."""

import socket
import sys
import threading
from collections import deque
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Self

from privguard.testing.connection import Connection
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply

Chooser = Callable[[Recorded], Reply]
_POLL_S = 0.02


class ModelServer:
    """Serve scripted replies at `base_url` and record every request; a context manager.

    No model is involved. Every request is recorded before it is answered, those on unknown routes (404) included.
    Replies come from the queue of `script` first, then from `reply`.

    Args:
        reply: the reply to everything, or a function that chooses one for a request.
    """

    def __init__(self, reply: Reply | Chooser | None = None) -> None:
        self._reply: Reply | Chooser = reply or Reply()
        self._queue: deque[Reply] = deque()
        self._requests: list[Recorded] = []
        self._sent: dict[int, bytes] = {}
        self._replies: dict[int, Reply] = {}
        self._failures: list[BaseException] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http: _Http | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Bind an ephemeral port of 127.0.0.1 and serve."""
        if self._http is not None:
            raise RuntimeError("the server is already running")
        self._closing.clear()
        self._http = _Http(lambda *args: Connection(*args, owner=self), self.fail)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(_POLL_S,), name="privguard-server", daemon=True
        )
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop, drop all connections and wait until every thread has ended."""
        if self._http is None or self._thread is None:
            return
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.sever()
        self._http.server_close()
        self._http.join()
        self._http = self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if kind is None and self._failures:
            raise self._failures[0]

    @property
    def base_url(self) -> str:
        """Return the address to give to a client, `/v1` included."""
        if self._http is None:
            raise RuntimeError("the server is not running")
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def root_url(self) -> str:
        """Return the address to give to a client that adds `/v1` itself, as Anthropic's does."""
        return self.base_url.removesuffix("/v1")

    @property
    def requests(self) -> tuple[Recorded, ...]:
        """Return what was recorded so far."""
        with self._lock:
            return tuple(self._requests)

    @property
    def sent(self) -> tuple[bytes, ...]:
        """Return the body of the reply to each request, before it was compressed or cut; b"" where none was."""
        with self._lock:
            return tuple(self._sent.get(number, b"") for number in range(1, len(self._requests) + 1))

    @property
    def last(self) -> Recorded:
        """Return the last request."""
        return self.requests[-1]

    @property
    def wire(self) -> bytes:
        """Return the bytes of all requests, raw and decoded: what to search for canaries."""
        return b"\r\n".join(request.wire for request in self.requests)

    def script(self, *replies: Reply) -> None:
        """Queue replies: one per request, in order."""
        with self._lock:
            self._queue.extend(replies)

    def record(self, request: Recorded) -> int:
        """Keep a request and return its number."""
        with self._lock:
            self._requests.append(request)
            return len(self._requests)

    def note_sent(self, number: int, body: bytes) -> None:
        """Keep the body of the reply to a request."""
        with self._lock:
            self._sent[number] = body

    def note_reply(self, number: int, reply: Reply) -> None:
        """Keep how a request was answered."""
        with self._lock:
            self._replies[number] = reply

    def earlier(self, number: int) -> tuple[Recorded, Reply] | None:
        """Return an earlier request by its number, from 1 on, with the reply to it; None where there was none."""
        with self._lock:
            reply = self._replies.get(number)
            return None if reply is None else (self._requests[number - 1], reply)

    def choose(self, request: Recorded) -> Reply:
        """Return the next reply."""
        with self._lock:
            if self._queue:
                return self._queue.popleft()
        return self._reply if isinstance(self._reply, Reply) else self._reply(request)

    def fail(self, error: Exception) -> None:
        """Keep the error of a script: leaving the context raises it."""
        with self._lock:
            self._failures.append(error)

    def wait(self, event: threading.Event) -> bool:
        """Wait for an event; return False when the server closes before it is set."""
        while not event.wait(_POLL_S):
            if self._closing.is_set():
                return False
        return True


class _Http(ThreadingHTTPServer):
    """The listening socket; knows its open connections, so that closing does not wait for idle clients."""

    request_queue_size = 128  # connections that wait to be accepted; beyond, the system resets them

    def __init__(self, handler: Callable[..., Connection], fail: Callable[[Exception], None]) -> None:
        self._fail = fail
        self._open: set[socket.socket] = set()
        self._workers: list[threading.Thread] = []
        self._guard = threading.Lock()
        super().__init__(("127.0.0.1", 0), handler)

    def process_request(self, request: socket.socket, client_address: tuple[str, int]) -> None:  # type: ignore[override] # the base speaks of sockets and of pairs for datagrams
        with self._guard:
            self._open.add(request)
        # Daemons: a server that nobody closes keeps no interpreter from ending. The base class would not join them.
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        self._workers = [*(each for each in self._workers if each.is_alive()), thread]
        thread.start()

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override] # likewise
        with self._guard:
            self._open.discard(request)
        super().shutdown_request(request)

    def join(self) -> None:
        """Wait until every connection has ended."""
        for thread in self._workers:
            thread.join()

    def sever(self) -> None:
        """Wake every thread that still waits for its client."""
        with self._guard:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client has hung up already

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - of the base class
        """Hand the error on, unless the client hung up: that is part of the script."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, OSError):
            self._fail(error)
