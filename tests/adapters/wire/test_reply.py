import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.json_leaves import parse
from privguard.core.profile import Profile, ToolRule
from privguard.core.views import View, strictest_view, tool_view
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import (
    ReplyRules,
    is_kept,
    moved,
    read_reply,
    restore_reply,
)
from tests.adapters.fake_guard import FakeExchange, FakeGuard

RULES = ReplyRules(offered=frozenset({"send", "send_all", "look", "mail"}))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


def exchange(**profile: Any) -> FakeExchange:  # noqa: ANN401 - fields of the profile
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, **profile))
    return guard.begin((), target="m")


def restored(body: object, rules: ReplyRules = RULES) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(restore_reply(json.dumps(body), exchange(), rules))


def chat(**message: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    return {
        "id": "chatcmpl-[PERSON_7QK2]",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}],
        "usage": {"total_tokens": 5},
    }


@given(value=VALUES)
def test_a_reply_without_placeholders_passes_byte_for_byte(value: Any) -> None:  # noqa: ANN401 - any JSON value
    text = json.dumps(value, indent=2)
    assert restore_reply(text, exchange(), RULES) == text


def test_every_text_of_a_message_comes_back() -> None:
    mark = "[PERSON_7QK2]"
    message = restored(
        chat(
            content=f"Dear {mark}",
            refusal=mark,
            reasoning_content=mark,
            audio={"id": "a", "data": mark, "transcript": mark},
            tool_calls=[{"id": "call_1", "type": "custom", "custom": {"name": "g", "input": mark}}],
            unheard_of={"deep": [mark]},
        )
    )["choices"][0]["message"]
    assert message["content"] == "Dear Ada Roth"
    assert message["refusal"] == message["reasoning_content"] == "Ada Roth"
    assert message["audio"] == {"id": "a", "data": mark, "transcript": "Ada Roth"}
    assert message["tool_calls"][0]["custom"]["input"] == "Ada Roth"
    assert message["unheard_of"] == {"deep": ["Ada Roth"]}


def test_identifiers_and_signatures_are_never_touched() -> None:
    mark = "[PERSON_7QK2]"
    body = chat(content="x", signature=mark, encrypted_content=mark)
    assert restored(body) == body


@pytest.mark.parametrize("field", ["tool_calls", "function_call"])
def test_arguments_stay_json_whatever_the_value_holds(field: str) -> None:
    call = {"name": "f", "arguments": json.dumps({"to": "[PERSON_9XY3]", "n": 1})}
    message = chat(**{field: [{"id": "c", "function": call}] if field == "tool_calls" else call})
    answer = restored(message)["choices"][0]["message"][field]
    arguments = answer[0]["function"]["arguments"] if field == "tool_calls" else answer["arguments"]
    assert json.loads(arguments) == {"to": 'Ben "Ace" Kole', "n": 1}


def test_json_that_was_asked_for_stays_json() -> None:
    body = chat(content='{"to": "[PERSON_9XY3]"}')
    content = restored(body, ReplyRules(json_reply=True))["choices"][0]["message"]["content"]
    assert json.loads(content) == {"to": 'Ben "Ace" Kole'}


def test_a_remote_tool_gets_placeholders_and_the_refusal_is_counted() -> None:
    guarded = exchange(remote_tools=("send",))
    calls = [
        {"id": "c", "function": {"name": name, "arguments": '{"to": "[PERSON_7QK2]"}'}} for name in ("send", "look")
    ]
    answer = json.loads(restore_reply(json.dumps(chat(tool_calls=calls)), guarded, RULES))
    sent, looked = [call["function"]["arguments"] for call in answer["choices"][0]["message"]["tool_calls"]]
    assert (sent, looked) == ('{"to": "[PERSON_7QK2]"}', '{"to": "Ada Roth"}')
    assert guarded.refused == ["choices[0].message.tool_calls[0].function.arguments"]


def test_a_tool_gets_what_its_rule_says_and_the_user_what_the_exchange_gives_without_one() -> None:
    rules = {"mail": ToolRule(kinds=frozenset({EntityType.EMAIL})), "send*": ToolRule(secrets=True)}
    guarded = exchange(tools=rules)
    calls = [
        {"id": "c", "function": {"name": name, "arguments": '"[PERSON_7QK2] [EMAIL_4MN5]"'}}
        for name in ("mail", "send_all", "look")
    ]
    answer = json.loads(restore_reply(json.dumps(chat(content="[PERSON_7QK2]", tool_calls=calls)), guarded, RULES))
    message = answer["choices"][0]["message"]
    assert message["content"] == "Ada Roth"
    assert [call["function"]["arguments"] for call in message["tool_calls"]] == [
        '"[PERSON_7QK2] ada@roth.example"',
        '"Ada Roth ada@roth.example"',
        '"Ada Roth ada@roth.example"',
    ]
    path = "choices[0].message.tool_calls[{}].function.arguments"
    assert guarded.views["choices[0].message.content"] is None
    assert [guarded.views[path.format(number)] for number in range(3)] == [
        tool_view(guarded.profile, [name]) for name in ("mail", "send_all", "look")
    ]


def test_arguments_that_are_an_object_belong_to_the_tool_as_well() -> None:
    guarded = exchange(remote_tools=("send",))
    call = {"name": "send", "arguments": {"[USERNAME_3HH7]": ["[PERSON_7QK2]"], "name": "[PERSON_7QK2]"}}
    for message in (chat(function_call=call), chat(tool_calls=[{"function": call}, {"custom": {"input": [call]}}])):
        assert json.loads(restore_reply(json.dumps(message), guarded, RULES)) == message
    assert guarded.refused


def test_what_cannot_be_read_gets_what_the_user_and_every_tool_gets() -> None:
    guarded = exchange(tools={"mail": ToolRule(kinds=frozenset({EntityType.EMAIL}))}, restore_secrets=True)
    assert restore_reply("no JSON: [PERSON_7QK2] [EMAIL_4MN5]", guarded, RULES) == (
        "no JSON: [PERSON_7QK2] ada@roth.example"
    )
    assert guarded.views == {"reply": strictest_view(guarded.profile)}


def test_the_metadata_that_come_back_hold_all_that_was_sent() -> None:
    guarded = exchange()
    restore_reply(json.dumps({"metadata": {"a": "[PERSON_7QK2]"}}), guarded, RULES)
    assert set(guarded.views.values()) == {View()}


def test_citations_point_at_the_same_words() -> None:
    text = "As [PERSON_7QK2] said, see the page."
    start = text.index("the page")
    citation = {"start_index": start, "end_index": start + 8, "title": "[PERSON_7QK2]", "url": "https://a.example"}
    body = chat(content=text, annotations=[{"type": "url_citation", "url_citation": citation}])
    message = restored(body)["choices"][0]["message"]
    moved_citation = message["annotations"][0]["url_citation"]
    assert message["content"][moved_citation["start_index"] : moved_citation["end_index"]] == "the page"
    assert moved_citation["title"] == "Ada Roth"


@pytest.mark.parametrize(("content", "kept"), [("[PERSON_7QK2]", False), ("plain", True)])
def test_log_probabilities_go_where_the_text_changed(content: str, kept: bool) -> None:
    body = chat(content=content)
    body["choices"][0]["logprobs"] = {"content": [{"token": content, "logprob": -1.5, "bytes": [1]}]}
    answer = restored(body)["choices"][0]["logprobs"]
    assert (answer is not None) is kept
    if kept:
        assert answer == body["choices"][0]["logprobs"]


def test_several_choices_and_legacy_texts_come_back() -> None:
    body = {"choices": [{"index": n, "text": f"{n} [PERSON_7QK2]"} for n in range(3)]}
    assert [choice["text"] for choice in restored(body)["choices"]] == [f"{n} Ada Roth" for n in range(3)]


def test_keys_and_metadata_come_back() -> None:
    body = {"metadata": {"[USERNAME_3HH7]": "[PERSON_7QK2]", "id": "[PERSON_7QK2]"}}
    assert restored(body) == {"metadata": {"ada_roth": "Ada Roth", "id": "Ada Roth"}}


def test_an_error_that_quotes_the_prompt_comes_back() -> None:
    assert restored({"error": {"message": "bad: [PERSON_7QK2]", "code": "x"}})["error"]["message"] == "bad: Ada Roth"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bad gateway for [PERSON_7QK2]", "Bad gateway for Ada Roth"),
        ('{"a": "[PERSON_9XY3]"', '{"a": "Ben \\"Ace\\" Kole"'),
        ("", ""),
    ],
)
def test_a_body_that_is_no_json_is_restored_as_one_text(text: str, expected: str) -> None:
    assert restore_reply(text, exchange(), RULES) == expected


def test_the_paths_that_are_recorded_hold_no_keys_of_others() -> None:
    guarded = exchange()
    restore_reply(json.dumps({"Ada Roth": {"b": "x"}}), guarded, RULES)
    assert all("Ada" not in path for path in guarded.paths)


ODD = [
    ',"z":NaN',
    ',"z":1,"z":2',
    ',"z":"\\ud83d"',
    ',"z":"a\tb"',
    ',"z":' + "[" * 250 + "]" * 250,
    ',"z":' + "[" * 2000 + "]" * 2000,
    ",",
]


@pytest.mark.parametrize("odd", ODD, ids=["nan", "duplicate", "surrogate", "control", "deep", "too deep", "broken"])
def test_arguments_of_a_remote_tool_are_never_restored_however_odd_the_reply_is(odd: str) -> None:
    body = json.dumps(chat(tool_calls=[{"function": {"name": "send", "arguments": "[PERSON_7QK2]"}}]))
    guarded = exchange(remote_tools=("send",))
    text = restore_reply(body[:-1] + odd + "}", guarded, RULES)
    assert "Ada" not in text
    assert guarded.refused


@pytest.mark.parametrize("odd", ODD[:-2])
def test_an_odd_reply_is_restored_leaf_by_leaf(odd: str) -> None:
    body = json.dumps(chat(content="[PERSON_9XY3] ran"))
    text = restore_reply(body[:-1] + odd + "}", exchange(), RULES)
    assert text == body[:-1].replace("[PERSON_9XY3]", 'Ben \\"Ace\\" Kole') + odd + "}"


def test_numbers_keys_of_the_api_and_empty_strings_are_kept() -> None:
    leaves = parse('{"id": "x", "content": "x", "created": 1, "message": "", "zz": "x"}', FIELD_NAMES).leaves
    assert [leaf.label for leaf in leaves if not is_kept(leaf)] == ["content", "{4}#key", "{4}"]


def test_indices_stay_where_nothing_moved() -> None:
    (_, leaf) = parse('{"start_index": 7}').leaves
    assert moved(leaf, Offsets()) == {}


@pytest.mark.parametrize("text", ['"[PERSON_7QK2]"', "5", "no json", ""])
def test_only_objects_and_lists_are_read_as_documents(text: str) -> None:
    assert read_reply(text) is None
    assert read_reply("[]") is not None


UNKNOWN_CALLS: list[dict[str, Any]] = [
    {"tool_calls": [{"name": "web_search", "arguments": '"[PERSON_7QK2]"'}]},
    {"tool_calls": [{"function": {"name": "web_search", "parameters": {"q": "[PERSON_7QK2]"}}}]},
    {"tool_calls": [{"type": "mcp", "mcp": {"name": "web_search", "arguments": {"q": ["[PERSON_7QK2]"]}}}]},
    {"tool_calls": {"[USERNAME_3HH7]": "[PERSON_7QK2]"}},
    {"function_call": {"name": "web_search", "parameters": "[PERSON_7QK2]"}},
    {"function_call": "[PERSON_7QK2]"},
]


@pytest.mark.parametrize("message", UNKNOWN_CALLS)
def test_a_tool_call_of_an_unknown_shape_gets_what_the_user_and_every_tool_gets(message: dict[str, Any]) -> None:
    guarded = exchange(remote_tools=("web_search",), tools={"deploy": ToolRule(secrets=True)}, restore_secrets=True)
    body = chat(content="[PERSON_7QK2]", **message)
    answer = json.loads(restore_reply(json.dumps(body), guarded, RULES))
    assert answer == chat(content="Ada Roth", **message)
    content = guarded.views.pop("choices[0].message.content")
    assert content is None
    assert strictest_view(guarded.profile) in guarded.views.values()


def test_a_tool_call_of_an_unknown_shape_comes_back_where_every_tool_gets_the_value() -> None:
    message = restored(chat(tool_calls=[{"name": "f", "arguments": '"[PERSON_9XY3]"'}]))["choices"][0]["message"]
    assert json.loads(message["tool_calls"][0]["arguments"]) == 'Ben "Ace" Kole'


@pytest.mark.parametrize("number", ["9" * 5000, '"\u00b2"'])
def test_a_citation_whose_index_is_too_long_to_read_loses_no_reply(number: str) -> None:
    body = json.dumps(chat(content="[PERSON_7QK2]", annotations=[{"start_index": "N"}])).replace('"N"', number)
    assert restore_reply(body, exchange(), RULES) == body.replace('content": "[PERSON_7QK2]', 'content": "Ada Roth')
