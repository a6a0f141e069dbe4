"""The adapter for the OpenAI SDK: which clients it protects, and how a protected copy stays protected.

The guard sits in the transport below the SDK, so every call passes it, whichever method made it. Two things do not:
websockets, which are refused by name and have no address, and a new `http_client`, which is put behind the gate when a
copy takes one.
"""

import sys
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from functools import partial
from inspect import isawaitable
from typing import Any, NoReturn, TypeVar

from privguard.core.errors import ConfigError, ProtectionError, UnprotectedRouteError
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.http_clients import guard_http_client
from privguard_adapters.sdk_clients import Sdk, protected
from privguard_adapters.wire.routes import OPENAI

Client = TypeVar("Client")

_NAMES = ("OpenAI", "AsyncOpenAI")
_SUPPORTED = (*_NAMES, "AzureOpenAI", "AsyncAzureOpenAI")
# Resources that open websockets, which do not pass the HTTP transport.
_SOCKETS = (
    "realtime",
    "realtime.translations",
    "beta.realtime",
    "beta.responses",
    "responses",
    "live",
    "live.sideband",
    "live.forks",
)
# What libraries find that open websockets of their own with the address and the headers of a client: no such name is
# ever resolved.
_NO_SOCKETS = "wss://websockets-are-not-protected-by-privguard.invalid"


class OpenAIAdapter:
    """Protect `openai.OpenAI` and `AsyncOpenAI`, those of Azure, and classes that users derive from them."""

    def matches(self, client: object) -> bool:
        """Tell whether the client is one of the OpenAI SDK."""
        sdk = sys.modules.get("openai")
        return sdk is not None and isinstance(client, tuple(getattr(sdk, name) for name in _NAMES))

    def wrap(self, client: Client, guard: Guarding) -> Client:
        """Return a protected copy of the same class; the client that is given stays as it is.

        Raises:
            ConfigError: the client signs or authenticates its requests in a way that this adapter does not support.
        """
        return protected(client, guard, _SDK)


def _check_supported(client: object) -> None:
    own = next(cls for cls in type(client).__mro__ if cls.__module__.partition(".")[0] == "openai")
    attributes = vars(client)
    if own.__name__ not in _SUPPORTED:
        raise ConfigError(
            f"{own.__name__} is not supported yet: it signs or routes its requests in a way of its own. "
            "privguard.minimize() works with any client"
        )
    if attributes.get("_provider") is not None:
        raise ConfigError("clients with provider= are not supported yet: the provider signs before the guard")
    if "X509" in type(attributes.get("_workload_identity_auth")).__name__:
        raise ConfigError("clients with an X.509 workload identity are not supported yet: they pin their HTTP client")


def _base_url(client: Any) -> str:  # noqa: ANN401 - a client of the SDK, not imported here
    """Return where the API begins: of a client that Azure's endpoint and deployment were given, above deployments."""
    base = str(client.base_url)
    endpoint = f"{str(getattr(client, '_azure_endpoint', None)).rstrip('/')}/openai"
    return endpoint if base.startswith(f"{endpoint}/") else base


def _put_behind(client: Any, gate: Gate) -> None:  # noqa: ANN401 - likewise
    """Let nothing of a client pass but through a gate."""
    guard = gate.guard
    client._client = guard_http_client(client._client, gate)  # noqa: SLF001 - the SDK has no public name for it
    client._prepare_options = partial(_refuse_sockets, client, guard)  # noqa: SLF001 - all websockets but one pass it
    client._websocket_query_params = partial(_refuse, guard, "a websocket")  # noqa: SLF001 - and that one passes this
    client.websocket_base_url = _NO_SOCKETS
    client.request = partial(_request, client)
    for path in _SOCKETS:
        resource = _resource(client, path)
        if resource is not None:
            resource.connect = partial(_refuse, guard, f"{path}.connect")


def _request(client: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - the SDK's own types
    """Send as the SDK does, and let errors of the guard pass as they are.

    Version 2 takes whatever its HTTP client raises for an error of the connection.
    """
    with _as_it_is():
        reply = type(client).request(client, *args, **options)
    return _awaited(reply) if isawaitable(reply) else reply


async def _awaited(reply: Awaitable[object]) -> object:
    with _as_it_is():
        return await reply


@contextmanager
def _as_it_is() -> Iterator[None]:
    refused: ProtectionError
    try:
        yield
    except Exception as error:
        if not isinstance(error.__cause__, ProtectionError):
            raise
        refused = error.__cause__
    else:
        return
    raise refused


def _refuse_sockets(client: Any, guard: Guarding, options: Any) -> Any:  # noqa: ANN401 - the SDK's own types
    if options.url.startswith(("ws://", "wss://")):
        _refuse(guard, "a websocket")
    return type(client)._prepare_options(client, options)  # noqa: SLF001 - the hook that the SDK offers to subclasses


def _refuse(guard: Guarding, name: str, *_arguments: object, **_options: object) -> NoReturn:
    error = UnprotectedRouteError(
        f"{name} opens a websocket, which privguard does not protect, so nothing was sent. Use chat.completions, or "
        "open it with the client that was wrapped"
    )
    guard.block(route=f"openai.{name.removeprefix('a ')}", error=error)
    raise error


def _resource(client: object, path: str) -> Any:  # noqa: ANN401 - a resource of the SDK
    resource: Any = client
    for step in path.split("."):
        resource = getattr(resource, step, None)
    return resource if callable(getattr(resource, "connect", None)) else None


_SDK = Sdk(
    api=OPENAI, asks="chat.completions.create", check=_check_supported, put_behind=_put_behind, base_url=_base_url
)
adapter = OpenAIAdapter()
