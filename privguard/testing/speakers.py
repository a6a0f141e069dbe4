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
    if body.get("tools") and not any(_is_answer(message) for message in _messages(body)):
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
        name = str(_dict(tool.get("custom")).get("name"))
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
    prompt = body.get("prompt", "")
    return str(prompt[-1] if isinstance(prompt, list) and prompt else prompt)


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    messages = body.get("messages")
    return [_dict(message) for message in messages] if isinstance(messages, list) else []


def _form(body: dict[str, Any]) -> dict[str, Any]:
    """Return how the reply is to be structured, in either API."""
    return _dict(body.get("response_format")) or _dict(_dict(body.get("output_config")).get("format"))


def _is_answer(message: dict[str, Any]) -> bool:
    """Tell whether a message holds what a tool has answered."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return message.get("role") == "tool" or any(_dict(block).get("type") == "tool_result" for block in blocks)


def _content(content: object) -> str:
    if isinstance(content, list):
        parts = [_dict(part) for part in content]
        texts = [
            str(part.get("text", "")) if part.get("type") == "text" else _content(part.get("content"))
            for part in parts
            if part.get("type") in {"text", "tool_result"}
        ]
        return "\n".join(texts)
    return content if isinstance(content, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
