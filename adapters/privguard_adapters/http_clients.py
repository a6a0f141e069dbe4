"""HTTP clients and transports behind a gate: copies, of the classes of the library that they belong to."""

from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

from privguard_adapters.gate import Gate
from privguard_adapters.http_library import HttpLibrary, library_of, read_library
from privguard_adapters.transport import AsyncGuardedTransport, Guarded, GuardedTransport

Client = TypeVar("Client")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Classes:
    """The guarded transports of one HTTP library."""

    library: HttpLibrary
    transport: type
    async_transport: type
    twofold_transport: type  # sync and async, as the mock transport is


def guard_http_client(client: Client, gate: Gate) -> Client:
    """Return a copy of an HTTP client whose every transport, proxies included, is behind the gate.

    The copy shares the connections, cookies, hooks, limits and timeouts of the client, which stays as it is. A client
    that is already behind a gate is taken from behind it first: every request passes one gate.
    """
    source: Any = getattr(client, "_privguard_source", client)
    module = library_of(source)
    classes = _classes(module)
    owner: type = type(source)
    copy: Any = object.__new__(_owner(owner))
    copy.__dict__.update(source.__dict__)
    is_async = isinstance(source, module.AsyncClient)
    wrap = classes.async_transport if is_async else classes.transport
    copy.__dict__["_transport"] = wrap(source.__dict__["_transport"], gate, classes.library)
    copy.__dict__["_mounts"] = {
        pattern: None if inner is None else wrap(inner, gate, classes.library)
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
    inner: Any = transport.inner if isinstance(transport, Guarded) else transport
    module = library_of(inner)
    classes = _classes(module)
    is_sync, is_async = (isinstance(inner, base) for base in (module.BaseTransport, module.AsyncBaseTransport))
    wrap = classes.twofold_transport if is_sync and is_async else None
    wrap = wrap or (classes.async_transport if is_async else classes.transport)
    guarded: Client = wrap(inner, gate, classes.library)
    return guarded


def gate_of(client: object) -> Gate | None:
    """Return the gate that an HTTP client is behind, if any."""
    transport = getattr(client, "_transport", None)
    return transport.gate if isinstance(transport, Guarded) else None


@cache
def _owner(cls: type) -> type:
    """Return a subclass that does not close the shared connections when an instance is collected."""

    def keep(_self: object) -> None:
        return None

    return type(cls.__name__, (cls,), {"__del__": keep, "__module__": cls.__module__, "__doc__": cls.__doc__})


@cache
def _classes(module: ModuleType) -> _Classes:
    both = (GuardedTransport, AsyncGuardedTransport, module.BaseTransport, module.AsyncBaseTransport)
    return _Classes(
        library=read_library(module),
        transport=type("GuardedTransport", (GuardedTransport, module.BaseTransport), {}),
        async_transport=type("AsyncGuardedTransport", (AsyncGuardedTransport, module.AsyncBaseTransport), {}),
        twofold_transport=type("GuardedTransport", both, {}),
    )
