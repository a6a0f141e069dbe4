"""The guarded transport: bytes between the SDK, one `Call` and the network. Nothing is decided here.

Works for httpx2 and for httpx: the classes are built for the library that the client handed in belongs to.
"""

import sys
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType, TracebackType
from typing import Any, Self, TypeVar

from privguard_adapters.bodies import AsyncRestoredBody, RestoredBody
from privguard_adapters.call import Call, HttpRequest, Mode
from privguard_adapters.gate import Gate
from privguard_adapters.handover import open_in_thread, restore_beside_loop
from privguard_adapters.wire.headers import with_body

Client = TypeVar("Client")

_LIBRARIES = ("httpx2", "httpx")
_KINDS = ("Client", "AsyncClient", "BaseTransport", "AsyncBaseTransport")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Classes:
    """The classes of one HTTP library."""

    module: ModuleType
    transport: type
    async_transport: type
    twofold_transport: type  # sync and async, as the mock transport is
    body: type
    async_body: type
    decodes: frozenset[str]  # the content encodings that it undoes


class _Guarded:
    """What both transports share: one inner transport, one gate."""

    def __init__(self, inner: Any, gate: Gate, classes: _Classes) -> None:  # noqa: ANN401 - of either library
        self._inner, self._gate, self._classes = inner, gate, classes

    @property
    def gate(self) -> Gate:
        """Return the gate that every request passes."""
        return self._gate

    @property
    def inner(self) -> Any:  # noqa: ANN401 - of either library
        """Return the transport below."""
        return self._inner

    def _outgoing(self, request: Any, call: Call) -> Any:  # noqa: ANN401 - of either library
        module = self._classes.module
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
        return self._classes.module.Response(
            response.status_code,
            headers=list(with_body(raw, length) if recode else raw),
            stream=stream,
            extensions=response.extensions,
        )


class GuardedTransport(_Guarded):
    """A transport that lets nothing pass but through its gate."""

    def handle_request(self, request: Any) -> Any:  # noqa: ANN401 - of either library
        """Send one request, protected, and return its reply, restored."""
        call = self._gate.open(describe_request(request, request.read()))
        with call.watched():
            response = self._inner.handle_request(self._outgoing(request, call))
            try:
                mode = call.receive(response.status_code, tuple(response.headers.raw), decodes=self._classes.decodes)
                if mode is Mode.WHOLE:
                    body = call.whole(response.read())
                    return self._reply(response, self._classes.module.ByteStream(body), len(body), recode=True)
            except BaseException:
                response.close()
                raise
        if not call.is_open:
            return response
        source = response.iter_bytes() if mode is Mode.EVENTS else (chunk for chunk in response.stream)
        return self._reply(response, self._classes.body(response, source, call), None, recode=mode is Mode.EVENTS)

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


class AsyncGuardedTransport(_Guarded):
    """The same, awaited. Whatever runs a detector does so in a worker thread, so that none blocks the loop."""

    async def handle_async_request(self, request: Any) -> Any:  # noqa: ANN401 - of either library
        """Send one request, protected, and return its reply, restored."""
        call = await open_in_thread(self._gate, describe_request(request, await request.aread()))
        with call.watched():
            response = await self._inner.handle_async_request(self._outgoing(request, call))
            try:
                mode = call.receive(response.status_code, tuple(response.headers.raw), decodes=self._classes.decodes)
                if mode is Mode.WHOLE:
                    body = await restore_beside_loop(call, partial(call.whole, await response.aread()))
                    return self._reply(response, self._classes.module.ByteStream(body), len(body), recode=True)
            except BaseException:
                await response.aclose()
                raise
        if not call.is_open:
            return response
        source = response.aiter_bytes() if mode is Mode.EVENTS else (chunk async for chunk in response.stream)
        return self._reply(response, self._classes.async_body(response, source, call), None, recode=mode is Mode.EVENTS)

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


def guard_http_client(client: Client, gate: Gate) -> Client:
    """Return a copy of an HTTP client whose every transport, proxies included, is behind the gate.

    The copy shares the connections, cookies, hooks, limits and timeouts of the client, which stays as it is. A client
    that is already behind a gate is taken from behind it first: every request passes one gate.
    """
    source: Any = getattr(client, "_privguard_source", client)
    classes = _classes(library_of(source))
    owner: type = type(source)
    copy: Any = object.__new__(_owner(owner))
    copy.__dict__.update(source.__dict__)
    is_async = isinstance(source, classes.module.AsyncClient)
    wrap = classes.async_transport if is_async else classes.transport
    copy.__dict__["_transport"] = wrap(source.__dict__["_transport"], gate, classes)
    copy.__dict__["_mounts"] = {
        pattern: None if inner is None else wrap(inner, gate, classes)
        for pattern, inner in source.__dict__["_mounts"].items()
    }
    # Keeps the source alive: the SDK's own clients close their connections when they are collected.
    copy.__dict__["_privguard_source"] = source
    guarded: Client = copy
    return guarded


def guard_transport(transport: Client, gate: Gate) -> Client:
    """Return a transport over another one, behind a gate, sync or async or both as that one is.

    One that is already behind a gate is taken from behind it first: every request passes one gate.

    Raises:
        TypeError: it belongs to neither httpx2 nor httpx.
    """
    inner: Any = transport.inner if isinstance(transport, _Guarded) else transport
    classes = _classes(library_of(inner))
    is_sync, is_async = (
        isinstance(inner, base) for base in (classes.module.BaseTransport, classes.module.AsyncBaseTransport)
    )
    wrap = classes.twofold_transport if is_sync and is_async else None
    wrap = wrap or (classes.async_transport if is_async else classes.transport)
    guarded: Client = wrap(inner, gate, classes)
    return guarded


def gate_of(client: object) -> Gate | None:
    """Return the gate that an HTTP client is behind, if any."""
    transport = getattr(client, "_transport", None)
    return transport.gate if isinstance(transport, _Guarded) else None


@cache
def _owner(cls: type) -> type:
    """Return a subclass that does not close the shared connections when an instance is collected."""

    def keep(_self: object) -> None:
        return None

    return type(cls.__name__, (cls,), {"__del__": keep, "__module__": cls.__module__, "__doc__": cls.__doc__})


@cache
def _classes(module: ModuleType) -> _Classes:
    return _Classes(
        module=module,
        transport=type("GuardedTransport", (GuardedTransport, module.BaseTransport), {}),
        async_transport=type("AsyncGuardedTransport", (AsyncGuardedTransport, module.AsyncBaseTransport), {}),
        twofold_transport=type(
            "GuardedTransport",
            (GuardedTransport, AsyncGuardedTransport, module.BaseTransport, module.AsyncBaseTransport),
            {},
        ),
        body=type("GuardedBody", (RestoredBody, module.SyncByteStream), {}),
        async_body=type("AsyncGuardedBody", (AsyncRestoredBody, module.AsyncByteStream), {}),
        decodes=_decodes(module),
    )


def _decodes(module: ModuleType) -> frozenset[str]:
    """Return the content encodings that a library asks for by itself, which are those that it undoes."""
    transport = module.MockTransport(lambda _: module.Response(404))  # one that opens nothing
    with module.Client(transport=transport, trust_env=False) as client:
        return frozenset(each.strip() for each in client.headers["accept-encoding"].split(","))


def library_of(candidate: object) -> ModuleType:
    """Return the HTTP library that a client or a transport belongs to.

    Raises:
        TypeError: it is neither httpx2 nor httpx.
    """
    # What its classes say of their module is not asked: the OpenAI SDK gives those that it exports another one.
    for name in _LIBRARIES:
        module = sys.modules.get(name)
        if module is not None and isinstance(candidate, tuple([getattr(module, each) for each in _KINDS])):
            return module
    raise TypeError(f"{type(candidate).__name__} is a client or a transport of neither httpx2 nor httpx")


def describe_request(request: Any, body: bytes) -> HttpRequest:  # noqa: ANN401 - of either library
    """Return a request of either library as the gate reads it."""
    return HttpRequest(
        method=request.method.upper(), url=str(request.url), headers=tuple(request.headers.raw), body=body
    )
