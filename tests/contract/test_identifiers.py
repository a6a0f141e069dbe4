"""Names that programs choose, of functions, schemas and properties, on the wire of the OpenAI SDK."""

import json
import re
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState

from privguard.core.entities import EntityType
from privguard.core.errors import UnknownContentError
from privguard.detect.composite import CompositeDetector, rules_detector
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import (
    Canary,
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    Said,
    ToolUse,
)
from privguard_adapters.openai import adapter

PEOPLE = ("Anna Kovacs", "Tobias Kernberg", "anna_kovacs")
VALUES = {**dict.fromkeys(PEOPLE, EntityType.PERSON), "Zurich": EntityType.LOCATION}
USER: Any = [{"role": "user", "content": "Look for Anna Kovacs and Tobias Kernberg."}]
PLAIN: Any = [{"role": "user", "content": "Say hello."}]
PROPERTIES = {
    "first_name": {"type": "string"},
    "kernberg_notes": {"type": "string", "title": "Kernberg Notes"},
    "kernberg": {"$ref": "#/$defs/KernbergRecord"},
    "address": {"$ref": "kernberg.json#/$defs/Address"},
}
PARAMETERS = {
    "$id": "https://schemas.example/kernberg.json",
    "type": "object",
    "properties": PROPERTIES,
    "required": ["kernberg_notes", "first_name"],
    "propertyOrdering": ["kernberg", "kernberg_notes", "address"],
    "$defs": {"KernbergRecord": {"type": "string", "$anchor": "kovacs"}, "Address": {"$ref": "#kovacs"}},
}
TOOL = {"type": "function", "function": {"name": "lookup_anna_kovacs", "parameters": PARAMETERS}}
OTHER = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
SAFE = re.compile(r"[a-zA-Z0-9_-]{1,64}")
WORDS = ("anna", "kovacs", "kernberg", "tobias")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Reply(speak=lambda _request: Said(text="ok"))) as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    guard = Guard(
        Parts(
            detector=CompositeDetector(FakeDetector(VALUES), rules_detector()),
            scanner=rules_detector(),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=0) as plain:
        yield adapter.wrap(plain, guard)


def calls_with_all_keys(request: Recorded) -> Said:
    function = request.json()["tools"][0]["function"]
    arguments = json.dumps(dict.fromkeys(function["parameters"]["properties"], "x"))
    return Said(tools=(ToolUse(name=function["name"], arguments=arguments),))


def fills_with_all_keys(request: Recorded) -> Said:
    schema = request.json()["response_format"]["json_schema"]["schema"]
    return Said(text=json.dumps({key: [{"x": 1}] for key in schema["properties"]}, indent=1))


def leaves_nothing(server: ModelServer) -> bool:
    wire = server.last.wire.lower()
    return not any(word.encode() in wire for word in WORDS)


def test_no_part_of_a_hidden_name_leaves_in_an_identifier_and_references_agree(
    client: openai.OpenAI, server: ModelServer
) -> None:
    client.chat.completions.create(model="m", messages=USER, tools=[TOOL, OTHER])  # type: ignore[list-item]  # plain
    assert leaves_nothing(server)
    functions = [each["function"] for each in server.last.json()["tools"]]
    sent = functions[0]["parameters"]
    assert functions[1]["name"] == "get_weather"
    names = [functions[0]["name"], *sent["properties"], *sent["$defs"]]
    assert all(SAFE.fullmatch(name) for name in names)
    first, notes, kernberg, address = sent["properties"]
    assert (first, address) == ("first_name", "address")
    assert sent["required"] == [notes, first]
    assert sent["propertyOrdering"] == [kernberg, notes, address]
    record, other = sent["$defs"]
    assert other == "Address"
    assert sent["properties"][kernberg] == {"$ref": f"#/$defs/{record}"}
    assert sent["$id"] == f"https://schemas.example/{sent['properties'][address]['$ref'].partition('#')[0]}"
    assert sent["$defs"]["Address"]["$ref"] == "#" + sent["$defs"][record]["$anchor"]


@pytest.mark.parametrize("streamed", [False, True])
def test_the_call_of_a_renamed_tool_comes_back_under_the_names_of_the_caller(
    client: openai.OpenAI, server: ModelServer, streamed: bool
) -> None:
    server.script(Reply(speak=calls_with_all_keys, delta_every=3))
    options: Any = {"model": "m", "messages": USER, "tools": [TOOL, OTHER]}
    if streamed:
        state: Any = ChatCompletionStreamState()
        for event in client.chat.completions.create(**options, stream=True):
            state.handle_chunk(event)
        message = state.get_final_completion().choices[0].message
    else:
        message = client.chat.completions.create(**options).choices[0].message
    (call,) = message.tool_calls
    assert call.function.name == "lookup_anna_kovacs"
    assert list(json.loads(call.function.arguments)) == ["first_name", "kernberg_notes", "kernberg", "address"]


@pytest.mark.parametrize("streamed", [False, True])
def test_structured_output_comes_back_under_the_names_of_the_caller(
    client: openai.OpenAI, server: ModelServer, streamed: bool
) -> None:
    server.script(Reply(speak=fills_with_all_keys, delta_every=2))
    form = {"type": "json_schema", "json_schema": {"name": "KernbergReport", "schema": PARAMETERS}}
    options: Any = {"model": "m", "messages": USER, "response_format": form}
    if streamed:
        events = client.chat.completions.create(**options, stream=True)
        text = "".join([event.choices[0].delta.content or "" for event in events])
    else:
        text = client.chat.completions.create(**options).choices[0].message.content
    assert text == json.dumps({key: [{"x": 1}] for key in PROPERTIES}, indent=1)
    assert leaves_nothing(server)
    assert SAFE.fullmatch(server.last.json()["response_format"]["json_schema"]["name"])


def test_choice_and_history_name_the_tool_as_its_definition_does(client: openai.OpenAI, server: ModelServer) -> None:
    call = {"name": "lookup_anna_kovacs", "arguments": '{"kernberg_notes": "x", "first_name": "y"}'}
    history: Any = [
        *USER,
        {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "c1", "name": "lookup_anna_kovacs", "content": "done"},
    ]
    choice: Any = {"type": "function", "function": {"name": "lookup_anna_kovacs"}}
    client.chat.completions.create(model="m", messages=history, tools=[TOOL], tool_choice=choice)  # type: ignore[list-item]  # plain
    assert leaves_nothing(server)
    sent = server.last.json()
    function = sent["tools"][0]["function"]
    earlier = sent["messages"][1]["tool_calls"][0]["function"]
    assert sent["tool_choice"]["function"]["name"] == function["name"]
    assert earlier["name"] == sent["messages"][2]["name"] == function["name"]
    assert list(json.loads(earlier["arguments"])) == [list(function["parameters"]["properties"])[1], "first_name"]


def test_a_name_that_the_definition_alone_holds_does_not_leave(client: openai.OpenAI, server: ModelServer) -> None:
    client.chat.completions.create(model="m", messages=PLAIN, tools=[TOOL])  # type: ignore[list-item]  # plain
    assert SAFE.fullmatch(server.last.json()["tools"][0]["function"]["name"])
    assert b"lookup_anna" not in server.last.wire


def test_no_number_of_a_card_leaves_as_a_name(client: openai.OpenAI, server: ModelServer) -> None:
    card = Canary.card().value.replace(" ", "")
    parameters = {"type": "object", "properties": {card: {"type": "string"}, "12": {"type": "string"}}}
    tool: Any = {"type": "function", "function": {"name": card, "parameters": parameters}}
    flat: Any = {"type": "function", "name": "look", "parameters": parameters}
    client.chat.completions.create(model="m", messages=PLAIN, tools=[tool])
    client.responses.create(model="m", input=PLAIN, tools=[flat])
    assert card.encode() not in server.wire
    assert "12" in server.last.json()["tools"][0]["parameters"]["properties"]


def test_two_names_that_would_become_one_stay_two(client: openai.OpenAI, server: ModelServer) -> None:
    names = ["kernberg", "Kernberg", "KERNBERG", "tobias_kernberg"]
    parameters = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    tool: Any = {"type": "function", "function": {"name": "f", "parameters": parameters}}
    server.script(Reply(speak=calls_with_all_keys))
    reply: Any = client.chat.completions.create(model="m", messages=USER, tools=[tool])
    assert leaves_nothing(server)
    assert list(json.loads(reply.choices[0].message.tool_calls[0].function.arguments)) == names


def test_a_pattern_of_names_that_holds_a_hidden_one_is_refused(client: openai.OpenAI, server: ModelServer) -> None:
    parameters = {"type": "object", "patternProperties": {"^kernberg_": {"type": "string"}}}
    tool: Any = {"type": "function", "function": {"name": "f", "parameters": parameters}}
    with pytest.raises(UnknownContentError, match="pattern"):
        client.chat.completions.create(model="m", messages=USER, tools=[tool])
    assert server.requests == ()


@pytest.mark.parametrize("hidden", [False, True])
def test_a_place_in_a_name_counts_where_the_request_hides_it(
    client: openai.OpenAI, server: ModelServer, hidden: bool
) -> None:
    tool: Any = {"type": "function", "function": {"name": "get_Zurich_weather"}}
    prompt: Any = [{"role": "user", "content": "How is it in Zurich?"}] if hidden else PLAIN
    client.chat.completions.create(model="m", messages=prompt, tools=[tool])
    assert (b"get_Zurich_weather" in server.last.wire) is not hidden


def test_ordinary_names_leave_as_they_are(client: openai.OpenAI, server: ModelServer) -> None:
    names = ["first_name", "name", "address", "page", "mark_done", "grace_period", "patient_name", "rose"]
    parameters = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    tool: Any = {"type": "function", "function": {"name": "get_weather", "parameters": parameters}}
    client.chat.completions.create(model="m", messages=USER, tools=[tool])
    assert server.last.json()["tools"] == [tool]
