import json
from typing import Any

import pytest

from privguard.core.json_leaves import parse
from privguard_adapters.wire.responses_places import Item, Places

CALL = {"type": "function_call", "name": "send", "arguments": "{}"}
EVENT = {"type": "response.completed", "response": {"output": [CALL]}}


def places(body: object) -> Places:
    return Places.of(parse(json.dumps(body)))


@pytest.mark.parametrize(
    ("body", "path", "where"),
    [
        ({"object": "response", "output": [CALL]}, ("output", 0, "arguments"), ("output", 0)),
        (EVENT, ("response", "output", 0, "name"), ("response", "output", 0)),
        ({"type": "response.output_item.done", "item": CALL}, ("item", "arguments"), ("item",)),
        ({"object": "list", "data": [CALL]}, ("data", 0, "arguments"), ("data", 0)),
        (CALL, ("arguments",), ()),
    ],
)  # fmt: skip
def test_an_item_is_found_wherever_it_stands(body: Any, path: tuple[Any, ...], where: tuple[Any, ...]) -> None:  # noqa: ANN401 - JSON
    found = places(body).item_at(path)
    assert found is not None
    assert (found.path, found.kind, found.tool, found.inputs) == (where, "function_call", "send", ("arguments",))


def test_what_stands_beside_the_items_belongs_to_none() -> None:
    assert places({"object": "response", "output": [CALL], "model": "m"}).item_at(("model",)) is None
    assert places({"type": "response.output_text.delta", "delta": "x"}).item_at(("delta",)) is None


def test_only_the_fields_of_a_response_repeat_its_request() -> None:
    whole = places({"object": "response", "instructions": "w", "output": []})
    assert whole.is_echo(("instructions",))
    assert not whole.is_echo(("output", 0, "content"))
    event = places({"type": "response.created", "response": {"instructions": "w"}})
    assert event.is_echo(("response", "instructions"))
    assert not places({"type": "response.output_text.done", "text": "w"}).is_echo(("text",))
    assert not places({"object": "list", "data": []}).is_echo(("text",))
    assert places({"object": "conversation", "metadata": {"k": "w"}}).is_echo(("metadata", "k"))


def test_a_tool_without_a_name_goes_by_its_type_and_binary_data_is_sealed() -> None:
    assert Item(path=(), kind="shell_call").tool == "shell"
    image = Item(path=("output", 0), kind="image_generation_call")
    assert image.is_sealed(("output", 0, "result"))
    assert not image.is_sealed(("output", 0, "revised_prompt"))
    assert not Item(path=(), kind="unheard_of").is_known


@pytest.mark.parametrize(
    ("item", "is_callers"),
    [
        ({"type": "message", "role": "user"}, True),
        ({"role": "developer"}, True),
        ({"type": "function_call_output"}, True),
        ({"type": "mcp_approval_response"}, True),
        ({"type": "message", "role": "assistant"}, False),
        ({"type": "message", "role": "unknown"}, False),
        ({"type": "message"}, False),
        (CALL, False),
        ({"type": "shell_call_output"}, False),  # the provider's own shell has written what the model had it write
        ({"type": "mcp_list_tools"}, False),
        ({"type": "program_output"}, False),
        ({"type": "unheard_of"}, False),
    ],
)  # fmt: skip
def test_in_a_list_only_what_the_application_alone_makes_is_the_callers(item: Any, is_callers: bool) -> None:  # noqa: ANN401 - JSON
    found = places({"object": "list", "data": [{**item, "id": "x"}]}).item_at(("data", 0, "id"))
    assert found is not None
    assert found.is_callers is is_callers
