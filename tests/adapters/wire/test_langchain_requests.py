"""Calls as documents: what is written of them, and that what comes back is put where it was."""

from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_messages import dump, load
from privguard_adapters.wire.langchain_requests import ChatRequest, InputRequest

USER = {"role": "user", "content": "hello"}


def request(**options: Any) -> ChatRequest:  # noqa: ANN401 - any option
    return ChatRequest(target="gpt-5", messages=[USER], options=options)


def test_a_request_has_the_shape_of_chat_completions() -> None:
    call = {"name": "f", "args": {"a": "b"}, "id": "1", "type": "tool_call"}
    bad = {"name": "g", "args": "{", "id": "2", "type": "invalid_tool_call", "error": None}
    said = {"role": "assistant", "content": "", "tool_calls": [call], "invalid_tool_calls": [bad]}
    asked = ChatRequest(target="gpt-5", messages=[USER, said], options={"stop": ["x"]}, settings={"user": ["u"]})
    body = load(asked.body())
    assert body["model"] == "gpt-5"
    assert body["stop"] == ["x"]
    assert body["settings"] == {"user": ["u"]}
    assert [each["function"]["name"] for each in body["messages"][1]["tool_calls"]] == ["f", "g"]
    back = asked.written(asked.body())
    assert [dict(each) for each in back.messages] == [USER, said]
    assert back.options == {"stop": ["x"]}


def test_a_message_that_was_added_comes_first() -> None:
    body = load(request().body())
    body["messages"].insert(0, {"role": "system", "content": "note"})
    assert [each["content"] for each in request().written(dump(body)).messages] == ["note", "hello"]


@pytest.mark.parametrize(
    "tools",
    [
        [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {}}}],
        [{"name": "f", "description": "d", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}],
        [{"type": "web_search"}],
    ],
    ids=["chat", "beside", "built-in"],
)
def test_tools_of_both_shapes_are_shown_as_one_and_come_back_as_they_were(tools: list[dict[str, Any]]) -> None:
    asked = request(tools=tools, tool_choice={"type": "tool", "name": "f"})
    body = load(asked.body())
    assert body["tool_choice"] == {"type": "tool", "function": {"name": "f"}}
    assert "name" not in body["tools"][0]
    assert asked.written(asked.body()).options == asked.options
    body["tool_choice"]["function"]["name"] = "g"
    assert asked.written(dump(body)).options["tool_choice"] == {"type": "tool", "name": "g"}


@pytest.mark.parametrize(
    "options",
    [
        {"messages": []},
        {"settings": 1},
        {"input": 1},
        {"extra_body": {"messages": []}},
        {"extra_body": {"stop": 1}, "stop": 2},
        {"timeout": object()},
        {"seed": float("nan")},
    ],
    ids=["messages", "settings", "input", "body", "twice", "object", "nan"],
)
def test_what_would_hide_or_break_a_part_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError):
        request(**options).body()
    with pytest.raises(UnknownContentError):
        InputRequest(target="m", texts="a", options=options if "stop" not in options else {"model": "x"}).body()


def test_inputs_come_back_in_their_places() -> None:
    asked = InputRequest(target="m", texts=["a", "b"], options={"k": 3})
    body = load(asked.body())
    body["input"][1] = "c"
    back = asked.written(dump(body))
    assert (back.texts, back.options) == (["a", "c"], {"k": 3})
