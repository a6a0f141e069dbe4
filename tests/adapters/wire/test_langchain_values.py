"""Values of messages as JSON: what is shown of them, and that weaving it back changes nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_values import Values

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
KINDS = st.sampled_from(["tool_call", "tool_use", "function_call", "text", "custom_tool_call", "input_json_delta"])
CALL_KEYS = ("type", "name", "args", "input", "arguments", "index")
JSON = st.recursive(
    LEAVES | KINDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(CALL_KEYS) | st.text(max_size=2), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(value=JSON, sent=st.booleans(), streamed=st.booleans())
def test_what_is_not_changed_is_the_same_again(value: Any, sent: bool, streamed: bool) -> None:  # noqa: ANN401 - any JSON
    values = Values(sent=sent, streamed=streamed)
    shown = json.loads(json.dumps(values.show(value)))
    whole = iter(json.loads(json.dumps(values.whole)))
    assert Values(sent=sent, streamed=streamed).weave(value, shown, whole) == value


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (
            {"type": "tool_call", "name": "f", "args": {"a": 1}, "id": "1"},
            {"type": "tool_call", "id": "1", "function": {"name": "f", "arguments": '{"a": 1}'}},
        ),
        (
            {"type": "tool_use", "name": "f", "input": {}, "partial_json": '{"a"'},
            {"type": "tool_use", "input": {}, "function": {"name": "f", "arguments": '{"a"'}},
        ),
        (
            {"type": "input_json_delta", "partial_json": "{"},
            {"type": "input_json_delta", "function": {"arguments": "{"}},
        ),
        ({"type": "text", "text": "a", "args": 1}, {"type": "text", "text": "a", "args": 1}),
    ],
    ids=["call", "use", "delta", "text"],
)
def test_calls_are_shown_as_functions(block: dict[str, Any], shown: dict[str, Any]) -> None:
    assert Values(sent=False).show(block) == shown


def test_what_became_of_a_call_is_woven_in() -> None:
    block = {"type": "tool_call", "name": "f", "args": {"to": "x", "n": 1}, "id": "1"}
    new = {"type": "tool_call", "id": "1", "function": {"name": "g", "arguments": '{"to": "y", "n": 1}'}}
    woven = Values(sent=False).weave(block, new)
    assert woven == {"type": "tool_call", "name": "g", "args": {"to": "y", "n": 1}, "id": "1"}
    assert list(woven) == list(block)


def test_objects_that_are_no_json_stay_in_replies_and_are_refused_in_requests() -> None:
    thing = object()
    assert Values(sent=False).show({"a": thing}) == {"a": None}
    assert Values(sent=False).weave({"a": thing, "b": "x"}, {"a": None, "b": "y"}) == {"a": thing, "b": "y"}
    with pytest.raises(UnknownContentError):
        Values(sent=True).show({"a": thing})


def test_keys_that_are_the_same_as_json_are_refused() -> None:
    with pytest.raises(UnknownContentError):
        Values(sent=True).show({1: "a", "1": "b"})
    assert Values(sent=False).show({1: "a", "1": "b"}) is None
    assert Values(sent=True).weave({1: "a"}, {"1": "b"}) == {1: "b"}


def test_keys_that_come_back_as_one_leave_the_new_object() -> None:
    assert Values(sent=False).weave({"a": 1, "b": 2}, {"c": 3}) == {"c": 3}


def test_what_a_model_thought_is_not_shown_where_nobody_looks_at_it() -> None:
    thought = {"type": "thinking", "thinking": "well", "signature": "A"}
    assert Values(sent=False, thinks=False).show(thought)["thinking"] is None
    assert Values(sent=False).show(thought)["thinking"] == "well"
    assert Values(sent=False, thinks=False).weave([thought], [{**thought, "thinking": None}]) == [thought]


@pytest.mark.parametrize("block", [{"type": "video"}, {"type": "new"}, {"type": 1}, {"a": "b"}, 7, None])
def test_blocks_that_are_no_text_are_refused(block: object) -> None:
    with pytest.raises(UnknownContentError):
        Values(sent=True).content([block])


def test_results_of_tools_within_a_block_are_looked_at() -> None:
    with pytest.raises(UnknownContentError):
        Values(sent=True).content([{"type": "tool_result", "content": [{"type": "video"}]}])
    shown = Values(sent=True).content([{"type": "tool_result", "content": [{"type": "text", "text": "a"}]}])
    assert shown == [{"type": None, "content": [{"type": None, "text": "a"}]}]


def test_indices_that_are_texts_are_numbers_in_a_stream() -> None:
    indices: dict[str, int] = {}
    values = Values(sent=False, streamed=True, indices=indices)
    shown = values.content([{"type": "text", "text": "a", "index": "lc_1"}, {"type": "text", "text": "b", "index": 1}])
    assert [block["index"] for block in shown] == [indices["lc_1"], 1]
    again = Values(sent=False, streamed=True, indices=indices)
    assert again.weave([{"index": "lc_1"}], [{"index": indices["lc_1"]}]) == [{"index": "lc_1"}]


def test_an_index_that_says_something_is_a_text() -> None:
    assert Values(sent=False, streamed=True).show({"a": {"index": "hi Ada"}}) == {"a": {"index": "hi Ada"}}


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("block", [{}, {"type": "tool_call", "name": "f"}], ids=["object", "call"])
def test_an_index_that_is_a_text_is_woven_as_any_text(block: dict[str, Any], sent: bool) -> None:
    given, values = {**block, "args": {"index": "Ada", "a": {"index": {"b": "Ada"}}}}, Values(sent=sent)
    new = json.loads(json.dumps(values.show(given)).replace("Ada", "Bob"))
    assert values.weave(given, new) == json.loads(json.dumps(given).replace("Ada", "Bob"))
