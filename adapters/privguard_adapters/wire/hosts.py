"""Hosts of URLs, and whether two of them are the same."""

from ipaddress import IPv6Address
from urllib.parse import SplitResult

_PORTS = {"http": "80", "https": "443"}


def host_of(url: SplitResult) -> str:
    """Return the host of a URL with its port, as it is written."""
    return url.netloc.rpartition("@")[2]


def origin_of(url: SplitResult) -> tuple[str, str]:
    """Return scheme and host as they count.

    In any letter case, without a port that goes without saying, and with IPv6 addresses in their shortest form.
    """
    written = host_of(url).lower()
    end = written.rfind("]") + 1  # of an IPv6 address, which holds colons itself
    host, _, port = written[end:].partition(":")
    port = "" if port == _PORTS.get(url.scheme) else port
    return url.scheme, f"{_shortest(written[:end])}{host}:{port}"


def _shortest(bracketed: str) -> str:
    try:
        return f"[{IPv6Address(bracketed[1:-1])}]" if bracketed else ""
    except ValueError:
        return bracketed
