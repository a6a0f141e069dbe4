"""The JSON of the Responses API: responses, whole and as the events of a stream, and what is kept of them."""

import re
from collections.abc import Iterator
from typing import Any

from privguard.testing.completions import annotations, choices_of
from privguard.testing.found import PLACEHOLDER
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply, cut_at, cut_by
from privguard.testing.said import Said, ToolUse

Json = dict[str, Any]
_CREATED = 1_700_000_000
_SEALED = "gAAAAABo" + "Q2x1ZVdpdGhvdXRNZWFuaW5n" * 4
_ECHOED = ("instructions", "tools", "tool_choice", "metadata", "text", "previous_response_id", "conversation", "user")


def response_body(request: Recorded, reply: Reply, number: int) -> Json:
    """Write a whole response."""
    said = choices_of(request, reply)[0]
    return _response(request, number, _items(request, said, reply, number), _status(reply))


def response_events(request: Recorded, reply: Reply, number: int) -> Iterator[Json]:
    """Write a response as the events of a stream, in the order of the API, numbered from 0."""
    for sequence, event in enumerate(_events(request, reply, number)):
        yield {**event, "sequence_number": sequence}


def queued_body(request: Recorded, reply: Reply, number: int) -> Json:
    """Write the response to a request, which may run in the background: then it waits."""
    if not request.json().get("background"):
        return response_body(request, reply, number)
    return _response(request, number, [], "queued")


def tokens_body(request: Recorded) -> Json:
    """Write how many tokens a request has: words, in fact."""
    return {"object": "response.input_tokens", "input_tokens": _usage(request)["input_tokens"]}


def items_of(request: Recorded) -> list[Json]:
    """Return the items of a request as the API gives them back."""
    body = request.json()
    given = body.get("items", body.get("input"))
    items = given if isinstance(given, list) else [{"role": "user", "content": given or ""}]
    return [_given_item(item, at) for at, item in enumerate(items)]


def list_body(items: list[Json]) -> Json:
    """Write a list of items."""
    ends = {"first_id": items[0]["id"], "last_id": items[-1]["id"]} if items else {"first_id": "", "last_id": ""}
    return {"object": "list", "data": items, **ends, "has_more": False}


def _given_item(item: Json, at: int) -> Json:
    content = item.get("content")
    if isinstance(content, str):
        item = {**item, "content": [{"type": "input_text", "text": content}]}
    return {"id": f"item_{at}", "type": "message", **item}


def _response(request: Recorded, number: int, output: list[Json], status: str) -> Json:
    body = request.json()
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": _CREATED,
        "status": status,
        "background": bool(body.get("background")),
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "model": body.get("model"),
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "metadata": {},
        "store": body.get("store") is not False,
        **{name: body[name] for name in _ECHOED if name in body},
        "usage": _usage(request) if status in ("completed", "incomplete") else None,
    }


def _items(request: Recorded, said: Said, reply: Reply, number: int) -> list[Json]:
    items: list[Json] = []
    if said.thinking is not None:
        items.append(
            {
                "id": f"rs_{number}",
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": said.thinking}],
                "encrypted_content": _SEALED,
            }
        )
    parts: list[Json] = []
    if said.text is not None:
        notes = [_flat(each) for each in annotations(said.text)] if reply.annotate else []
        part: Json = {"type": "output_text", "text": said.text, "annotations": notes}
        if _wants_tokens(request):
            part["logprobs"] = _logprobs(said.text)
        parts.append(part)
    if said.refusal:
        parts.append({"type": "refusal", "refusal": said.refusal})
    if parts:
        items.append(
            {
                "id": f"msg_{number}",
                "type": "message",
                "role": "assistant",
                "status": "incomplete" if reply.truncate else "completed",
                "content": parts,
            }
        )
    return [*items, *[_call(tool, number, at) for at, tool in enumerate(said.tools)]]


def _call(tool: ToolUse, number: int, at: int) -> Json:
    call: Json = {"id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}", "name": tool.name}
    if tool.custom:
        return {**call, "type": "custom_tool_call", "input": tool.arguments}
    return {**call, "type": "function_call", "arguments": tool.arguments, "status": "completed"}


def _flat(annotation: Json) -> Json:
    return {"type": annotation["type"], **annotation[annotation["type"]]}


def _events(request: Recorded, reply: Reply, number: int) -> Iterator[Json]:
    said = choices_of(request, reply)[0]
    items = _items(request, said, reply, number)
    for state in ("created", "in_progress"):
        yield {"type": f"response.{state}", "response": _response(request, number, [], "in_progress")}
    for index, item in enumerate(items):
        yield from _item_events(item, index, reply)
    status = _status(reply)
    yield {"type": f"response.{status}", "response": _response(request, number, items, status)}


def _item_events(item: Json, index: int, reply: Reply) -> Iterator[Json]:
    place: Json = {"output_index": index}
    empty: Json = {**item, **{name: [] for name in ("content", "summary") if name in item}}
    empty |= {name: "" for name in ("arguments", "input") if name in item}
    yield {"type": "response.output_item.added", **place, "item": empty}
    place["item_id"] = item["id"]
    for at, part in enumerate(item.get("summary", ())):
        yield from _part_events(part, {**place, "summary_index": at}, reply)
    for at, part in enumerate(item.get("content", ())):
        yield from _part_events(part, {**place, "content_index": at}, reply)
    for name, stem in (("arguments", "function_call_arguments"), ("input", "custom_tool_call_input")):
        if name in item:
            yield from _text_events(f"response.{stem}", name, item[name], place, reply)
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _part_events(part: Json, place: Json, reply: Reply) -> Iterator[Json]:
    kind = part["type"]
    event = "response.reasoning_summary_part" if kind == "summary_text" else "response.content_part"
    stem = {"summary_text": "response.reasoning_summary_text"}.get(kind, f"response.{kind}")
    field = "refusal" if kind == "refusal" else "text"
    yield {"type": f"{event}.added", **place, "part": _empty_part(part, field)}
    yield from _text_events(stem, field, part[field], place, reply, tokens="logprobs" in part)
    for at, note in enumerate(part.get("annotations", ())):
        yield {"type": "response.output_text.annotation.added", **place, "annotation_index": at, "annotation": note}
    yield {"type": f"{event}.done", **place, "part": part}


def _empty_part(part: Json, field: str) -> Json:
    return {**part, field: "", **{name: [] for name in ("annotations", "logprobs") if name in part}}


def _text_events(
    stem: str, field: str, text: str, place: Json, reply: Reply, *, tokens: bool = False
) -> Iterator[Json]:
    said = stem == "response.output_text"
    for piece in cut_at(text, reply.delta_cuts) if reply.delta_cuts else cut_by(text, reply.delta_every):
        more = {"logprobs": _logprobs(piece) if tokens else []} if said else {}
        yield {"type": f"{stem}.delta", **place, "delta": piece, **more}
    more = {"logprobs": _logprobs(text) if tokens else []} if said else {}
    yield {"type": f"{stem}.done", **place, field: text, **more}


def _status(reply: Reply) -> str:
    return "incomplete" if reply.truncate else "completed"


def _wants_tokens(request: Recorded) -> bool:
    return "message.output_text.logprobs" in (request.json().get("include") or ())


def _logprobs(text: str) -> list[Json]:
    tokens = re.findall(r"\w+|\W", text)
    return [{"token": token, "logprob": -0.5, "bytes": list(token.encode()), "top_logprobs": []} for token in tokens]


def _usage(request: Recorded) -> Json:
    count = len(PLACEHOLDER.sub("x", request.text).split())
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {"input_tokens": count, "output_tokens": 1, "total_tokens": count + 1, **details}
