"""Protected copies of a client of an SDK, for the SDKs of OpenAI's and Anthropic's build, and copies of these.

What is the SDK's own, which clients there are and what must be closed off in one, its adapter says.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from privguard.guard import Watch
from privguard.sessions import ATTRIBUTE
from privguard_adapters.call import HttpRequest
from privguard_adapters.dry_calls import dry_request
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.http_clients import gate_of
from privguard_adapters.sessions import ClientSession
from privguard_adapters.watching import ClosedGate, WatchedGate
from privguard_adapters.wire.routes import Api

Client = TypeVar("Client")


def _plain_url(client: Any) -> str:  # noqa: ANN401 - a client of an SDK, which is not imported here
    return str(client.base_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sdk:
    """What is an SDK's own."""

    api: Api  # the routes of its clients
    asks: str  # the path of the method that a preview is of, unless another is named
    check: Callable[[object], None]  # refuses clients that cannot be protected
    put_behind: Callable[[Any, Gate], None]  # lets nothing of a client pass but through a gate
    base_url: Callable[[Any], str] = _plain_url  # of a client, above its routes
    attempting: Callable[[], AbstractContextManager[object]] = nullcontext  # around what makes a request


def protected(client: Client, guard: Guarding, sdk: Sdk) -> Client:
    """Return a protected copy of the same class; the client that is given stays as it is.

    A client that is already protected by this guard is returned as it is. One that is protected by another guard gets
    this one instead: a request never passes two.

    Raises:
        ConfigError: the client cannot be protected.
    """
    sdk.check(client)
    sdk_client: Any = client
    gate = gate_of(sdk_client._client)  # noqa: SLF001 - the SDKs have no public name for their HTTP client
    if gate is not None and gate.guard is guard:
        return client
    copied: Client = _arm(type(sdk_client).copy(sdk_client), guard, Watch(), sdk)
    return copied


def _arm(client: Any, guard: Guarding, watch: Watch, sdk: Sdk) -> Any:  # noqa: ANN401 - likewise
    """Put a fresh copy behind a gate of its own, and see to it that copies of it are protected too."""
    sdk.check(client)
    base_url = partial(sdk.base_url, client)
    sdk.put_behind(client, WatchedGate(guard, base_url, watch, sdk.api))
    client.copy = client.with_options = partial(_copy, client, guard, watch, sdk)
    dry = partial(_dry, client, guard, sdk)
    session = ClientSession(guard, watch, base_url=base_url, dry=dry, asks=sdk.asks, api=sdk.api)
    setattr(client, ATTRIBUTE, session)
    return client


def _copy(client: Any, guard: Guarding, watch: Watch, sdk: Sdk, **changes: Any) -> Any:  # noqa: ANN401 - the SDK's own
    return _arm(type(client).copy(client, **changes), guard, watch, sdk)


def _dry(
    client: Any,  # noqa: ANN401 - likewise
    guard: Guarding,
    sdk: Sdk,
    call: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> HttpRequest:
    """Make the request of a call, on a copy of the client that can send nothing."""
    closed = ClosedGate(guard.rehearsal(), partial(sdk.base_url, client), sdk.api)
    with sdk.attempting():
        return dry_request(client, lambda copy: sdk.put_behind(copy, closed), call, args, kwargs)
