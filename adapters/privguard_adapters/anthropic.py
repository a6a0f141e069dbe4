"""The adapter for the Anthropic SDK: which clients it protects, and how a protected copy stays protected.

The guard sits in the transport below the SDK, so every call passes it, whichever method or middleware made it. A new
`http_client` is put behind the gate when a copy takes one. Conversations that the provider keeps are turned off, since
a protected request holds all that its reply may speak of: what runs tools in a loop sends the whole history then.
"""

import logging
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

from privguard.core.errors import ConfigError, PrivguardError
from privguard.guard import Watch
from privguard.sessions import ATTRIBUTE
from privguard_adapters.call import HttpRequest
from privguard_adapters.dry_calls import dry_request
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.sessions import ClientSession
from privguard_adapters.transport import gate_of, guard_http_client
from privguard_adapters.watching import ClosedGate, WatchedGate
from privguard_adapters.wire.anthropic_routes import ANTHROPIC

Client = TypeVar("Client")

_ASKS = "messages.create"
# Those of Microsoft Foundry have the same routes, and put their credentials into headers that nothing signs.
_NAMES = ("Anthropic", "AsyncAnthropic", "AnthropicFoundry", "AsyncAnthropicFoundry")
_LOGGER = "anthropic._base_client"
_LOGS_CONTENT = ("Request options", "Sending HTTP Request")  # messages of the SDK that show what was not yet minimized
_ATTEMPTING: ContextVar[bool] = ContextVar("privguard_attempting", default=False)
_BASE = ("anthropic._base_client", "BaseClient")  # of all clients of the SDK, those of other platforms included


class AnthropicAdapter:
    """Protect `anthropic.Anthropic`, `AnthropicFoundry`, their async twins, and classes that users derive from them."""

    def matches(self, client: object) -> bool:
        """Tell whether the client is one of the Anthropic SDK."""
        return any((cls.__module__, cls.__name__) == _BASE for cls in type(client).__mro__)

    def wrap(self, client: Client, guard: Guarding) -> Client:
        """Return a protected copy of the same class; the client that is given stays as it is.

        A client that is already protected by this guard is returned as it is. One that is protected by another guard
        gets this one instead: a request never passes two.

        Raises:
            ConfigError: the client signs or routes its requests in a way of its own.
        """
        _check_supported(client)
        sdk_client: Any = client
        gate = gate_of(sdk_client._client)  # noqa: SLF001 - the SDK has no public name for its HTTP client
        if gate is not None and gate.guard is guard:
            return client
        copied: Client = _arm(type(sdk_client).copy(sdk_client), guard, Watch())
        return copied


adapter = AnthropicAdapter()


def _check_supported(client: object) -> None:
    own = next(cls for cls in type(client).__mro__ if cls.__module__.partition(".")[0] == "anthropic")
    if own.__name__ not in _NAMES:
        raise ConfigError(
            f"{own.__name__} is not supported yet: it signs or routes its requests in a way of its own. "
            "privguard.minimize() works with any client"
        )


def _arm(client: Any, guard: Guarding, watch: Watch) -> Any:  # noqa: ANN401 - a client of the SDK, not imported here
    """Put a fresh copy behind a gate of its own, and see to it that copies of it are protected too."""
    _check_supported(client)

    def base_url() -> str:
        return str(client.base_url)

    _put_behind(client, WatchedGate(guard, base_url, watch, ANTHROPIC))
    client.copy = client.with_options = partial(_copy, client, guard, watch)
    dry = partial(_dry, client, guard)
    session = ClientSession(guard, watch, base_url=base_url, dry=dry, asks=_ASKS, api=ANTHROPIC)
    setattr(client, ATTRIBUTE, session)
    return client


def _put_behind(client: Any, gate: Gate) -> None:  # noqa: ANN401 - likewise
    """Let nothing of a client pass but through a gate."""
    client._client = guard_http_client(client._client, gate)  # noqa: SLF001 - see above
    client._supports_message_threads = False  # noqa: SLF001 - so the SDK sends whole conversations
    attempt = _attempt_async if hasattr(client, "__aenter__") else _attempt
    client._attempt_request = partial(attempt, client)  # noqa: SLF001 - so the SDK hides no error of ours in its own
    logging.getLogger(_LOGGER).addFilter(_shows_no_content)


def _copy(client: Any, guard: Guarding, watch: Watch, **changes: Any) -> Any:  # noqa: ANN401 - the SDK's own arguments
    return _arm(type(client).copy(client, **changes), guard, watch)


def _dry(
    client: Any,  # noqa: ANN401 - likewise
    guard: Guarding,
    call: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> HttpRequest:
    """Make the request of a call, on a copy of the client that can send nothing."""
    closed = ClosedGate(guard.rehearsal(), lambda: str(client.base_url), ANTHROPIC)
    token = _ATTEMPTING.set(True)
    try:
        return dry_request(client, lambda copy: _put_behind(copy, closed), call, args, kwargs)
    finally:
        _ATTEMPTING.reset(token)


def _attempt(client: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - the SDK's own types
    """Let the SDK send, and hand on an error of ours, which it takes for a failed connection that it tries again."""
    token = _ATTEMPTING.set(True)
    try:
        return type(client)._attempt_request(client, *args, **options)  # noqa: SLF001 - see above
    except Exception as error:
        ours = error.__cause__
        if not isinstance(ours, PrivguardError):
            raise
    finally:
        _ATTEMPTING.reset(token)
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise ours


async def _attempt_async(client: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - likewise
    """Do the same, awaited."""
    token = _ATTEMPTING.set(True)
    try:
        return await type(client)._attempt_request(client, *args, **options)  # noqa: SLF001 - likewise
    except Exception as error:
        ours = error.__cause__
        if not isinstance(ours, PrivguardError):
            raise
    finally:
        _ATTEMPTING.reset(token)
    raise ours


def _shows_no_content(record: logging.LogRecord) -> bool:
    """Tell whether a message may be logged; of clients that nobody wrapped, all."""
    return not (_ATTEMPTING.get() and str(record.msg).startswith(_LOGS_CONTENT))
