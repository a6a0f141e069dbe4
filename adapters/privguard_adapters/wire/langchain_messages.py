"""The messages of LangChain as JSON of the shape of chat completions, and back.

A message is the mapping of its fields: `role`, `content`, `name`, `tool_calls`, `invalid_tool_calls`, `tool_call_id`,
`id`, `additional_kwargs`, and of pieces of a stream `tool_call_chunks`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_values import Json, Value, Values

Fields: TypeAlias = Mapping[str, Any]  # of a message

PLAIN = ("role", "name", "tool_call_id", "id")
_NESTED = ("tool_call_chunks", "response_metadata", "additional_kwargs", "extra")


def dump(document: Json, *, sent: bool = False) -> bytes:
    """Write a document; one that is sent holds no NaN."""
    try:
        return json.dumps(document, allow_nan=not sent).encode()
    except ValueError:
        pass
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise UnknownContentError("a number of the request is not finite, or its values are nested in themselves")


def load(text: str | bytes) -> Json:
    """Read a document that comes back."""
    return json.loads(text, strict=False)


def show_message(message: Fields, values: Values) -> dict[str, Json]:
    """Show a message, without the fields that it does not have.

    Raises:
        UnknownContentError: it is to be sent and holds what cannot be read.
    """
    shown = {key: values.show(message[key]) for key in PLAIN if message.get(key) is not None}
    shown["content"] = values.content(message["content"])
    for key in _NESTED:
        if message.get(key):
            shown[key] = values.show(message[key])
    calls = _calls(message)
    return {**shown, "tool_calls": values.show(calls)} if calls else shown


def weave_message(
    message: Fields, new: Mapping[str, Json], values: Values, whole: Iterator[Json] | None = None
) -> dict[str, Value]:
    """Return the fields of a message with what became of what was shown of it.

    Args:
        message: its fields.
        new: what became of them.
        values: shows, and weaves.
        whole: what became of the calls that were complete in one piece of a stream, in their order.
    """
    woven = dict(message)
    whole = iter(()) if whole is None else whole
    for key in (*PLAIN, "content", *_NESTED):
        if key in new and key in message:
            woven[key] = values.weave(message[key], new[key], whole)
    if "tool_calls" in new:
        calls = values.weave(_calls(message), new["tool_calls"], whole)
        valid = len(message.get("tool_calls", ()))
        woven |= {"tool_calls": calls[:valid], "invalid_tool_calls": calls[valid:]}
    return woven


def _calls(message: Fields) -> list[Value]:
    """Return the calls of a message, those that could not be parsed behind the others."""
    return [
        call if "type" in call else {**call, "type": kind}
        for key, kind in (("tool_calls", "tool_call"), ("invalid_tool_calls", "invalid_tool_call"))
        for call in message.get(key) or ()
    ]
