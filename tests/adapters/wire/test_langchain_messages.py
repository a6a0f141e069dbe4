"""Messages as documents: what is not there is not shown, and calls that could not be parsed stand behind the others."""

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_messages import dump, load, show_message, weave_message
from privguard_adapters.wire.langchain_values import Values

VALID = {"name": "f", "args": {"a": "b"}, "id": "1"}
INVALID = {"name": "g", "args": "{", "id": "2", "error": None}


def test_calls_stand_in_one_list_and_come_back_in_two() -> None:
    message = {
        "role": "assistant",
        "content": "a",
        "name": None,
        "tool_calls": [VALID],
        "invalid_tool_calls": [INVALID],
    }
    shown = load(dump(show_message(message, Values(sent=True))))
    assert sorted(shown) == ["content", "role", "tool_calls"]
    assert [call["function"]["name"] for call in shown["tool_calls"]] == ["f", "g"]
    shown["content"], shown["tool_calls"][1]["function"]["name"] = "b", "h"
    woven = weave_message(message, shown, Values(sent=True))
    assert (woven["content"], woven["name"]) == ("b", None)
    assert woven["tool_calls"] == [{**VALID, "type": "tool_call"}]
    assert woven["invalid_tool_calls"] == [{**INVALID, "type": "invalid_tool_call", "name": "h"}]


def test_what_is_no_json_is_not_written() -> None:
    assert load(dump({"a": float("inf")})) == {"a": float("inf")}
    loop: list[object] = []
    loop.append(loop)
    for document in ({"a": float("inf")}, loop):
        with pytest.raises(UnknownContentError) as caught:
            dump(document, sent=True)
        assert caught.value.__context__ is None
