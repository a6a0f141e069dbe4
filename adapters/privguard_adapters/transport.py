"""The guarded transport: bytes between the SDK, one `Call` and the network. Nothing is decided here.

Works for httpx2 and for httpx: the classes are derived from those of the library that the client belongs to.
"""

from functools import partial
from types import TracebackType
from typing import Any, Self

from privguard_adapters.call import Call, HttpRequest, Mode
from privguard_adapters.gate import Gate
from privguard_adapters.handover import open_in_thread, restore_beside_loop
from privguard_adapters.http_library import HttpLibrary
from privguard_adapters.wire.headers import with_body


class Guarded:
    """What both transports share: one inner transport, one gate."""

    def __init__(self, inner: Any, gate: Gate, library: HttpLibrary) -> None:  # noqa: ANN401 - of either library
        self._inner, self._gate, self._library = inner, gate, library

    @property
    def gate(self) -> Gate:
        """Return the gate that every request passes."""
        return self._gate

    @property
    def inner(self) -> Any:  # noqa: ANN401 - of either library
        """Return the transport below."""
        return self._inner

    def _outgoing(self, request: Any, call: Call) -> Any:  # noqa: ANN401 - of either library
        module = self._library.module
        return module.Request(
            call.request.method,
            request.url if call.request.url == str(request.url) else call.request.url,
            headers=list(call.request.headers),
            stream=module.ByteStream(call.request.body),
            # `target` would put another path on the wire than the one that was looked at.
            extensions={name: value for name, value in request.extensions.items() if name != "target"},
        )

    def _reply(self, response: Any, stream: Any, length: int | None, *, recode: bool) -> Any:  # noqa: ANN401 - likewise
        raw = tuple(response.headers.raw)
        return self._library.module.Response(
            response.status_code,
            headers=list(with_body(raw, length) if recode else raw),
            stream=stream,
            extensions=response.extensions,
        )


class GuardedTransport(Guarded):
    """A transport that lets nothing pass but through its gate."""

    def handle_request(self, request: Any) -> Any:  # noqa: ANN401 - of either library
        """Send one request, protected, and return its reply, restored."""
        call = self._gate.open(describe_request(request, request.read()))
        with call.watched():
            response = self._inner.handle_request(self._outgoing(request, call))
            try:
                mode = call.receive(response.status_code, tuple(response.headers.raw), decodes=self._library.decodes)
                if mode is Mode.WHOLE:
                    body = call.whole(response.read())
                    return self._reply(response, self._library.module.ByteStream(body), len(body), recode=True)
            except BaseException:
                response.close()
                raise
        if not call.is_open:
            return response
        source = response.iter_bytes() if mode is Mode.EVENTS else (chunk for chunk in response.stream)
        return self._reply(response, self._library.body(response, source, call), None, recode=mode is Mode.EVENTS)

    def close(self) -> None:
        """Close the connections, which the client that was wrapped shares."""
        self._inner.close()

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        self._inner.__exit__(kind, error, trace)


class AsyncGuardedTransport(Guarded):
    """The same, awaited. Whatever runs a detector does so in a worker thread, so that none blocks the loop."""

    async def handle_async_request(self, request: Any) -> Any:  # noqa: ANN401 - of either library
        """Send one request, protected, and return its reply, restored."""
        call = await open_in_thread(self._gate, describe_request(request, await request.aread()))
        with call.watched():
            response = await self._inner.handle_async_request(self._outgoing(request, call))
            try:
                mode = call.receive(response.status_code, tuple(response.headers.raw), decodes=self._library.decodes)
                if mode is Mode.WHOLE:
                    body = await restore_beside_loop(call, partial(call.whole, await response.aread()))
                    return self._reply(response, self._library.module.ByteStream(body), len(body), recode=True)
            except BaseException:
                await response.aclose()
                raise
        if not call.is_open:
            return response
        source = response.aiter_bytes() if mode is Mode.EVENTS else (chunk async for chunk in response.stream)
        return self._reply(response, self._library.async_body(response, source, call), None, recode=mode is Mode.EVENTS)

    async def aclose(self) -> None:
        """Close the connections, which the client that was wrapped shares."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        await self._inner.__aexit__(kind, error, trace)


def describe_request(request: Any, body: bytes) -> HttpRequest:  # noqa: ANN401 - of either library
    """Return a request of either library as the gate reads it."""
    return HttpRequest(
        method=request.method.upper(), url=str(request.url), headers=tuple(request.headers.raw), body=body
    )
