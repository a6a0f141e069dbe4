"""What left of a conversation, in whichever API."""

from typing import Any

from privguard.testing import Recorded


def messages_of(request: Recorded) -> list[dict[str, Any]]:
    """Return the messages of a request."""
    body = request.json()
    found: list[dict[str, Any]] = body["messages"] if "messages" in body else body["input"]
    return found
