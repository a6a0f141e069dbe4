"""What a protected client offers as `client.privguard`: what it would send, and what it has sent last."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from privguard.guard import Watch
from privguard.showing import LastExchange, Preview
from privguard_adapters.call import HttpRequest
from privguard_adapters.guarding import Guarding
from privguard_adapters.watching import preview_request
from privguard_adapters.wire.routes import OPENAI, Api


class DryCall(Protocol):
    """Make the request of a call of the SDK without sending it."""

    def __call__(self, call: object, args: Sequence[object], kwargs: Mapping[str, object]) -> HttpRequest:
        """Return the request.

        Raises:
            ConfigError: it is no method of the client that sends a request at once.
        """
        ...


class ClientSession:
    """The session of one client: `privguard.Session` says what each method does."""

    def __init__(
        self,
        guard: Guarding,
        watch: Watch,
        *,
        base_url: Callable[[], str],
        dry: DryCall,
        asks: str,
        api: Api = OPENAI,
    ) -> None:
        """Start without an exchange.

        Args:
            guard: of the client.
            watch: its last exchange.
            base_url: of the client.
            dry: makes the request of a call.
            asks: the path of the method that a preview is of, unless another is named.
            api: whose routes the client calls.
        """
        self._guard, self._watch, self._base_url, self._dry, self._asks = guard, watch, base_url, dry, asks
        self._api = api

    @property
    def guard(self) -> Guarding:
        """Return the guard of the client."""
        return self._guard

    @property
    def watch(self) -> Watch:
        """Return what notes the last exchange, for copies of the client."""
        return self._watch

    def preview(self, call: Callable[..., object] | str | None = None, /, *args: object, **kwargs: object) -> Preview:
        """Return what would leave of a call, and why. Nothing is sent."""
        request = self._dry(self._asks if call is None else call, args, kwargs)
        return preview_request(self._guard, request, self._base_url, self._api)

    def last_exchange(self) -> LastExchange | None:
        """Return the last exchange of the client."""
        trace = self._watch.trace
        return None if trace is None else LastExchange(trace)

    def keep(self) -> None:
        """Keep from now on what the last exchange said and what left of it."""
        self._watch.keeps = True

    def forget(self) -> None:
        """Keep no content any more, and drop what is kept."""
        self._watch.forget()

    def __repr__(self) -> str:
        return f"ClientSession(keeps={self._watch.keeps})"
