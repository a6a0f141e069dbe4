"""A request as it comes in: what is needed of it, and its body up to a limit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
from starlette.types import Receive

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.gateway.apis import APIS
from privguard_adapters.gateway.problems import TOO_SLOW, Refused, too_large
from privguard_adapters.wire.headers import Headers, header_value

BASE_PATH = "/v1"
_METHODS = ("GET", "POST", "DELETE")


class CallerLeft(Exception):  # noqa: N818 - nothing is wrong
    """The caller hung up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """The head of a request."""

    method: str
    path: str | None = field(repr=False)  # below the base path, percent-encoded; None where it is not there
    query: str = field(repr=False)
    headers: Headers = field(repr=False)

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Incoming":
        """Read the head of an ASGI request."""
        raw = scope["raw_path"].decode("latin-1")
        below = raw.removeprefix(BASE_PATH)
        return cls(
            method=scope["method"].upper(),
            path=below if raw.startswith(BASE_PATH + "/") else None,
            query=scope["query_string"].decode("latin-1"),
            headers=tuple(scope["headers"]),
        )

    @property
    def route(self) -> str:
        """Name the route, without ids and without anything that a caller could have put there."""
        if self.path is None:
            return "a path outside /v1"
        try:
            return APIS.find_route(self.asked_method, self.path, "").name
        except UnprotectedRouteError:
            return APIS.route_name(self.method, self.path, "")

    @property
    def is_protected(self) -> bool:
        """Tell whether the gate knows the route."""
        return self.path is not None and _is_protected(self.asked_method, self.path)

    @property
    def asked_method(self) -> str:
        """Return the method to ask the model server with: the body of HEAD is dropped here."""
        return "GET" if self.method == "HEAD" else self.method

    def allowed(self) -> tuple[str, ...]:
        """Return the methods that the path may be asked with."""
        path = self.path
        return () if path is None else tuple(each for each in _METHODS if _is_protected(each, path))


async def read_body(receive: Receive, headers: Headers, *, limit: int, timeout_s: float) -> bytes:
    """Read a body, however it is framed.

    Raises:
        Refused: it is too large, or does not come.
        CallerLeft: the caller hung up.
    """
    declared = header_value(headers, b"content-length")
    if declared.isdigit() and int(declared) > limit:
        raise Refused(too_large(limit))
    parts: list[bytes] = []
    size = 0
    with anyio.move_on_after(timeout_s):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise CallerLeft
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > limit:
                raise Refused(too_large(limit))
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)
    raise Refused(TOO_SLOW)


def _is_protected(method: str, path: str) -> bool:
    try:
        APIS.find_route(method, path, "")
    except UnprotectedRouteError:
        return False
    return True
