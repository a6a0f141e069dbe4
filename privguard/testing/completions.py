"""The JSON of the API: chat completions, completions, embeddings and models, whole and as stream events."""

import base64
import hashlib
import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from privguard.testing.found import PLACEHOLDER
from privguard.testing.mangling import mangle_placeholders
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply, cut_at, cut_by
from privguard.testing.said import Said, ToolUse

Json = dict[str, Any]
_CREATED = 1_700_000_000
_DIMENSIONS = 8


def choices_of(request: Recorded, reply: Reply) -> list[Said]:
    """Let the speakers speak: one `Said` per demanded choice, spoiled as the reply demands."""
    count = request.json().get("n") or 1
    return [_spoiled(reply.speaker(choice)(request), reply) for choice in range(int(count))]


def _spoiled(said: Said, reply: Reply) -> Said:
    tools = tuple(
        ToolUse(name=tool.name, arguments=mangle_placeholders(tool.arguments, reply.mangle), custom=tool.custom)
        for tool in said.tools
    )
    text = None if said.text is None else mangle_placeholders(said.text, reply.mangle)
    if reply.truncate and text:
        found = list(PLACEHOLDER.finditer(text))
        text = text[: found[-1].start() + 4] if found else text[: len(text) // 2]
    return replace(said, text=text, tools=tools)


def chat_body(request: Recorded, reply: Reply, number: int) -> Json:
    """Write a whole chat completion."""
    choices = []
    for index, said in enumerate(choices_of(request, reply)):
        message: Json = {"role": "assistant", "content": said.text, "refusal": said.refusal}
        if said.tools:
            message["tool_calls"] = [_tool_call(tool, number, at) for at, tool in enumerate(said.tools)]
        if reply.annotate:
            message["annotations"] = annotations(said.text or "")
        logprobs = _logprobs(said.text or "") if request.json().get("logprobs") else None
        choices.append({"index": index, "message": message, "logprobs": logprobs, "finish_reason": _end(said, reply)})
    return {**_head(request, number, "chat.completion"), "choices": choices, "usage": _usage(request)}


def chat_events(request: Recorded, reply: Reply, number: int) -> Iterator[Json]:
    """Write a chat completion as the events of a stream; the choices take turns."""
    head = _head(request, number, "chat.completion.chunk")
    logprobs = bool(request.json().get("logprobs"))
    streams = [_deltas(said, reply, number) for said in choices_of(request, reply)]
    for index, delta, end in _in_turn(streams):
        choice: Json = {"index": index, "delta": delta, "logprobs": None, "finish_reason": end}
        if logprobs and delta.get("content"):
            choice["logprobs"] = _logprobs(delta["content"])
        yield {**head, "choices": [choice]}
    if _wants_usage(request):
        yield {**head, "choices": [], "usage": _usage(request)}


def text_body(request: Recorded, reply: Reply, number: int) -> Json:
    """Write a whole legacy completion."""
    choices = [
        {"index": index, "text": said.text or "", "logprobs": None, "finish_reason": _end(said, reply)}
        for index, said in enumerate(choices_of(request, reply))
    ]
    return {**_head(request, number, "text_completion"), "choices": choices, "usage": _usage(request)}


def text_events(request: Recorded, reply: Reply, number: int) -> Iterator[Json]:
    """Write a legacy completion as the events of a stream."""
    head = _head(request, number, "text_completion")
    for index, said in enumerate(choices_of(request, reply)):
        for piece in _pieces(said.text or "", reply):
            yield {**head, "choices": [{"index": index, "text": piece, "logprobs": None, "finish_reason": None}]}
        yield {**head, "choices": [{"index": index, "text": "", "logprobs": None, "finish_reason": _end(said, reply)}]}
    if _wants_usage(request):
        yield {**head, "choices": [], "usage": _usage(request)}


def embeddings_body(request: Recorded) -> Json:
    """Write embeddings: a pure function of each input, as floats or as base64."""
    body = request.json()
    inputs = body.get("input")
    data = []
    for index, text in enumerate(inputs if isinstance(inputs, list) else [inputs]):
        digest = hashlib.sha256(str(text).encode("utf-8", "replace")).digest()
        floats = [byte / 255 for byte in digest[:_DIMENSIONS]]
        packed = base64.b64encode(struct.pack(f"<{_DIMENSIONS}f", *floats)).decode()
        vector = packed if body.get("encoding_format") == "base64" else floats
        data.append({"object": "embedding", "index": index, "embedding": vector})
    usage = {"prompt_tokens": len(data), "total_tokens": len(data)}
    return {"object": "list", "data": data, "model": body.get("model"), "usage": usage}


def models_body(path: str) -> Json:
    """Write the list of models, or one of them."""
    name = path.rpartition("/models")[2].strip("/")
    model = {"id": name or "scripted", "object": "model", "created": _CREATED, "owned_by": "privguard"}
    return model if name else {"object": "list", "data": [model]}


def error_body(status: int, message: str) -> Json:
    """Write an error in the form of the API."""
    return {"error": {"message": message, "type": "scripted_error", "param": None, "code": str(status)}}


def annotations(text: str) -> list[Json]:
    """Cite a source over the first placeholder of a text."""
    found = PLACEHOLDER.search(text)
    if found is None:
        return []
    citation = {
        "start_index": found.start(),
        "end_index": found.end(),
        "title": f"About {found[0]}",
        "url": "https://source.example/1",
    }
    return [{"type": "url_citation", "url_citation": citation}]


def _deltas(said: Said, reply: Reply, number: int) -> Iterator[tuple[Json, str | None]]:
    yield {"role": "assistant", "content": None if said.text is None else ""}, None
    for piece in _pieces(said.text or "", reply):
        yield {"content": piece}, None
    if said.refusal:
        for piece in _pieces(said.refusal, reply):
            yield {"refusal": piece}, None
    for at, tool in enumerate(said.tools):
        call = _tool_call(tool, number, at)
        body, field = ("custom", "input") if tool.custom else ("function", "arguments")
        yield {"tool_calls": [{**call, "index": at, body: {"name": tool.name, field: ""}}]}, None
        for piece in _pieces(tool.arguments, reply):
            yield {"tool_calls": [{"index": at, body: {field: piece}}]}, None
    if reply.annotate:
        yield {"annotations": annotations(said.text or "")}, None
    yield {}, _end(said, reply)


def _in_turn(streams: list[Iterator[tuple[Json, str | None]]]) -> Iterator[tuple[int, Json, str | None]]:
    waiting = dict(enumerate(streams))
    while waiting:
        for index, stream in list(waiting.items()):
            step = next(stream, None)
            if step is None:
                del waiting[index]
            else:
                yield index, *step


def _pieces(text: str, reply: Reply) -> list[str]:
    return cut_at(text, reply.delta_cuts) if reply.delta_cuts else cut_by(text, reply.delta_every)


def _head(request: Recorded, number: int, kind: str) -> Json:
    model = request.json().get("model")
    return {"id": f"scripted-{number}", "object": kind, "created": _CREATED, "model": model}


def _tool_call(tool: ToolUse, number: int, at: int) -> Json:
    call_id = f"call_{number}_{at}"
    if tool.custom:
        return {"id": call_id, "type": "custom", "custom": {"name": tool.name, "input": tool.arguments}}
    return {"id": call_id, "type": "function", "function": {"name": tool.name, "arguments": tool.arguments}}


def _end(said: Said, reply: Reply) -> str:
    if reply.truncate:
        return "length"
    return "tool_calls" if said.tools else "stop"


def _logprobs(text: str) -> Json:
    tokens = re.findall(r"\w+|\W", text)
    content = [{"token": token, "logprob": -0.5, "bytes": list(token.encode()), "top_logprobs": []} for token in tokens]
    return {"content": content, "refusal": None}


def _wants_usage(request: Recorded) -> bool:
    options = request.json().get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def _usage(request: Recorded) -> Json:
    prompt = len(request.text.split())
    return {"prompt_tokens": prompt, "completion_tokens": 1, "total_tokens": prompt + 1}
