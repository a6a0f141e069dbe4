"""The JSON of the Messages API: replies whole and as stream events, token counts and errors."""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from privguard.testing.completions import choices_of
from privguard.testing.found import PLACEHOLDER
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply, cut_at, cut_by
from privguard.testing.said import Said, ToolUse

Json = dict[str, Any]


def message_body(request: Recorded, reply: Reply, number: int) -> Json:
    """Write a whole message."""
    said = choices_of(request, reply)[0]
    blocks = [{**block, **filled} for block, filled in _blocks(request, said, reply, number)]
    return {
        **_head(request, number),
        "content": blocks,
        "stop_reason": _end(said, reply),
        "stop_sequence": None,
        "usage": _usage(request),
    }


def message_events(request: Recorded, reply: Reply, number: int) -> Iterator[Json]:
    """Write a message as the events of a stream."""
    said = choices_of(request, reply)[0]
    start = {**_head(request, number), "content": [], "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": {**start, "usage": _usage(request)}}
    for index, (block, filled) in enumerate(_blocks(request, said, reply, number)):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        if not index:
            yield {"type": "ping"}
        for delta in _deltas(filled, reply):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": _end(said, reply), "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}
    if reply.done:
        yield {"type": "message_stop"}


def count_body(request: Recorded) -> Json:
    """Write a count of tokens."""
    return {"input_tokens": len(request.text.split())}


def message_error(status: int, message: str) -> Json:
    """Write an error in the form of the API."""
    kind = "rate_limit_error" if status == 429 else "api_error" if status >= 500 else "invalid_request_error"
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_scripted"}


def seal(text: str) -> str:
    """Sign a text as the API signs what its model thinks: the same text, the same signature."""
    return base64.b64encode(hashlib.sha512(text.encode("utf-8", "replace")).digest()).decode()


def cite(request: Recorded) -> list[Json]:
    """Cite the first placeholder that stands in a text document of the request."""
    for number, document in enumerate(_documents(request.json().get("messages"))):
        source = document.get("source")
        data = source.get("data") if isinstance(source, dict) else None
        found = PLACEHOLDER.search(data) if isinstance(data, str) else None
        if found is not None:
            return [
                {
                    "type": "char_location",
                    "cited_text": found[0],
                    "document_index": number,
                    "document_title": document.get("title"),
                    "start_char_index": found.start(),
                    "end_char_index": found.end(),
                }
            ]
    return []


def _documents(value: object) -> Iterator[Json]:
    if isinstance(value, list):
        for item in value:
            yield from _documents(item)
    elif isinstance(value, dict):
        if value.get("type") == "document":
            yield value
        else:
            yield from _documents(value.get("content"))


def _blocks(request: Recorded, said: Said, reply: Reply, number: int) -> Iterator[tuple[Json, Json]]:
    """Yield each block as it begins, and the fields that are told then."""
    if said.thinking is not None:
        filled = {"thinking": said.thinking, "signature": seal(said.thinking)}
        yield {"type": "thinking", "thinking": "", "signature": ""}, filled
    text = said.refusal if said.text is None else said.text
    if text is not None:
        cited = {"citations": cite(request)} if reply.annotate else {}
        yield {"type": "text", "text": ""}, {"text": text, **cited}
    for at, tool in enumerate(said.tools):
        call = {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": tool.name, "input": {}}
        yield call, {"input": _arguments(tool)}


def _arguments(tool: ToolUse) -> object:
    try:
        return json.loads(tool.arguments)
    except ValueError:
        return {"input": tool.arguments}


def _deltas(filled: Json, reply: Reply) -> Iterator[Json]:
    for piece in _pieces(filled.get("thinking", ""), reply):
        yield {"type": "thinking_delta", "thinking": piece}
    if "signature" in filled:
        yield {"type": "signature_delta", "signature": filled["signature"]}
    for citation in filled.get("citations", ()):
        yield {"type": "citations_delta", "citation": citation}
    for piece in _pieces(filled.get("text", ""), reply):
        yield {"type": "text_delta", "text": piece}
    if "input" in filled:
        yield {"type": "input_json_delta", "partial_json": ""}
        for piece in _pieces(json.dumps(filled["input"]), reply):
            yield {"type": "input_json_delta", "partial_json": piece}


def _pieces(text: str, reply: Reply) -> list[str]:
    return cut_at(text, reply.delta_cuts) if reply.delta_cuts else cut_by(text, reply.delta_every)


def _head(request: Recorded, number: int) -> Json:
    return {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request.json().get("model")}


def _end(said: Said, reply: Reply) -> str:
    if reply.truncate:
        return "max_tokens"
    if said.tools:
        return "tool_use"
    return "refusal" if said.text is None else "end_turn"


def _usage(request: Recorded) -> Json:
    return {**count_body(request), "output_tokens": 1}
