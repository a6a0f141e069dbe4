"""Errors of the scripted server, in the form of each API: a whole reply, or an event of a stream."""

import json

from privguard.testing import completions, messages
from privguard.testing.recorded import Recorded

_OF_MESSAGES = frozenset({"messages", "count"})
_FAILED = 500


def body(kind: str, status: int) -> completions.Json:
    """Return the body of a reply with a status that is an error."""
    return _written(kind, status, "scripted failure")


def event(kind: str, request: Recorded, number: int) -> bytes:
    """Return an event that ends a stream, and quotes the first placeholder of the request as providers do.

    Args:
        kind: of the route.
        request: that the stream answers.
        number: of the event.
    """
    said = f"scripted failure about {next(iter(request.placeholders()), 'nothing')}"
    if kind == "responses":
        told = {"type": "error", "code": "server_error", "message": said, "param": None, "sequence_number": number}
    else:
        told = _written(kind, _FAILED, said)
    name = b"event: error\n" if "type" in told else b""
    return name + b"data: " + json.dumps(told, ensure_ascii=False).encode() + b"\n\n"


def _written(kind: str, status: int, message: str) -> completions.Json:
    write = messages.message_error if kind in _OF_MESSAGES else completions.error_body
    return write(status, message)
