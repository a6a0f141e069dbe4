import json

import pytest

from privguard.testing.recorded import Recorded
from privguard.testing.speakers import assist, call_tool, echo, echo_placeholders, say, structured

TOOL = {
    "type": "function",
    "function": {"name": "send", "parameters": {"properties": {"name": {"type": "string"}, "email": {}}}},
}
OTHER = {"type": "function", "function": {"name": "other", "parameters": {}}}
USER = {"role": "user", "content": "I am [PERSON_7QK2: a person], mail [EMAIL_A2B3]"}


def request(**body: object) -> Recorded:
    raw = json.dumps({"messages": [USER], **body}).encode()
    return Recorded(method="POST", target="/v1/chat/completions", headers=(), body=raw, decoded=raw)


def test_an_echo_is_the_last_message_of_the_user_or_a_tool() -> None:
    assert echo(request()).text == USER["content"]
    assert echo(request(messages=[USER, {"role": "assistant", "content": "x"}])).text == USER["content"]
    assert echo(request(messages=[USER, {"role": "tool", "content": "done"}])).text == "done"
    parts = [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]
    assert echo(request(messages=[{"role": "user", "content": parts}])).text == "a\nb"
    assert echo(request(messages=[], prompt=["a", "b"])).text == "b"


def test_placeholders_are_echoed_without_their_hints() -> None:
    assert echo_placeholders(request()).text == "[PERSON_7QK2]\n[EMAIL_A2B3]"


def test_a_tool_is_called_with_fitting_placeholders() -> None:
    [tool] = call_tool(request(tools=[TOOL, OTHER])).tools
    assert (tool.name, json.loads(tool.arguments)) == ("send", {"name": "[PERSON_7QK2]", "email": "[EMAIL_A2B3]"})


def test_a_demanded_tool_is_the_one_that_is_called() -> None:
    choice = {"type": "function", "function": {"name": "other"}}
    assert call_tool(request(tools=[TOOL, OTHER], tool_choice=choice)).tools[0].name == "other"


def test_a_custom_tool_gets_free_text() -> None:
    [tool] = call_tool(request(tools=[{"type": "custom", "custom": {"name": "note"}}])).tools
    assert (tool.name, tool.arguments, tool.custom) == ("note", "[PERSON_7QK2]\n[EMAIL_A2B3]", True)


def test_a_schema_is_filled_and_its_absence_lists_the_placeholders() -> None:
    schema = {"type": "json_schema", "json_schema": {"schema": {"properties": {"email": {}}}}}
    assert structured(request(response_format=schema)).text == '{"email": "[EMAIL_A2B3]"}'
    assert structured(request()).text == '{"placeholders": ["[PERSON_7QK2]", "[EMAIL_A2B3]"]}'


@pytest.mark.parametrize(
    ("body", "calls", "start"),
    [
        ({"tools": [TOOL]}, 1, None),
        ({"tools": [TOOL], "messages": [USER, {"role": "tool", "content": "done"}]}, 0, "done"),
        ({"response_format": {"type": "json_object"}}, 0, "{"),
        ({}, 0, "I am"),
    ],
)
def test_an_assistant_does_what_the_request_asks_for(body: dict[str, object], calls: int, start: str | None) -> None:
    said = assist(request(**body))
    assert len(said.tools) == calls
    assert said.text is None if start is None else (said.text or "").startswith(start)


def test_a_fixed_speaker_always_says_the_same() -> None:
    assert say("x")(request()).text == "x"


def test_the_other_api_asks_for_the_same_in_its_own_way() -> None:
    tool = {"name": "send", "input_schema": {"properties": {"name": {"type": "string"}}}}
    [called] = call_tool(request(tools=[OTHER, tool], tool_choice={"type": "tool", "name": "send"})).tools
    assert (called.name, json.loads(called.arguments)) == ("send", {"name": "[PERSON_7QK2]"})
    result = {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "done"}]}]}
    assert assist(request(tools=[tool], messages=[USER, result])).text == "done"
    form = {"format": {"type": "json_schema", "schema": {"properties": {"name": {"type": "string"}}}}}
    assert json.loads(assist(request(output_config=form)).text or "") == {"name": "[PERSON_7QK2]"}
