import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from anthropic.lib.streaming._messages import accumulate_event
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.profile import OnReply, Profile, ToolRule
from privguard.guard import Exchange, Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from privguard_adapters.wire.anthropic_messages import CODEC
from privguard_adapters.wire.anthropic_reply import restore_message
from privguard_adapters.wire.anthropic_stream import MessageEvents
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.signed import SignedTexts
from privguard_adapters.wire.sse import SseParser
from tests.adapters.fake_guard import FakeGuard

ADA = "[PERSON_7QK2]"
VALUES = {"Ada Roth": EntityType.PERSON, "ops@heron.example": EntityType.EMAIL, "hunter2-hunter2": EntityType.SECRET}
BROUGHT = "Ben Kole"
OFFERED = ("send", "send_all", "look")
Json = dict[str, Any]


def frame(event: Json) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def start(index: int, block: Json) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: Any) -> Json:  # noqa: ANN401 - JSON
    return {"type": "content_block_delta", "index": index, "delta": fields}


def stop(index: int) -> Json:
    return {"type": "content_block_stop", "index": index}


def run(events: Sequence[Json], rules: ReplyRules | None = None, signed: SignedTexts | None = None) -> list[Json]:
    stream = MessageEvents(FakeGuard().begin((), target="m"), rules or ReplyRules(), signed or SignedTexts())
    raw = b"".join([stream.feed(frame(event)) for event in events]) + stream.end()
    frames = SseParser().feed(raw)
    assert all(each.event == json.loads(each.data or "{}").get("type") for each in frames)
    return [json.loads(each.data or "") for each in frames]


def test_what_is_held_back_comes_before_the_block_stops() -> None:
    events = [start(0, {"type": "text", "text": ""}), delta(0, type="text_delta", text="Dear [PERSON_7Q"), stop(0)]
    assert run(events)[1:] == [
        delta(0, type="text_delta", text="Dear "),
        delta(0, type="text_delta", text="[PERSON_7Q"),
        stop(0),
    ]


def test_each_block_is_a_text_of_its_own_even_where_they_take_turns() -> None:
    events = [
        start(0, {"type": "text", "text": "[PER"}),
        start(1, {"type": "text", "text": ""}),
        delta(1, type="text_delta", text="[EMAIL_"),
        delta(0, type="text_delta", text="SON_7QK2]"),
        delta(1, type="text_delta", text="4MN5]"),
        stop(1),
        stop(0),
    ]
    texts = {0: "", 1: ""}
    for event in run(events):
        if "index" in event:
            fields = event.get("delta") or event.get("content_block") or {}
            texts[event["index"]] += fields.get("text", "")
    assert texts == {0: "Ada Roth", 1: "ada@roth.example"}


def test_what_is_signed_passes_byte_for_byte_and_is_noted() -> None:
    signed = SignedTexts()
    events = [
        start(0, {"type": "thinking", "thinking": "", "signature": ""}),
        delta(0, type="thinking_delta", thinking="It is [PERSON"),
        delta(0, type="thinking_delta", thinking="_7QK2]."),
        delta(0, type="signature_delta", signature=ADA),
        stop(0),
        start(1, {"type": "redacted_thinking", "data": ADA}),
        stop(1),
    ]
    assert run(events, signed=signed) == events
    assert signed.knows(f"It is {ADA}.", ADA)


def test_the_name_of_a_tool_is_the_callers_own_and_so_are_the_keys() -> None:
    names = ReplyNames(tools={"f_2": "f_ada"}, arguments={"f_2": {"k_2": "k_ada"}})
    events = [
        start(0, {"type": "tool_use", "id": "t", "name": "f_2", "input": {}}),
        delta(0, type="input_json_delta", partial_json='{"k_'),
        delta(0, type="input_json_delta", partial_json='2": "[PERSON_9XY3]"}'),
        stop(0),
    ]
    out = run(events, ReplyRules(offered=frozenset({"f_2"}), names=names))
    assert out[0]["content_block"]["name"] == "f_ada"
    written = "".join([event["delta"]["partial_json"] for event in out if "delta" in event])
    assert json.loads(written) == {"k_ada": 'Ben "Ace" Kole'}


def test_a_text_that_nobody_knows_may_come_in_pieces_too() -> None:
    events = [
        start(0, {"type": "x"}),
        delta(0, type="x_delta", x={"y": "[PERS"}),
        delta(0, type="x_delta", x={"y": "ON_7"}),
    ]
    out = run([*events, delta(0, type="x_delta", x={"y": "QK2]"}), stop(0)])
    assert "".join([event["delta"]["x"]["y"] for event in out if "delta" in event]) == "Ada Roth"


@pytest.mark.parametrize("last", ["message_delta", "message_stop", "error"])
def test_whatever_ends_the_message_comes_behind_what_is_held(last: str) -> None:
    end = {"type": last, "delta": {"stop_sequence": ADA}, "error": {"type": "api_error", "message": ADA}}
    out = run([start(0, {"type": "text", "text": ""}), delta(0, type="text_delta", text="[PERSON_7Q"), end])
    assert [event["type"] for event in out[2:]] == ["content_block_delta", last]
    assert out[-1]["error"]["message"] == "Ada Roth"


def test_a_stream_that_breaks_off_brings_what_was_held() -> None:
    stream = MessageEvents(FakeGuard().begin((), target="m"), ReplyRules(), SignedTexts())
    raw = stream.feed(
        frame(start(0, {"type": "text", "text": ""})) + frame(delta(0, type="text_delta", text="a [PERS"))
    )
    broken = b'event: content_block_delta\ndata: {"type": "content_'
    raw += stream.feed(broken) + stream.end()
    assert raw.endswith(broken)
    assert frame(delta(0, type="text_delta", text="[PERS")) in raw
    assert not stream.complete


def test_a_message_is_complete_when_it_stops_and_for_who_reads_on_no_further_when_it_says_why() -> None:
    stream = MessageEvents(FakeGuard().begin((), target="m"), ReplyRules(), SignedTexts())
    stream.feed(frame({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}))
    assert stream.complete
    stream.end()
    assert not stream.complete


def test_pings_comments_and_events_without_values_keep_their_bytes() -> None:
    raw = (
        b': hello\n\nevent: ping\ndata: {"type":  "ping"}\n\nevent:message_stop\r\ndata:{"type":"message_stop"}\r\n\r\n'
    )
    stream = MessageEvents(FakeGuard().begin((), target="m"), ReplyRules(), SignedTexts())
    assert stream.feed(raw) + stream.end() == raw
    assert stream.complete


RULE = st.builds(
    ToolRule,
    kinds=st.sampled_from([None, frozenset[EntityType](), frozenset({EntityType.PERSON})]),
    secrets=st.booleans(),
)
WORDS = st.lists(
    st.sampled_from(["§0", "§1", "§2", "word", "[", "https://x.example/?q=", '"', "\n", "é😀", BROUGHT]), max_size=4
)
BLOCK = st.tuples(st.sampled_from(["text", "thinking", "tool_use", "server_tool_use"]), st.sampled_from(OFFERED), WORDS)
SPOKEN = st.lists(
    st.tuples(st.sampled_from(["system", "user", "assistant"]), st.sampled_from(list(VALUES))), min_size=1, max_size=4
)


def _guard(**settings: Any) -> Guard:  # noqa: ANN401 - fields of the profile
    return Guard(
        Parts(
            detector=FakeDetector({**VALUES, BROUGHT: EntityType.PERSON}),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5, **settings)),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def _begin(guard: Guard, body: Json) -> tuple[Exchange[Any], ReplyRules, list[str]]:
    view = CODEC.read_request(json.dumps(body).encode())
    exchange = guard.begin(view.segments, target="m")
    return exchange, ReplyRules(offered=view.offered), sorted({each.replacement or "" for each in exchange.plan})


def _fill(words: Sequence[str], marks: Sequence[str]) -> str:
    return " ".join(marks[int(word[1:]) % len(marks)] if word.startswith("§") else word for word in words)


def _block(kind: str, name: str, text: str) -> Json:
    if kind == "text":
        return {"type": "text", "text": text}
    if kind == "thinking":
        return {"type": "thinking", "thinking": text, "signature": "c2ln"}
    return {"type": kind, "id": "t1", "name": name, "input": {"to": text, "inner": json.dumps({"a": [text]})}}


def _deltas(block: Json, cut: Callable[[str], list[str]]) -> list[Json]:
    kind = block["type"]
    if kind == "text":
        return [{"type": "text_delta", "text": piece} for piece in cut(block["text"])]
    if kind == "thinking":
        thought = [{"type": "thinking_delta", "thinking": piece} for piece in cut(block["thinking"])]
        return [*thought, {"type": "signature_delta", "signature": block["signature"]}]
    return [{"type": "input_json_delta", "partial_json": piece} for piece in cut(json.dumps(block["input"]))]


EMPTY: Json = {"text": "", "thinking": "", "signature": "", "input": {}}


def _events(message: Json, cut: Callable[[str], list[str]]) -> list[Json]:
    events: list[Json] = [{"type": "message_start", "message": {**message, "content": []}}]
    for index, block in enumerate(message["content"]):
        first = {name: EMPTY.get(name, value) for name, value in block.items()}
        events += [start(index, first), *[delta(index, **fields) for fields in _deltas(block, cut)], stop(index)]
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}
    return [*events, end, {"type": "message_stop"}]


def _accumulated(raw: bytes) -> list[Json]:
    """Return the blocks as the SDK reads them."""
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    for each in SseParser().feed(raw):
        event: Any = json.loads(each.data or "")
        snapshot = accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
    return [block.to_dict() for block in snapshot.content]


def _wanted(block: Json) -> Json:
    return {name: value for name, value in block.items() if name != "parsed_output" and value is not None}


@given(
    spoken=SPOKEN,
    blocks=st.lists(BLOCK, min_size=1, max_size=3),
    rules=st.dictionaries(st.sampled_from(["send", "send*", "l*", "*"]), RULE, max_size=2),
    system=st.booleans(),
    on_reply=st.sampled_from(OnReply),
    data=st.data(),
)
def test_a_stream_shows_what_the_whole_shows_and_neither_shows_what_is_withheld(
    spoken: list[tuple[str, str]],
    blocks: list[tuple[str, str, list[str]]],
    rules: dict[str, ToolRule],
    system: bool,
    on_reply: OnReply,
    data: st.DataObject,
) -> None:
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in OFFERED]
    messages = [{"role": role, "content": value} for role, value in spoken]
    guard = _guard(tools=rules, restore_system=system, on_reply=on_reply)
    body = {"model": "m", "messages": messages, "tools": tools}
    exchange, reply_rules, marks = _begin(guard, body)
    content = [_block(kind, name, _fill(words, marks)) for kind, name, words in blocks]
    message: Json = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": content}
    message["usage"] = {"input_tokens": 1, "output_tokens": 1}
    whole = json.loads(restore_message(json.dumps(message), exchange, reply_rules, SignedTexts()))["content"]

    def cut(text: str) -> list[str]:
        places = sorted(data.draw(st.frozensets(st.integers(0, len(text)), max_size=3)))
        return [text[first:last] for first, last in pairwise([0, *places, len(text)])]

    again, _, _ = _begin(guard, body)
    stream = MessageEvents(again, reply_rules, SignedTexts())
    raw = b"".join([stream.feed(frame(event)) for event in _events(message, cut)]) + stream.end()
    assert [_wanted(block) for block in _accumulated(raw)] == whole
    assert {event for event in again.close().events if event.path} == {e for e in exchange.close().events if e.path}
    said = {value for role, value in spoken if role != "system" or system}
    for block, sent in zip(whole, content, strict=True):
        if block["type"] == "thinking" and (on_reply is not OnReply.REDACT or BROUGHT not in sent["thinking"]):
            assert block == sent
        if block["type"] == "text":
            assert not any(value in block["text"] for value in VALUES if value not in said)
            assert "hunter2-hunter2" not in block["text"]
    assert on_reply is not OnReply.REDACT or BROUGHT not in json.dumps(whole)
