"""What the scripted server saw of one request: every byte, and the body decoded."""

import gzip
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from privguard.core.entities import EntityType
from privguard.testing.found import Found, find_placeholders


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request as it came over the wire."""

    method: str
    target: str = field(repr=False)  # path and query as sent
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)  # raw, as sent
    decoded: bytes = field(repr=False)  # the body without its content encoding

    @property
    def path(self) -> str:
        """Return the path without the query."""
        return self.target.partition("?")[0]

    @property
    def wire(self) -> bytes:
        """Return everything that was sent, and the decoded body: what to search for canaries."""
        head = "\r\n".join([f"{self.method} {self.target}", *(f"{name}: {value}" for name, value in self.headers)])
        return b"\r\n\r\n".join((head.encode("latin-1", "replace"), self.body, self.decoded))

    def header(self, name: str) -> str | None:
        """Return the first header of that name in any letter case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def json(self) -> dict[str, Any]:
        """Return the decoded body as a JSON object; an empty one where it is none."""
        try:
            body = json.loads(self.decoded)
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    @property
    def text(self) -> str:
        """Return all strings of the JSON body, in order, one a line; the decoded body where it is no JSON."""
        try:
            return "\n".join(_strings(json.loads(self.decoded)))
        except ValueError:
            return self.decoded.decode(errors="replace")

    def placeholders(self) -> tuple[Found, ...]:
        """Return the placeholders of the request, each id once, in the order in which they stand."""
        return find_placeholders(self.text)

    def placeholder(self, kind: EntityType) -> Found | None:
        """Return the first placeholder of a type."""
        return next((found for found in self.placeholders() if found.kind is kind), None)


def decode_body(body: bytes, encoding: str) -> bytes:
    """Undo gzip or deflate; bytes that do not decode are returned as they are."""
    try:
        match encoding.strip().lower():
            case "gzip":
                return gzip.decompress(body)
            case "deflate":
                return zlib.decompress(body)
    except (OSError, EOFError, zlib.error):
        return body
    return body


def _strings(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [text for item in value for text in _strings(item)]
        case dict():
            return [text for item in value.values() for text in _strings(item)]
        case _:
            return []
