import json
from dataclasses import replace
from typing import Any

import pytest

from privguard.core.edits import Edit
from privguard.core.entities import EntityType
from privguard.core.profile import OnReply, Profile, ToolRule
from privguard.core.views import View
from privguard_adapters.wire.anthropic_reply import UNSEEN, restore_message
from privguard_adapters.wire.cited import CitingRules
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.signed import SignedTexts
from tests.adapters.fake_guard import FakeExchange, FakeGuard

ADA, MAIL = "[PERSON_7QK2]", "[EMAIL_4MN5]"


def restore(
    reply: object, rules: ReplyRules | None = None, profile: Profile | None = None, signed: SignedTexts | None = None
) -> tuple[Any, FakeExchange]:
    guard = FakeGuard()
    exchange = replace(guard.begin((), target="m"), profile=profile or guard.profile)
    text = reply if isinstance(reply, str) else json.dumps(reply)
    restored = restore_message(text, exchange, rules or ReplyRules(), signed or SignedTexts())
    return (restored if isinstance(reply, str) else json.loads(restored)), exchange


def message(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": list(blocks), **more}


def test_texts_are_restored_and_identifiers_are_not() -> None:
    reply = message({"type": "text", "text": f"Dear {ADA}"}, stop_sequence=f"{ADA}:", model=ADA, id=ADA)
    restored, exchange = restore(reply)
    assert restored["content"] == [{"type": "text", "text": "Dear Ada Roth"}]
    assert (restored["stop_sequence"], restored["model"], restored["id"]) == ("Ada Roth:", ADA, ADA)
    assert "content[0].text" in exchange.paths
    assert exchange.views["stop_sequence"] == View()


def test_arguments_are_an_object_and_stay_valid() -> None:
    spelled = '{"type": "message", "content": [{"type": "tool_use", "name": "f", "input": {"to" :"[PERSON_9XY3]"}}]}'
    restored, exchange = restore(spelled, ReplyRules(offered=frozenset({"f"})))
    assert '"input": {"to" :"Ben \\"Ace\\" Kole"}' in restored
    assert json.loads(restored)["content"][0]["input"] == {"to": 'Ben "Ace" Kole'}
    assert exchange.views["content[0].input"] is not None


def test_a_tool_gets_what_its_rule_says_and_the_caller_of_no_tool_what_the_user_sees() -> None:
    calls = [
        {"type": kind, "id": "t", "name": "send", "input": {"to": ADA}} for kind in ("tool_use", "server_tool_use")
    ]
    profile = Profile(id="p:1", name="p", gamma=0.5, tools={"send": ToolRule(kinds=frozenset({EntityType.EMAIL}))})
    restored, _ = restore(message(*calls), ReplyRules(offered=frozenset({"send"})), profile)
    assert [each["input"] for each in restored["content"]] == [{"to": ADA}, {"to": "Ada Roth"}]


def test_what_calls_in_a_block_of_an_unknown_type_gets_what_every_tool_may_have() -> None:
    call = {"type": "device_tool_use", "id": "t", "name": "send", "input": {"to": ADA}, "title": ADA}
    restored, _ = restore(message(call), profile=Profile(id="p:1", name="p", gamma=0.5, remote_tools=("*",)))
    assert restored["content"] == [{**call, "title": "Ada Roth"}]
    assert restore(message(call))[0]["content"][0]["input"] == {"to": "Ada Roth"}


def test_names_and_keys_are_the_callers_own_again() -> None:
    names = ReplyNames(tools={"f_2": "f_ada"}, arguments={"f_2": {"k_2": "k_ada"}}, output={"o_2": "o_ada"})
    rules = ReplyRules(offered=frozenset({"f_2"}), names=names, json_reply=True)
    restored, _ = restore(
        message(
            {"type": "tool_use", "name": "f_2", "input": {"k_2": {"k_2": "k_2"}}},
            {"type": "text", "text": '{"o_2": "o_2"}'},
            {"type": "tool_search_tool_result", "content": {"tool_references": [{"tool_name": "f_2"}]}},
        ),
        rules,
    )
    call, text, found = restored["content"]
    assert (call["name"], call["input"]) == ("f_ada", {"k_ada": {"k_ada": "k_2"}})
    assert text["text"] == '{"o_ada": "o_2"}'
    assert found["content"]["tool_references"] == [{"tool_name": "f_ada"}]


@pytest.mark.parametrize("kind", ["thinking", "redacted_thinking", "compaction"])
def test_what_is_signed_passes_byte_for_byte(kind: str) -> None:
    block = {"type": kind, "thinking": f"It is {ADA}", "signature": ADA, "data": ADA, "content": ADA}
    restored, exchange = restore(message(block))
    assert restored["content"] == [block]
    assert exchange.paths == exchange.refused == []


def test_what_came_signed_is_noted() -> None:
    signed = SignedTexts()
    restore(message({"type": "thinking", "thinking": f"It is {ADA}", "signature": "sig"}), signed=signed)
    assert signed.knows(f"It is {ADA}", "sig")


@pytest.mark.parametrize("on_reply", [OnReply.FLAG, OnReply.REDACT])
def test_what_is_thought_is_searched_where_the_profile_says_so_and_no_value_comes_back(on_reply: OnReply) -> None:
    profile = Profile(id="p:1", name="p", gamma=0.5, on_reply=on_reply)
    restored, exchange = restore(
        message({"type": "thinking", "thinking": f"It is {ADA}", "signature": "s"}), profile=profile
    )
    assert restored["content"][0]["thinking"] == f"It is {ADA}"
    assert exchange.views["content[0].thinking"] == UNSEEN


def test_results_of_the_providers_tools_are_restored_but_for_what_is_sealed() -> None:
    block: dict[str, Any] = {
        "type": "web_search_tool_result",
        "content": [{"type": "web_search_result", "title": ADA, "url": "u", "encrypted_content": ADA}],
    }
    fetched = {"type": "document", "source": {"type": "text", "data": ADA}}
    pdf = {"type": "document", "source": {"type": "base64", "data": ADA}}
    blocks = [block, {"type": "x", "content": fetched}, {"type": "x", "content": pdf}]
    first, second, third = restore(message(*blocks))[0]["content"]
    assert first["content"][0] == {
        "type": "web_search_result",
        "title": "Ada Roth",
        "url": "u",
        "encrypted_content": ADA,
    }
    assert (second["content"]["source"]["data"], third["content"]["source"]["data"]) == ("Ada Roth", ADA)


def test_citations_point_at_the_same_words_of_the_callers_document() -> None:
    sent, own = "It is [PERSON_7QK2]; he", "It is Ada Roth; he"
    start, end = sent.index("["), sent.index(";")
    offsets = Offsets.undoing([Edit(start=6, end=14, replacement=ADA)])
    citation = {
        "type": "char_location", "cited_text": sent[start:end], "document_index": 1, "document_title": ADA,
        "start_char_index": start, "end_char_index": end,
    }  # fmt: skip
    later = {**citation, "cited_text": "he", "start_char_index": end + 2, "end_char_index": len(sent)}
    unknown = {**citation, "document_index": 7}
    rules = CitingRules(documents=(None, offsets))
    restored, _ = restore(message({"type": "text", "text": "x", "citations": [citation, later, unknown]}), rules)
    first, second, third = restored["content"][0]["citations"]
    assert own[first["start_char_index"] : first["end_char_index"]] == first["cited_text"] == "Ada Roth"
    assert own[second["start_char_index"] : second["end_char_index"]] == "he"
    assert first["document_title"] == "Ada Roth"
    assert (third["start_char_index"], third["end_char_index"]) == (start, end)


@pytest.mark.parametrize("text", ["", "not JSON [PERSON_7QK2]", '"[PERSON_7QK2]"', "[1", "{}", "[]"])
def test_a_body_that_is_no_message_is_restored_as_it_can_be(text: str) -> None:
    assert restore(text)[0] == text.replace(ADA, "Ada Roth")


def test_errors_are_restored() -> None:
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": f"bad {ADA}"}, "request_id": ADA}
    assert restore(error)[0] == {**error, "error": {"type": "invalid_request_error", "message": "bad Ada Roth"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"to": "[PERSON_9XY3]"}', '{"to": "Ben \\"Ace\\" Kole"}'),
        ("[PERSON_9XY3]", 'Ben "Ace" Kole'),
    ],
)
def test_a_reply_that_came_later_tells_by_itself_whether_it_is_json(text: str, expected: str) -> None:
    restored, _ = restore({"custom_id": "a", "result": {"message": message({"type": "text", "text": text})}})
    assert restored["result"]["message"]["content"][0]["text"] == expected
