import json

import pytest

from privguard.core.json_leaves import parse
from privguard_adapters.wire.deltas import by_call, index_number, is_call_id, is_delta, label_of, read_scalar


@pytest.mark.parametrize(("spelled", "number"), [("0", 0), ("12", 12), ("12345", "12345"), ("²", "²")])
def test_an_index_is_a_number_where_it_is_short(spelled: str, number: object) -> None:
    assert index_number(spelled) == number


@pytest.mark.parametrize("raw", ["7", "-7", '"x"', "9" * 640, "null"])
def test_a_scalar_is_read_as_it_is(raw: str) -> None:
    assert read_scalar(raw) == {"7": 7, "-7": -7, '"x"': "x", "null": None}.get(raw, 10**640 - 1)


def test_an_integer_that_is_too_long_to_read_is_the_string_of_its_digits() -> None:
    assert read_scalar("9" * 5000) == "9" * 5000


def test_the_leaves_of_each_tool_call_are_together() -> None:
    calls = '[{"id": "a", "function": {"name": "f"}}, {"id": "b", "x": {"id": "c"}}]'
    document = parse(
        f'{{"choices": [{{"index": 0, "delta": {{"content": "x", "tool_calls": {calls}}}}}]}}', lenient=True
    )
    leaves = [leaf for leaf in document.leaves if is_delta(leaf)]
    assert [[leaf.text for leaf in group] for group in by_call(leaves)] == [["x"], ["a", "f"], ["b"]]
    assert [leaf.text for leaf in leaves if is_call_id(leaf.path)] == ["a", "b"]


PIECES = [
    {"content": "§"},
    {"content": [{"type": "text", "text": "§"}]},
    {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "§"}]}]},
    {"refusal": "§"},
    {"reasoning": "§"},
    {"reasoning_content": "§"},
    {"reasoning_details": [{"type": "reasoning.summary", "summary": "§", "index": 0}]},
    {"audio": {"transcript": "§"}},
    {"function_call": {"name": "§", "arguments": "§"}},
    {"tool_calls": [{"id": "§", "function": {"name": "§", "arguments": "§"}}]},
    {"tool_calls": [{"custom": {"name": "§", "input": "§"}}]},
    {"unheard": "§"},
    {"unheard": {"more": ["§", {"note": "§"}]}},
    {"content": ["§", {"type": "text", "title": "§"}]},
]
WHOLE = [
    "§",
    {"role": "§"},
    {"content": [{"type": "§", "image_url": {"url": "§"}}]},
    {"content": [{"file": {"text": "§", "name": "§"}}]},
    {"annotations": [{"type": "§", "url_citation": {"title": "§", "url": "§", "content": "§"}}]},
    {"audio": {"id": "§", "data": "§"}},
    {"function_call": {"arguments": {"text": "§"}}},
    {"tool_calls": [{"type": "§", "name": "§", "arguments": "§", "mcp": {"id": "§", "arguments": "§"}}]},
    {"tool_calls": [{"function": {"arguments": {"name": "§"}, "description": "§"}}]},
]


@pytest.mark.parametrize(
    ("delta", "is_piece"),
    [*((each, True) for each in PIECES), *((each, False) for each in WHOLE)],
    ids=range(len(PIECES) + len(WHOLE)),
)
def test_a_delta_is_what_the_api_sends_in_pieces(delta: object, is_piece: bool) -> None:
    document = parse(json.dumps({"choices": [{"delta": delta}]}), lenient=True)
    found = [is_delta(leaf) for leaf in document.leaves if leaf.text == "§"]
    assert found
    assert set(found) == {is_piece}


def test_a_label_shows_numbers_and_field_names_alone() -> None:
    assert label_of(("delta", "tool_calls", 1, "9" * 9, "function")) == ".message.tool_calls[1].{0}.function"
