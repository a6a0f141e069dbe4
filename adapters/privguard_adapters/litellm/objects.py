"""Requests and replies of LiteLLM as the JSON that the codecs read, and back."""

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from privguard.core.errors import RestoreError, UnknownContentError
from privguard_adapters.wire.sse import SseParser, write_frame


def write_json(fields: Mapping[str, object]) -> bytes:
    """Write the fields of a request.

    Raises:
        UnknownContentError: one of them holds something that is no JSON.
    """
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False, default=_plain).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        failure = type(error).__name__
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise UnknownContentError(f"an argument holds something that is no JSON ({failure}); nothing was sent")


def read_fields(body: bytes) -> list[object]:
    """Return the values of the fields of a request, in their order: a key may have changed."""
    return list(json.loads(body).values())


def is_stream(reply: object) -> bool:
    """Tell whether a reply comes in pieces."""
    return not hasattr(reply, "model_dump") and (hasattr(reply, "__next__") or hasattr(reply, "__anext__"))


def write_reply(reply: object) -> bytes:
    """Write a whole reply, or a chunk.

    Raises:
        RestoreError: it is of no known class.
    """
    return json.dumps(_dumped(reply), ensure_ascii=False, default=str).encode("utf-8")


def write_event(chunk: object) -> bytes:
    """Write a chunk as an event of a stream; what has a type is an event of that name."""
    if isinstance(chunk, bytes | str):
        return chunk if isinstance(chunk, bytes) else chunk.encode("utf-8")
    fields = _dumped(chunk)
    data = write_frame(json.dumps(fields, ensure_ascii=False, default=str))
    name = fields.get("type") if isinstance(fields, Mapping) else None
    return f"event: {_word(name)}\n".encode() + data if isinstance(name, str) else data


def read_events(restored: bytes, like: object) -> Iterator[Any]:
    """Yield the chunks that events are, each of the class of one that came.

    Args:
        restored: whole events.
        like: the chunk that came last.
    """
    if isinstance(like, bytes | str):
        if restored:
            yield restored if isinstance(like, bytes) else restored.decode("utf-8")
        return
    parser = SseParser()
    for frame in (*parser.feed(restored), *parser.end()):
        if frame.data is not None:
            yield read_reply(frame.data.encode("utf-8"), like)


def read_reply(body: bytes, like: Any) -> Any:  # noqa: ANN401 - of any class of LiteLLM
    """Return a reply of the class of another, with what LiteLLM notes beside its fields."""
    fields = json.loads(body)
    if isinstance(like, Mapping):
        return fields
    made = type(like)(**fields)
    for name in ("_hidden_params", "_response_headers", "_response_ms"):
        if getattr(like, name, None) is not None:
            setattr(made, name, getattr(like, name))
    return made


def _dumped(reply: object) -> object:
    if isinstance(reply, Mapping):
        return reply
    dump = getattr(reply, "model_dump", None)
    if dump is None:
        raise RestoreError(f"the reply is of a class that privguard does not know ({type(reply).__name__})")
    return dump(mode="json")


def _plain(value: object) -> object:
    """Return what an object of an SDK is as JSON: a message of an earlier reply, a member of an enumeration."""
    if isinstance(value, Enum):
        return value.value
    dump = getattr(value, "model_dump", None)
    if dump is None or isinstance(value, type):
        raise TypeError
    return dump(exclude_none=True)


def _word(name: str) -> str:
    return name if name.replace(".", "").replace("_", "").isalnum() else "message"
