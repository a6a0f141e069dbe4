"""The HTTP libraries that SDKs stand on, httpx2 and httpx: which one something belongs to, and what is made for it."""

import sys
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from privguard_adapters.bodies import AsyncRestoredBody, RestoredBody

_LIBRARIES = ("httpx2", "httpx")
_KINDS = ("Client", "AsyncClient", "BaseTransport", "AsyncBaseTransport")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLibrary:
    """One HTTP library, and the classes that replies need there."""

    module: ModuleType
    body: type
    async_body: type
    decodes: frozenset[str]  # the content encodings that it undoes


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


@cache
def read_library(module: ModuleType) -> HttpLibrary:
    """Return what is known of a library, with classes that its own take for theirs."""
    return HttpLibrary(
        module=module,
        body=type("GuardedBody", (RestoredBody, module.SyncByteStream), {}),
        async_body=type("AsyncGuardedBody", (AsyncRestoredBody, module.AsyncByteStream), {}),
        decodes=_decodes(module),
    )


def _decodes(module: ModuleType) -> frozenset[str]:
    """Return the content encodings that a library asks for by itself, which are those that it undoes."""
    transport = module.MockTransport(lambda _: module.Response(404))  # one that opens nothing
    with module.Client(transport=transport, trust_env=False) as client:
        return frozenset(each.strip() for each in client.headers["accept-encoding"].split(","))
