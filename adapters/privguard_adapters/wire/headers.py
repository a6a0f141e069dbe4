"""Request headers and query: what passes, what is looked at first, and what only privguard reads."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias
from urllib.parse import parse_qsl

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.checks import Check

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]

PROFILE_HEADER = b"x-privguard-profile"

# What opens the door of the provider, or of a gateway before it, is theirs to read.
_CREDENTIALS = frozenset({b"authorization", b"proxy-authorization", b"api-key", b"x-api-key", b"cookie"})
_GATEWAY_CREDENTIAL = re.compile(rb"(?:.*-)?(?:auth|authorization|api-?key|access-token)")
# What a machine made to open a door is one word, behind a scheme or with both letters and digits.
_SIGNS = rb"[A-Za-z0-9._~+/=:|-]+"
_MADE = rb"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])" + _SIGNS
_CREDENTIAL = re.compile(rb"(?:Bearer|Basic|Token|Key|Api-?Key|JWT) +" + _SIGNS + rb"|" + _MADE, re.IGNORECASE)
_OPENING_NAME = re.compile(r".*(?:token|secret|key)", re.IGNORECASE)
_MIN_MADE = 16  # bytes of one that no person thought of
_FRAMING = frozenset({b"content-length", b"transfer-encoding"})

_VERSION = r"[0-9]{1,3}(?:\.[0-9]{1,4}){0,3}(?:(?:a|b|rc|\.dev|\.post)[0-9]{1,3})?\+?"
_HELPERS = (
    r"(?:beta\.)?messages\.parse|BetaToolRunner|browser-toolset|compaction|computer-toolset|fallback-refusal-middleware"
    r"|mcp_(?:content|message|resource_to_content|resource_to_file|tool)|message-thread"
)
# The values that SDK and HTTP client write themselves. Any other value of these headers is looked at like a stranger's.
_USUAL = {
    "host": r"(?!)",  # but the host that the request goes to
    "accept": r"(?:(?:application|text|\*)/(?:json|event-stream|plain|octet-stream|binary|\*)(?:, ?)?)+|\*/\*",
    "accept-encoding": r"(?:(?:gzip|deflate|br|zstd|identity|\*)(?:, ?)?)+",
    "connection": r"keep-alive|close",
    "content-length": r"[0-9]{1,12}",
    "content-type": r"application/json(?:; ?charset=utf-8)?",
    "transfer-encoding": r"chunked",
    "user-agent": rf"(?:Async)?(?:(?:Azure)?OpenAI|Anthropic(?:Foundry)?)/Python {_VERSION}"
    rf"|python-httpx2?/{_VERSION}|privguard/{_VERSION}",
    "openai-organization": r"org-[A-Za-z0-9]{1,64}",
    "openai-project": r"proj_[A-Za-z0-9]{1,64}",
    "openai-beta": r"[a-z_]{1,32}=v[0-9]{1,2}",
    "anthropic-version": r"20[0-9]{2}-[0-9]{2}-[0-9]{2}",
    "anthropic-beta": r"(?:[a-z0-9-]{1,48}20[0-9]{2}-[0-9]{2}-[0-9]{2}(?:, ?)?)+",
    "anthropic-workspace-id": r"wrkspc_[A-Za-z0-9]{1,64}",
    "idempotency-key": r"stainless-python-retry-[0-9a-f-]{36}",
    "x-stainless-lang": r"python",
    "x-stainless-package-version": _VERSION,
    "x-stainless-os": r"Linux|MacOS|Windows|FreeBSD|OpenBSD|iOS|Android|Unknown",
    "x-stainless-arch": r"x32|x64|arm|arm64|unknown",
    "x-stainless-runtime": r"CPython|PyPy|unknown",
    "x-stainless-runtime-version": rf"{_VERSION}|unknown",
    "x-stainless-async": r"false|true|async:(?:asyncio|trio|curio|unknown)",
    "x-stainless-retry-count": r"[0-9]{1,3}",
    "x-stainless-read-timeout": r"[0-9]{1,5}(?:\.[0-9]{1,3})?",
    "x-stainless-timeout": r"[0-9]{1,5}(?:\.[0-9]{1,3})?|None|NOT_GIVEN",
    "x-stainless-raw-response": r"true|stream|raw",
    "x-stainless-helper-method": r"(?:beta\.)?chat\.completions\.(?:parse|stream)|stream",
    "x-stainless-stream-helper": r"(?:beta\.)?messages",
    "x-stainless-helper": rf"(?:{_HELPERS})(?:, ?(?:{_HELPERS}))*",
    "x-stainless-poll-helper": r"true",
    "traceparent": r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}",
}
_PATTERNS = {name.encode(): re.compile(value.encode()) for name, value in _USUAL.items()}
_API_VERSION = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?:-preview)?|v[0-9]{1,2}|preview|latest")


def profile_of(headers: Headers) -> str | None:
    """Return the profile that the caller names for this request alone."""
    return next((value.decode("latin-1").strip() for name, value in headers if name.lower() == PROFILE_HEADER), None)


def header_value(headers: Headers, name: bytes) -> str:
    """Return a header in lower case, "" where it is absent."""
    return next((value.decode("latin-1").strip().lower() for key, value in headers if key.lower() == name), "")


def header_items(headers: Headers, name: bytes) -> frozenset[str]:
    """Return the items of a list that headers of one name make up together, in lower case and with their weights."""
    values = [value.decode("latin-1").lower() for key, value in headers if key.lower() == name]
    return frozenset([item.strip() for value in values for item in value.split(",")]) - {""}


def content_encodings(headers: Headers) -> frozenset[str]:
    """Return the content encodings of a body, in lower case; none of a plain one."""
    return header_items(headers, b"content-encoding") - {"identity"}


def is_credential(name: bytes) -> bool:
    """Tell whether a header, its name in lower case, opens the door of a provider or of a gateway before it.

    Cookies and what is for proxies are none of the caller's.
    """
    if name in (b"proxy-authorization", b"cookie"):
        return False
    return name in _CREDENTIALS or _GATEWAY_CREDENTIAL.fullmatch(name) is not None


def opens_door(name: bytes, value: bytes) -> bool:
    """Tell whether a header, its name in lower case, is named like a credential and holds what a machine made."""
    return is_credential(name) and _CREDENTIAL.fullmatch(value) is not None


def check_json(headers: Headers) -> None:
    """Check that a body is declared as JSON in UTF-8.

    Raises:
        UnknownContentError: it is not, or it is compressed.
    """
    kind, _, rest = header_value(headers, b"content-type").partition(";")
    charset = rest.replace(" ", "").replace('"', "")
    if kind.strip() != "application/json" or charset not in ("", "charset=utf-8", "charset=utf8"):
        raise UnknownContentError("the body is not declared as application/json in UTF-8; only JSON can be minimized")
    check_plain(headers)


def check_plain(headers: Headers) -> None:
    """Check that a body is not compressed.

    Raises:
        UnknownContentError: it is.
    """
    if content_encodings(headers):
        raise UnknownContentError("the body is compressed; send it plain")


def credentials_of(headers: Headers) -> tuple[str, ...]:
    """Return the names and values that tell who calls, sorted."""
    found = [(name.lower(), value) for name, value in headers if is_credential(name.lower())]
    return tuple(part.decode("latin-1") for pair in sorted(found) for part in pair)


def content_type(headers: Headers) -> tuple[str, str]:
    """Return the media type and the charset of a body, "" where they are not given."""
    kind, _, rest = header_value(headers, b"content-type").partition(";")
    parameters = [each.partition("=") for each in rest.split(";")]
    charset = next((value.strip().strip("\"'") for name, _, value in parameters if name.strip() == "charset"), "")
    return kind.strip(), charset


def with_body(headers: Headers, length: int | None) -> Headers:
    """Return the headers of a body of another length and no content encoding, without those that are ours alone.

    Args:
        headers: as they came.
        length: in bytes; None for a stream.
    """
    kept: list[tuple[bytes, bytes]] = []
    written = length is None
    for name, value in headers:
        lower = name.lower()
        if lower in _FRAMING:
            if not written:
                kept.append((name if lower == b"content-length" else b"content-length", str(length).encode()))
                written = True
        elif lower not in (PROFILE_HEADER, b"content-encoding"):
            kept.append((name, value))
    if not written and length:
        kept.append((b"content-length", str(length).encode()))
    return tuple(kept)


def header_checks(headers: Headers, host: str, passed: Sequence[str]) -> Iterator[Check]:
    """Return what must be looked at before the headers may leave.

    Args:
        headers: as they came.
        host: the host and port that the request goes to.
        passed: patterns of header names that the profile lets through unread, lower case.
    """
    for raw_name, value in headers:
        name = raw_name.lower()
        if name in _CREDENTIALS or name == PROFILE_HEADER or (name == b"host" and value == host.encode()):
            continue
        opens = _GATEWAY_CREDENTIAL.fullmatch(name) is not None
        if opens and _CREDENTIAL.fullmatch(value):
            continue
        usual = _PATTERNS.get(name)
        if usual is not None:
            if not usual.fullmatch(value):
                yield Check(label=f"the header {name.decode('ascii')}", text=_text(value))
            continue
        shown = name.decode("latin-1")
        if any(fnmatchcase(shown, pattern.lower()) for pattern in passed):
            continue
        if opens:
            yield Check(label="a header that is named like a credential and holds none", text=_text(value))
            continue
        yield Check(label="the name of a header", text=_text(name))
        yield Check(
            label="a header that is neither the SDK's nor listed in pass_headers",
            text=_text(value),
            key=_context(raw_name.decode("latin-1"), value),
        )


def query_checks(query: str) -> Iterator[Check]:
    """Return what must be looked at before a query may leave."""
    for number, (key, value) in enumerate(parse_qsl(query, keep_blank_values=True)):
        if (key == "api-version" and _API_VERSION.fullmatch(value)) or (key == "beta" and value == "true"):
            continue
        yield Check(label=f"the name of query parameter {number}", text=key)
        yield Check(label=f"query parameter {number}", text=value, key=_context(key, value.encode()))


def _context(name: str, value: bytes) -> str:
    """Return the name of a header or parameter as far as it tells what its value is.

    What a machine made opens a door of whoever runs the service: it is looked at as if it stood alone.
    """
    opens = _OPENING_NAME.fullmatch(name) and len(value) >= _MIN_MADE and re.fullmatch(_MADE, value)
    return "" if opens else name


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
