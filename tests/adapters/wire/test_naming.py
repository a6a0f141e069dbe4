"""Which names of a request are known, and which places repeat them."""

import json
from typing import Any

from privguard_adapters.wire.openai_chat import CODEC
from privguard_adapters.wire.request import RequestView

SCHEMA = {"properties": {"anna": {"$ref": "#/$defs/Roth"}}, "required": ["anna"], "$defs": {"Roth": {}}}
CALL = {"id": "c7", "function": {"name": "look", "arguments": '{"anna": 1, "other": 2}'}}


def read(**body: Any) -> RequestView:  # noqa: ANN401 - any JSON value
    return CODEC.read_request(json.dumps({"model": "m", **body}).encode())


def names(view: RequestView) -> dict[str, str]:
    return {name: view.segments[number].path for name, number in view.identifiers.numbers.items()}


def test_a_name_is_one_text_wherever_it_stands_and_that_of_its_definition() -> None:
    messages = [{"role": "assistant", "tool_calls": [CALL], "content": '{"anna": 3}'}]
    view = read(messages=messages, tools=[{"function": {"name": "look", "parameters": SCHEMA}}])
    assert names(view) == {
        "look": "tools[0].function.name",
        "anna": "tools[0].function.parameters.properties.{0}#key",
        "Roth": "tools[0].function.parameters.properties.{0}.$ref",
    }
    assert [name for _, name in view.identifiers.places].count("anna") == 4
    assert [name for _, name in view.identifiers.places].count("look") == 2
    assert [text for _, text in view.identifiers.references] == ["#/$defs/Roth"]
    assert [segment.text for segment in view.segments if segment.path.startswith("messages")] == [
        "1",
        "other",
        "2",
        "3",
    ]


def test_what_no_definition_declares_is_known_where_it_stands_first() -> None:
    view = read(messages=[{"role": "assistant", "tool_calls": [CALL]}, {"role": "tool", "name": "look"}])
    assert names(view) == {"look": "messages[0].tool_calls[0].function.name"}
    assert view.identifiers.labels == {"look": "messages[0].tool_calls[0].function.name"}


def test_what_is_declared_comes_before_what_a_message_names() -> None:
    view = read(messages=[{"role": "tool", "name": "old"}], tools=[{"function": {"name": "new"}}])
    assert list(view.identifiers.numbers) == ["new", "old"]


def test_each_schema_has_the_names_that_stand_in_it() -> None:
    other: dict[str, Any] = {"properties": {"b_c": {"properties": {"name": {}, "d_e": {}}}}}
    view = read(
        tools=[
            {"function": {"name": "look", "parameters": SCHEMA}},
            {"function": {"name": "see", "parameters": other}},
        ],
        functions=[{"name": "see", "parameters": {"required": ["f_g"]}}],
        response_format={"type": "json_schema", "json_schema": {"name": "Report", "schema": other}},
    )
    assert view.identifiers.scopes == {
        "look": frozenset({"anna", "Roth"}),
        "see": frozenset({"b_c", "d_e", "f_g"}),
    }
    assert view.identifiers.output == {"Report", "b_c", "d_e"}
