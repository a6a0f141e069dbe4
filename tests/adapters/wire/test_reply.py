import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.json_leaves import parse
from privguard.core.profile import Profile
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules, is_kept, is_remote, moved, read_reply, restore_reply, tool_name
from tests.adapters.fake_guard import FakeExchange, FakeGuard

RULES = ReplyRules()
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


def test_tools_are_found_beside_their_arguments() -> None:
    values = parse(
        '{"function": {"name": "f", "arguments": "{}"}, "custom": {"input": "x"}, "q": {"input": "x"}}'
    ).values()
    assert tool_name(values, ("function", "arguments")) == "f"
    assert tool_name(values, ("custom", "input")) == ""
    assert tool_name(values, ("q", "input")) is None
    assert tool_name(values, ("arguments",)) is None


def test_a_tool_without_a_name_is_remote_where_any_is() -> None:
    assert is_remote("f", ("f",))
    assert not is_remote("g", ("f",))
    assert is_remote("", ("f",))
    assert not is_remote("", ())


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
