import json

from privguard.core.json_leaves import parse
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Channel
from privguard.core.views import View
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_places import Item, Places
from privguard_adapters.wire.responses_texts import Texts
from tests.adapters.fake_guard import FakeExchange, FakeGuard

MARK = "[PERSON_7QK2]"


def exchange(**profile: object) -> FakeExchange:
    return FakeGuard(profile=Profile(id="f:1", name="f", gamma=0.5, **profile)).begin((), target="m")  # type: ignore[arg-type]


def test_a_text_is_restored_once_for_each_reader() -> None:
    to = exchange()
    texts = Texts(to, ReplyRules())
    for _ in range(3):
        assert texts.restore(MARK, texts.shown(), "a") == "Ada Roth"
    assert texts.restore(MARK, texts.callers(MARK), "b") == "Ada Roth"
    assert to.paths == ["a", "b"]


def test_what_came_in_pieces_is_known_with_what_moved_in_it() -> None:
    to = exchange()
    texts = Texts(to, ReplyRules())
    offsets = texts.offsets(f"By {MARK}!", texts.said(), "a")
    assert offsets.map(len(f"By {MARK}")) == len("By Ada Roth")
    texts.note("given", texts.said(), "other", offsets)
    assert texts.restore("given", texts.said(), "b") == "other"
    assert to.paths == ["a"]


def test_a_request_that_is_not_at_hand_is_learned_from_its_reply() -> None:
    texts = Texts(exchange(), ReplyRules())
    tools = [{"type": "function", "name": "look"}]
    body = {"object": "response", "text": {"format": {"type": "json_object"}}, "tools": tools}
    item = Item(path=(), kind="function_call", name="look")
    assert texts.said().channel is Channel.REPLY
    texts.learn(Places.of(parse(json.dumps(body))))
    assert texts.said().channel is Channel.JSON
    asked = Texts(exchange(), ReplyRules(offered=frozenset({"look"})))
    assert texts.given(item, is_json=True) == asked.given(item, is_json=True)


def test_a_document_of_the_callers_is_written_as_one() -> None:
    texts = Texts(exchange(), ReplyRules())
    assert texts.callers('{"a": 1}').channel is texts.callers(' [{"a": 1}]').channel is Channel.JSON
    assert texts.callers("[1] see").channel is Channel.TEXT
    assert texts.callers("x").view == View()


def test_a_profile_says_whether_tokens_tell_and_whether_there_is_a_note() -> None:
    assert Texts(exchange(on_reply=OnReply.REDACT), ReplyRules()).hides
    assert not Texts(exchange(), ReplyRules()).hides
    assert Texts(exchange(note=True), ReplyRules()).has_note
