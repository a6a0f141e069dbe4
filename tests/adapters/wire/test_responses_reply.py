import json
from typing import Any

from privguard.core.profile import Profile, ToolRule
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_reply import restore_response
from tests.adapters.fake_guard import FakeExchange, FakeGuard

MARK, ACE = "[PERSON_7QK2]", "[PERSON_9XY3]"
OFFERED = ReplyRules(offered=frozenset({"look"}))


def exchange(**profile: Any) -> FakeExchange:  # noqa: ANN401 - fields of the profile
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, **profile))
    return guard.begin((), target="m")


def restored(body: object, to: FakeExchange | None = None) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(restore_response(json.dumps(body), to or exchange(), OFFERED))


def test_a_list_of_items_is_the_callers_own_but_for_what_the_model_said() -> None:
    data = [
        {"id": "1", "type": "message", "role": "system", "content": [{"type": "input_text", "text": MARK}]},
        {"id": "2", "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": MARK}]},
        {"id": "3", "type": "function_call_output", "call_id": "c", "output": f'{{"a": "{ACE}"}}'},
        {"id": "4", "type": "function_call", "call_id": "c", "name": "look", "arguments": f'{{"a": "{ACE}"}}'},
    ]
    body = {"object": "list", "data": data, "first_id": "1", "last_id": "4", "has_more": False}
    found = restored(body)["data"]
    assert [found[0]["content"][0]["text"], found[1]["content"][0]["text"]] == ["Ada Roth", "Ada Roth"]
    assert json.loads(found[2]["output"]) == json.loads(found[3]["arguments"]) == {"a": 'Ben "Ace" Kole'}


def test_an_item_by_itself_is_restored_as_one_of_a_list() -> None:
    item = {"id": "1", "type": "message", "role": "user", "content": [{"type": "input_text", "text": MARK}]}
    assert restored(item)["content"][0]["text"] == "Ada Roth"
    call = {"id": "4", "type": "function_call", "call_id": "c", "name": "look", "arguments": MARK}
    assert restored(call, exchange(tools={"*": ToolRule(kinds=frozenset())}))["arguments"] == MARK


def test_arguments_that_are_an_object_are_the_tools() -> None:
    item = {"type": "tool_search_call", "execution": "client", "arguments": {"query": MARK, "id": MARK, MARK: "x"}}
    found = restored({"object": "response", "output": [item]})["output"][0]
    assert found["arguments"] == {"query": "Ada Roth", "id": "Ada Roth", "Ada Roth": "x"}
    hidden = restored({"object": "response", "output": [item]}, exchange(tools={"*": ToolRule(kinds=frozenset())}))
    assert hidden["output"] == [item]


def test_an_error_quotes_in_the_callers_words() -> None:
    assert restored({"error": {"message": f"about {MARK}", "type": "x"}})["error"]["message"] == "about Ada Roth"


def test_a_reply_that_is_no_json_is_restored_for_any_reader() -> None:
    assert restore_response("[PERSON_7QK2] failed", exchange(), OFFERED) == "Ada Roth failed"
    closed = exchange(tools={"*": ToolRule(kinds=frozenset())})
    assert restore_response("[PERSON_7QK2] failed", closed, OFFERED) == "[PERSON_7QK2] failed"
