"""What a protected client offers beside the API of its SDK: `client.privguard`."""

from collections.abc import Callable
from typing import Protocol, cast

from privguard.core.errors import ConfigError
from privguard.guard import Guard
from privguard.showing import LastExchange, Preview

ATTRIBUTE = "privguard"  # of a protected client


class Session(Protocol):
    """What `client.privguard` offers. Copies of a client, as by `with_options`, share its last exchange."""

    @property
    def guard(self) -> Guard:
        """Return the guard of the client."""
        ...

    def preview(self, call: Callable[..., object] | str | None = None, /, *args: object, **kwargs: object) -> Preview:
        """Return what would leave of a call, and why. Nothing is sent, recorded or kept, and nothing is awaited.

        It takes what the call itself takes: `client.privguard.preview(model=…, messages=…)`. It runs the detectors, so
        that an event loop is blocked for as long as that takes.

        Args:
            call: a method of this client (`client.embeddings.create`), or its path (`"embeddings.create"`). Default:
                the one that asks in messages.
            args: of the call.
            kwargs: of the call.

        Raises:
            ProtectionError: the call itself would be refused.
            ConfigError: it is no method of this client that sends a request at once.
        """
        ...

    def last_exchange(self) -> LastExchange | None:
        """Return the last exchange of this client, whatever thread or task it was made in; None before the first."""
        ...

    def keep(self) -> None:
        """Keep from now on what the last exchange said and what left of it, until the next one, or `forget`."""
        ...

    def forget(self) -> None:
        """Keep no content any more, and drop what is kept."""
        ...


def session(client: object) -> Session:
    """Return `client.privguard` of a protected client, with its types.

    Raises:
        ConfigError: the client is not protected, or its adapter offers no session.
    """
    found = vars(client).get(ATTRIBUTE) if hasattr(client, "__dict__") else None
    if found is None:
        raise ConfigError(
            "clients of OpenAI and Anthropic that privguard.wrap() has returned have a session; "
            "privguard.last_exchange() tells of every client"
        )
    return cast("Session", found)
