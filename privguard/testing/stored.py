"""What the scripted server keeps, as the provider does: responses that it is asked for again, and conversations."""

import re
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import parse_qs

from privguard.testing import responses
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply

Json = responses.Json
_CREATED = 1_700_000_000
_RESPONSE = re.compile(r".*/responses/resp_(\d+)(/cancel|/input_items)?")
_CONVERSATION = re.compile(r".*/conversations(?:/conv_(\d+)(/items(?:/[^/]+)?)?)?")


class Memory(Protocol):
    """What the server remembers."""

    def earlier(self, number: int) -> tuple[Recorded, Reply] | None:
        """Return an earlier request by its number, with the reply to it."""
        ...


def is_stored(request: Recorded) -> bool:
    """Tell whether a request is about what is kept."""
    path = request.path.rstrip("/")
    return _RESPONSE.fullmatch(path) is not None or _CONVERSATION.fullmatch(path) is not None


def is_kept(request: Recorded, memory: Memory) -> bool:
    """Tell whether there is what such a request asks for."""
    found = _RESPONSE.fullmatch(request.path.rstrip("/"))
    return found is None or memory.earlier(int(found[1])) is not None


def is_resumed(request: Recorded) -> bool:
    """Tell whether a kept response is to be streamed."""
    return request.method == "GET" and _option(request, "stream") == "true"


def stored_body(request: Recorded, memory: Memory, number: int) -> Json:
    """Write what is kept."""
    path = request.path.rstrip("/")
    about = _CONVERSATION.fullmatch(path)
    if about is not None:
        return _conversation(request, memory, about[1] or str(number), about[2] or "")
    kept, of, below = _kept(request, memory)
    if request.method == "DELETE":
        return {"id": f"resp_{of}", "object": "response", "deleted": True}
    if below == "/input_items":
        return responses.list_body(responses.items_of(kept[0]))
    whole = responses.response_body(*kept, of)
    return {**whole, "status": "cancelled"} if below else whole


def stored_events(request: Recorded, memory: Memory) -> Iterator[Json]:
    """Write a kept response as the events of a stream, those behind `starting_after`."""
    kept, of, _ = _kept(request, memory)
    after = int(_option(request, "starting_after") or -1)
    for event in responses.response_events(*kept, of):
        if event["sequence_number"] > after:
            yield event


def _kept(request: Recorded, memory: Memory) -> tuple[tuple[Recorded, Reply], int, str]:
    """Return the request and the reply that are kept, their number, and what of them is asked for."""
    found = _RESPONSE.fullmatch(request.path.rstrip("/"))
    kept = memory.earlier(int(found[1])) if found is not None else None
    if found is None or kept is None:
        raise LookupError("nothing is kept there")
    return kept, int(found[1]), found[2] or ""


def _option(request: Recorded, name: str) -> str:
    return parse_qs(request.target.partition("?")[2]).get(name, [""])[0]


def _conversation(request: Recorded, memory: Memory, number: str, below: str) -> Json:
    conversation = {"id": f"conv_{number}", "object": "conversation", "created_at": _CREATED}
    kept = memory.earlier(int(number))
    first = kept[0] if kept is not None and kept[0].path.endswith("/conversations") else request
    if request.method == "DELETE":
        return {"id": f"conv_{number}", "object": "conversation.deleted", "deleted": True}
    if below == "/items":
        return responses.list_body(responses.items_of(request if request.method == "POST" else first))
    if below:
        return responses.items_of(first)[0]
    given = request if request.method == "POST" else first
    return {**conversation, "metadata": given.json().get("metadata") or {}}
