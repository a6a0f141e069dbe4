"""Names that programs choose, of tools, schemas and properties, on the wire of the Anthropic SDK."""

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from privguard.core.errors import UnknownContentError
from privguard.detect.composite import CompositeDetector, rules_detector
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import (
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
from privguard_adapters.anthropic import adapter
from tests.contract.test_identifiers import PARAMETERS, PROPERTIES, SAFE, USER, VALUES, leaves_nothing

TOOL: Any = {"name": "lookup_anna_kovacs", "input_schema": PARAMETERS}
OTHER: Any = {"name": "get_weather", "input_schema": {"type": "object"}}
ASK: Any = {"model": "m", "max_tokens": 99, "messages": USER}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Reply(speak=lambda _request: Said(text="ok"))) as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[anthropic.Anthropic]:
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
    with anthropic.Anthropic(api_key="key", base_url=server.root_url, max_retries=0) as plain:
        yield adapter.wrap(plain, guard)


def calls_with_all_keys(request: Recorded) -> Said:
    tool = request.json()["tools"][0]
    arguments = json.dumps(dict.fromkeys(tool["input_schema"]["properties"], "x"))
    return Said(tools=(ToolUse(name=tool["name"], arguments=arguments),))


def fills_with_all_keys(request: Recorded) -> Said:
    schema = request.json()["output_config"]["format"]["schema"]
    return Said(text=json.dumps({key: [{"x": 1}] for key in schema["properties"]}, indent=1))


def answer(client: anthropic.Anthropic, *, streamed: bool, **options: Any) -> Any:  # noqa: ANN401 - of the SDK
    if not streamed:
        return client.messages.create(**ASK, **options).content[0]
    with client.messages.stream(**ASK, **options) as stream:
        return stream.get_final_message().content[0]


def test_no_part_of_a_hidden_name_leaves_and_references_agree(client: anthropic.Anthropic, server: ModelServer) -> None:
    client.messages.create(**ASK, tools=[TOOL, OTHER], tool_choice={"type": "tool", "name": "lookup_anna_kovacs"})
    assert leaves_nothing(server)
    body = server.last.json()
    name, schema = body["tools"][0]["name"], body["tools"][0]["input_schema"]
    assert (body["tool_choice"]["name"], body["tools"][1]["name"]) == (name, "get_weather")
    assert all(SAFE.fullmatch(each) for each in (name, *schema["properties"], *schema["$defs"]))
    first, notes, kernberg, address = schema["properties"]
    assert (first, address) == ("first_name", "address")
    assert schema["required"] == [notes, first]
    assert schema["properties"][kernberg] == {"$ref": f"#/$defs/{next(iter(schema['$defs']))}"}


@pytest.mark.parametrize("streamed", [False, True])
def test_the_call_of_a_renamed_tool_comes_back_under_the_names_of_the_caller(
    client: anthropic.Anthropic, server: ModelServer, streamed: bool
) -> None:
    server.script(Reply(speak=calls_with_all_keys, delta_every=3))
    call = answer(client, streamed=streamed, tools=[TOOL, OTHER])
    assert call.name == "lookup_anna_kovacs"
    assert list(call.input) == ["first_name", "kernberg_notes", "kernberg", "address"]


@pytest.mark.parametrize("streamed", [False, True])
def test_structured_output_comes_back_under_the_names_of_the_caller(
    client: anthropic.Anthropic, server: ModelServer, streamed: bool
) -> None:
    server.script(Reply(speak=fills_with_all_keys, delta_every=2))
    form: Any = {"format": {"type": "json_schema", "schema": PARAMETERS}}
    block = answer(client, streamed=streamed, output_config=form)
    assert block.text == json.dumps({key: [{"x": 1}] for key in PROPERTIES}, indent=1)
    assert leaves_nothing(server)


def test_history_names_the_tool_and_its_keys_as_the_definition_does(
    client: anthropic.Anthropic, server: ModelServer
) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "lookup_anna_kovacs", "input": {"kernberg_notes": "x", "page": 2}}
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "tool_reference", "tool_name": "lookup_anna_kovacs"}],
    }
    history: Any = [*USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    edits: Any = {"edits": [{"type": "clear_tool_uses_20250919", "exclude_tools": ["lookup_anna_kovacs"]}]}
    client.beta.messages.create(**{**ASK, "messages": history}, tools=[TOOL], context_management=edits)
    assert leaves_nothing(server)
    body = server.last.json()
    name, properties = body["tools"][0]["name"], list(body["tools"][0]["input_schema"]["properties"])
    earlier = body["messages"][1]["content"][0]
    assert (earlier["name"], list(earlier["input"])) == (name, [properties[1], "page"])
    assert body["messages"][2]["content"][0]["content"][0]["tool_name"] == name
    assert body["context_management"]["edits"][0]["exclude_tools"] == [name]


def test_a_pattern_of_names_that_holds_a_hidden_one_is_refused(
    client: anthropic.Anthropic, server: ModelServer
) -> None:
    schema: Any = {"type": "object", "patternProperties": {"^kernberg_": {"type": "string"}}}
    with pytest.raises(UnknownContentError, match="pattern"):
        client.messages.create(**ASK, tools=[{"name": "f", "input_schema": schema}])
    assert server.requests == ()
