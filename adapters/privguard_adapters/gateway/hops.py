"""What a proxy owes to HTTP: headers that end at this hop stay here, both ways. What may leave, the gate says."""

from privguard import __version__
from privguard_adapters.wire.headers import Headers, header_value

# RFC 9110, section 7.6.1, and what is written anew at each hop.
_HOP = frozenset(
    {
        b"connection",
        b"content-length",
        b"expect",
        b"http2-settings",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
# What proxies, browsers and SDKs tell of the caller and its machine: to the gateway, not to the model server.
_MEANT_FOR_US = frozenset(
    {
        b"accept-language",
        b"cookie",
        b"forwarded",
        b"host",
        b"origin",
        b"referer",
        b"true-client-ip",
        b"user-agent",
        b"via",
        b"x-client-ip",
        b"x-real-ip",
    }
)
_MEANT_FOR_US_PREFIXES = (b"cf-", b"sec-", b"x-envoy-", b"x-forwarded-", b"x-stainless-")
_OURS = (b"user-agent", f"privguard/{__version__}".encode())
# What holds for the host of the model server alone, or is written by the server that answers.
_OF_THE_OTHER_HOST = frozenset({b"alt-svc", b"date", b"server", b"set-cookie", b"strict-transport-security", b"via"})

_DECODED = ("gzip", "deflate")  # content encodings that every installation of the HTTP library reads


def outgoing_headers(headers: Headers) -> Headers:
    """Return the headers of a request that go on to the model server, names in lower case.

    The content encodings that are asked for are those that both the caller and the gateway can read.
    """
    named = _named_by_connection(headers)
    kept = [
        (name, value)
        for raw_name, value in headers
        if (name := raw_name.lower()) not in _HOP
        and name not in _MEANT_FOR_US
        and name not in named
        and name != b"accept-encoding"
        and not name.startswith(_MEANT_FOR_US_PREFIXES)
    ]
    return (*kept, _OURS, (b"accept-encoding", _encodings(header_value(headers, b"accept-encoding")).encode()))


def reply_headers(headers: Headers) -> Headers:
    """Return the headers of a reply that go on to the caller."""
    named = _named_by_connection(headers)
    dropped = (_HOP - {b"content-length"}) | _OF_THE_OTHER_HOST | named
    return tuple((name, value) for name, value in headers if name.lower() not in dropped)


def _named_by_connection(headers: Headers) -> frozenset[bytes]:
    """Return the headers that the Connection header declares to be for this hop."""
    values = [value for name, value in headers if name.lower() == b"connection"]
    return frozenset(each.strip().lower() for value in values for each in value.split(b",")) - {b""}


def _encodings(accepted: str) -> str:
    """Return the encodings to ask for: those of `accepted` that can be read here, with no weights."""
    offered: dict[str, bool] = {}
    for item in accepted.split(","):
        name, _, weight = item.partition(";")
        offered[name.strip()] = weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    wanted = [name for name in _DECODED if offered.get(name, offered.get("*", False))]
    return ", ".join(wanted) or "identity"
