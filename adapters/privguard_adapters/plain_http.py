"""Clients of httpx and httpx2 without an SDK above them."""

from types import ModuleType
from typing import TypeVar
from urllib.parse import urlsplit

from privguard.core.errors import ConfigError
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.http_clients import guard_http_client, guard_transport
from privguard_adapters.http_library import library_of

Http = TypeVar("Http")


class PlainHttpAdapter:
    """Protect transports and clients of httpx and httpx2, and classes that users derive from them."""

    def matches(self, inner: object) -> bool:
        """Tell whether it is a transport or a client of one of them."""
        try:
            library_of(inner)
        except TypeError:
            return False
        return True

    def guarded(self, inner: Http, guard: Guarding, base_url: str) -> Http:
        """Return a transport over the one that is given, or a copy of a client, that lets nothing pass unprotected.

        Raises:
            ConfigError: `base_url` is no URL of an API.
        """
        module = library_of(inner)
        gate = _gate(guard, module, base_url)
        if isinstance(inner, module.Client | module.AsyncClient):
            return guard_http_client(inner, gate)
        return guard_transport(inner, gate)


adapter = PlainHttpAdapter()


def _gate(guard: Guarding, module: ModuleType, base_url: object) -> Gate:
    try:
        # As the library writes it in requests: without a port that goes without saying, for one.
        base = str(module.URL(base_url))
        parts = urlsplit(base)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment
    except (module.InvalidURL, TypeError, ValueError):
        wrong = True
    if wrong:
        raise ConfigError("base_url is the URL of an API with its prefix, such as http://localhost:11434/v1")
    return Gate(guard, lambda: base)
