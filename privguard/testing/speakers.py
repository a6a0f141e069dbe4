"""Scripted speakers: what stands in for a model. They read only what left, never an original."""

import json
from typing import Any

from privguard.testing.recorded import Recorded
from privguard.testing.said import Said, Speaker, ToolUse
from privguard.testing.schemas import Filler


def say(text: str) -> Speaker:
    """Make a speaker that always says the same."""
    return lambda _request: Said(text=text)


def assist(request: Recorded) -> Said:
    """Call a tool where one is offered and none has answered yet, fill a schema where one is asked for, else echo."""
    body = request.json()
    if body.get("tools") and not any(map(_is_answer, (*_messages(body), *_items(body)))):
        return call_tool(request)
    if _form(body).get("type") in {"json_schema", "json_object"}:
        return structured(request)
    return echo(request)


def echo(request: Recorded) -> Said:
    """Say the last message of the user, or the last tool result, again."""
    return Said(text=last_text(request))


def echo_placeholders(request: Recorded) -> Said:
    """Say every placeholder of the request, one a line, without its hint."""
    return Said(text="\n".join(str(found) for found in request.placeholders()))


def call_tool(request: Recorded) -> Said:
    """Call the first tool, or the one that is demanded, with placeholders of fitting types as arguments."""
    body = request.json()
    tools = [_dict(tool) for tool in body.get("tools") or ()]
    choice = _dict(body.get("tool_choice"))
    demanded = (_dict(choice.get("function")) or choice).get("name")
    tool = next((tool for tool in tools if (_dict(tool.get("function")) or tool).get("name") == demanded), None)
    if not tools:
        return echo(request)
    tool = tool or tools[0]
    if tool.get("type") == "custom":
        name = str((_dict(tool.get("custom")) or tool).get("name"))
        return Said(tools=(ToolUse(name=name, arguments=str(echo_placeholders(request).text), custom=True),))
    function = _dict(tool.get("function")) or tool
    arguments = Filler(request.placeholders()).fill(_dict(function.get("parameters") or function.get("input_schema")))
    return Said(tools=(ToolUse(name=str(function.get("name")), arguments=json.dumps(arguments)),))


def structured(request: Recorded) -> Said:
    """Fill the JSON schema that the reply is to follow; without one, list the placeholders."""
    form = _form(request.json())
    schema = _dict((_dict(form.get("json_schema")) or form).get("schema"))
    if schema:
        return Said(text=json.dumps(Filler(request.placeholders()).fill(schema)))
    return Said(text=json.dumps({"placeholders": [str(found) for found in request.placeholders()]}))


def last_text(request: Recorded) -> str:
    """Return the text of the last message of a user or a tool, or of the last prompt."""
    body = request.json()
    for message in reversed(_messages(body)):
        if message.get("role") in {"user", "tool"}:
            return _content(message.get("content"))
    for item in reversed(_items(body)):
        if item.get("role") == "user" or _is_answer(item):
            return _content(item.get("content", item.get("output")))
    prompt = body.get("input", body.get("prompt", ""))
    return str(prompt[-1] if isinstance(prompt, list) and prompt else prompt)


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    messages = body.get("messages")
    return [_dict(message) for message in messages] if isinstance(messages, list) else []


def _items(body: dict[str, Any]) -> list[dict[str, Any]]:
    items = body.get("input")
    return [_dict(item) for item in items] if isinstance(items, list) else []


def _form(body: dict[str, Any]) -> dict[str, Any]:
    """Return how the reply is to be structured, in each API."""
    given = (_dict(body.get(name)).get("format") for name in ("output_config", "text"))
    return _dict(body.get("response_format")) or next(filter(None, map(_dict, given)), {})


def _is_answer(message: dict[str, Any]) -> bool:
    """Tell whether a message holds what a tool has answered."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    if message.get("type") in {"function_call_output", "custom_tool_call_output"}:
        return True
    return message.get("role") == "tool" or any(_dict(block).get("type") == "tool_result" for block in blocks)


def _content(content: object) -> str:
    if isinstance(content, list):
        parts = [_dict(part) for part in content]
        texts = [
            _content(part.get("content")) if part.get("type") == "tool_result" else str(part.get("text", ""))
            for part in parts
            if part.get("type") in {"text", "tool_result", "input_text", "output_text"}
        ]
        return "\n".join(texts)
    return content if isinstance(content, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
