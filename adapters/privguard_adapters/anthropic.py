"""The adapter for the Anthropic SDK: which clients it protects, and how a protected copy stays protected.

The guard sits in the transport below the SDK, so every call passes it, whichever method or middleware made it. A new
`http_client` is put behind the gate when a copy takes one. Conversations that the provider keeps are turned off, since
a protected request holds all that its reply may speak of: what runs tools in a loop sends the whole history then.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Self, TypeVar

from privguard.core.errors import ConfigError, PrivguardError
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.http_clients import guard_http_client
from privguard_adapters.sdk_clients import Sdk, protected
from privguard_adapters.wire.anthropic_routes import ANTHROPIC

Client = TypeVar("Client")

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

        Raises:
            ConfigError: the client signs or routes its requests in a way of its own.
        """
        return protected(client, guard, _SDK)


def _check_supported(client: object) -> None:
    own = next(cls for cls in type(client).__mro__ if cls.__module__.partition(".")[0] == "anthropic")
    if own.__name__ not in _NAMES:
        raise ConfigError(
            f"{own.__name__} is not supported yet: it signs or routes its requests in a way of its own. "
            "privguard.minimize() works with any client"
        )


def _put_behind(client: Any, gate: Gate) -> None:  # noqa: ANN401 - a client of the SDK, not imported here
    """Let nothing of a client pass but through a gate."""
    client._client = guard_http_client(client._client, gate)  # noqa: SLF001 - the SDK has no public name for it
    client._supports_message_threads = False  # noqa: SLF001 - so the SDK sends whole conversations
    attempt = _attempt_async if hasattr(client, "__aenter__") else _attempt
    client._attempt_request = partial(attempt, client)  # noqa: SLF001 - so the SDK hides no error of ours in its own
    logging.getLogger(_LOGGER).addFilter(_shows_no_content)


@contextmanager
def _attempting() -> Iterator[None]:
    """Let the SDK log no content while it makes a request."""
    token = _ATTEMPTING.set(True)
    try:
        yield
    finally:
        _ATTEMPTING.reset(token)


class _Apart:
    """Keep an error of ours apart from that of the SDK, which takes it for a failed connection to try again.

    It is raised behind the block: the context of an exception keeps reachable what the one before it says.
    """

    def __init__(self) -> None:
        self.error = PrivguardError("the request ended without a reply")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        ours = error.__cause__ if isinstance(error, Exception) else None
        if isinstance(ours, PrivguardError):
            self.error = ours
            return True
        return False


def _attempt(client: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - the SDK's own types
    with _Apart() as apart, _attempting():
        return type(client)._attempt_request(client, *args, **options)  # noqa: SLF001 - see above
    raise apart.error


async def _attempt_async(client: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - likewise
    with _Apart() as apart, _attempting():
        return await type(client)._attempt_request(client, *args, **options)  # noqa: SLF001 - likewise
    raise apart.error


def _shows_no_content(record: logging.LogRecord) -> bool:
    """Tell whether a message may be logged; of clients that nobody wrapped, all."""
    return not (_ATTEMPTING.get() and str(record.msg).startswith(_LOGS_CONTENT))


_SDK = Sdk(
    api=ANTHROPIC, asks="messages.create", check=_check_supported, put_behind=_put_behind, attempting=_attempting
)
adapter = AnthropicAdapter()
