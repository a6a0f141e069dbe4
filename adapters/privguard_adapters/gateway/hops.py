"""What a proxy owes to HTTP: headers that end at this hop stay here, both ways. What may leave, the gate says."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from privguard import __version__
from privguard_adapters.wire.headers import PROFILE_HEADER, Headers, header_value, is_credential

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
# What the API knows, credentials aside. Any other header tells of the caller, its machine and the way between: it is
# for the gateway.
_OF_THE_API = frozenset({b"accept", b"content-encoding", b"content-type", b"idempotency-key", PROFILE_HEADER})
_OF_THE_API_PREFIXES = (b"openai-", b"anthropic-")
# What the gateway says of itself.
_OURS = frozenset({b"accept-encoding", b"host", b"user-agent"})
_USER_AGENT = (b"user-agent", f"privguard/{__version__}".encode())
# What holds for the host of the model server alone, or is written by the server that answers.
_OF_THE_OTHER_HOST = frozenset({b"alt-svc", b"date", b"server", b"set-cookie", b"strict-transport-security", b"via"})

_DECODED = ("gzip", "deflate")  # content encodings that every installation of the HTTP library reads


def outgoing_headers(headers: Headers, forwarded: Sequence[str] = ()) -> Headers:
    """Return the headers of a request that go on to the model server, names in lower case.

    The content encodings that are asked for are those that both the caller and the gateway can read.

    Args:
        headers: as they came.
        forwarded: patterns of names that go on as well, in lower case.
    """
    here = _HOP | _OURS | _named_by_connection(headers)
    kept = [
        (name, value)
        for raw_name, value in headers
        if (name := raw_name.lower()) not in here and (_is_of_the_api(name) or _fits(name, forwarded))
    ]
    encodings = _encodings(header_value(headers, b"accept-encoding"))
    return (*kept, _USER_AGENT, (b"accept-encoding", encodings.encode()))


def _is_of_the_api(name: bytes) -> bool:
    return name in _OF_THE_API or name.startswith(_OF_THE_API_PREFIXES) or is_credential(name)


def _fits(name: bytes, patterns: Sequence[str]) -> bool:
    shown = name.decode("latin-1")
    return any(fnmatchcase(shown, pattern) for pattern in patterns)


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
