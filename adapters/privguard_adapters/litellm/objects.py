"""Requests and replies of LiteLLM as the JSON that the codecs read, and back."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping
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


def kind_of_chunk(chunk: object) -> str:
    """Return what sort of event a chunk is, "" where its API has but one."""
    kind = chunk.get("type") if isinstance(chunk, Mapping) else getattr(chunk, "type", None)
    return str(getattr(kind, "value", kind) or "")


def read_events(restored: bytes, like: Callable[[str], Any], last: object) -> Iterator[Any]:
    """Yield the chunks that events are, each of the class of one that came.

    Args:
        restored: whole events.
        like: returns a chunk of a sort that came, or the last one.
        last: the chunk that came last.

    Raises:
        RestoreError: an event fits no class of LiteLLM.
    """
    if isinstance(last, bytes | str):
        if restored:
            yield restored if isinstance(last, bytes) else restored.decode("utf-8")
        return
    parser = SseParser()
    for frame in (*parser.feed(restored), *parser.end()):
        if frame.data is not None:
            yield _made(json.loads(frame.data), like)


def read_reply(body: bytes, like: object) -> Any:  # noqa: ANN401 - of any class of LiteLLM
    """Return a reply of the class of another, with what LiteLLM notes beside its fields.

    Raises:
        RestoreError: it does not fit that class.
    """
    return _made(json.loads(body), lambda _kind: like)


def _made(fields: Any, like: Callable[[str], Any]) -> Any:  # noqa: ANN401 - likewise
    source = like(kind_of_chunk(fields))
    if isinstance(source, Mapping):
        return fields
    failure = ""
    try:
        made = type(source)(**fields)
    except ValueError:  # LiteLLM itself makes objects that their classes would not take
        made = None
    try:
        made = made or _patched(copy.deepcopy(source), fields)
        for name in ("_hidden_params", "_response_headers", "_response_ms"):
            if getattr(source, name, None) is not None:
                setattr(made, name, getattr(source, name))
    except Exception as error:  # noqa: BLE001 - its text holds the reply
        failure = type(error).__name__
    if failure:
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        raise RestoreError(f"the restored reply does not fit {type(source).__name__} ({failure})")
    return made


def _patched(old: Any, new: Any) -> Any:  # noqa: ANN401 - likewise
    """Return an object with other values in its fields."""
    if isinstance(new, dict) and hasattr(old, "model_dump"):
        for name, value in new.items():
            setattr(old, name, _patched(getattr(old, name, None), value))
        return old
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [_patched(*pair) for pair in zip(old, new, strict=True)]
    return old if isinstance(old, Enum) and old.value == new else new


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
