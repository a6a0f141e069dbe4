"""The settings of a gateway, checked once, before anything listens."""

import ipaddress
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from privguard.core.errors import ConfigError

MIB = 2**20
_POSITIVE = (
    "max_body_bytes",
    "max_requests",
    "body_timeout_s",
    "connect_timeout_s",
    "read_timeout_s",
    "write_timeout_s",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where a gateway listens, whom it asks, and how much it bears.

    Raises:
        ConfigError: a setting is wrong; the message does not repeat it.
    """

    upstream: str = field(repr=False)  # base URL of the model server, `/v1` included where it has one
    host: str = "127.0.0.1"
    port: int = 8080
    allow_public: bool = False
    forward_headers: tuple[str, ...] = ()  # patterns of names that pass beside those of the API, in lower case
    max_body_bytes: int = 8 * MIB
    max_requests: int = 512  # open at the same time
    body_timeout_s: float = 60.0  # for a request to come in whole
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 600.0  # between two pieces of a reply
    write_timeout_s: float = 60.0  # for a caller to take a piece of it
    grace_s: float = 30.0  # for open replies when the gateway stops

    def __post_init__(self) -> None:
        """Check every setting."""
        _check_upstream(self.upstream)
        if not 0 <= self.port <= 65535:
            raise ConfigError("the port is a number from 0 to 65535, 0 for any that is free")
        for name in _POSITIVE:
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be more than 0")
        if any(pattern != pattern.lower() for pattern in self.forward_headers):
            raise ConfigError("forward_headers are names or patterns in lower case")
        if self.grace_s < 0:
            raise ConfigError("grace_s must not be less than 0")
        if not self.allow_public and not is_loopback(self.host):
            raise ConfigError(
                "the host is no loopback address: all who reach it could use the gateway, and requests and keys would "
                "travel unencrypted. Put a proxy with TLS before a loopback address, or give --allow-public where "
                "something else sees to both"
            )

    @property
    def base_url(self) -> str:
        """Return the address of the model server without a slash at its end."""
        return self.upstream.rstrip("/")

    @property
    def upstream_in_clear(self) -> bool:
        """Tell whether requests travel to the model server unencrypted, over more than the loopback interface."""
        url = urlsplit(self.upstream)
        return url.scheme == "http" and not is_loopback(url.hostname or "")


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine alone. Names other than localhost are not looked up: they may change."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _read_url(given: str) -> SplitResult | None:
    with suppress(ValueError):
        url = urlsplit(given)
        _ = url.port  # read when it is asked for
        return url
    return None


def _check_upstream(given: str) -> None:
    url = _read_url(given)
    if url is None:
        raise ConfigError("the upstream is no URL")
    port_is_valid = url.port is None or url.port > 0
    if url.scheme not in ("http", "https") or not url.hostname or not port_is_valid or not given.isprintable():
        raise ConfigError("the upstream must be a URL such as https://api.openai.com/v1")
    if url.username is not None or url.password is not None:
        raise ConfigError("the upstream must not hold credentials: those of the callers pass through")
    if url.query or url.fragment or " " in given:
        raise ConfigError("the upstream must be a URL without a query, a fragment or a space")
