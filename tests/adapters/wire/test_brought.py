"""Values of the model's own in streamed events: the real guard, cut at every byte."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from privguard.core.entities import EntityType
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Segment
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules, restore_reply
from privguard_adapters.wire.reply_bytes import restore_bytes
from privguard_adapters.wire.sse import SseParser

BROUGHT = {"Cleo Marsh": EntityType.PERSON, "cleo@marsh.example": EntityType.EMAIL, "5550188001": EntityType.PHONE}
FILLER = "Nothing is said here that would tell anything of anybody, whoever reads it. "
HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def begin(**profile: Any) -> Exchange[tuple[Segment, ...]]:  # noqa: ANN401 - fields of the profile
    settings = {"on_reply": OnReply.REDACT} | profile
    parts = Parts(
        detector=FakeDetector(BROUGHT | {"Ada Roth": EntityType.PERSON}),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5, **settings)),
        sink=ListSink(),
        key=Key.from_text("correct horse battery staple"),
    )
    return Guard(parts).begin(text_segments("I am Ada Roth"), target="m")


ADA = begin().outgoing[0].text.split()[2]
SAID = f"{FILLER}{FILLER}Ask Cleo Marsh, not {ADA}. {FILLER}{FILLER}Or write: cleo@marsh.example. {FILLER}"
SHOWN = SAID.replace("Cleo Marsh", "[REDACTED PERSON]").replace("cleo@marsh.example", "[REDACTED EMAIL]")
SHOWN = SHOWN.replace(ADA, "Ada Roth")


def event(delta: dict[str, Any], *, index: int = 0, finish: str | None = None, **more: Any) -> bytes:  # noqa: ANN401
    whole = {**HEAD, "choices": [{"index": index, "delta": delta, "finish_reason": finish, **more}]}
    return b"data: " + json.dumps(whole).encode() + b"\n\n"


def deltas(text: str, size: int, *, index: int = 0) -> list[bytes]:
    return [event({"content": text[at : at + size]}, index=index) for at in range(0, len(text), size)]


def run(raw: bytes, cuts: Sequence[int] = (), *, rules: ReplyRules | None = None, **profile: Any) -> bytes:  # noqa: ANN401
    stream = EventStream(begin(**profile), rules or ReplyRules())
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    return b"".join([*(stream.feed(raw[start:end]) for start, end in pairwise(places)), stream.end()])


def final(raw: bytes) -> Any:  # noqa: ANN401 - a completion of the SDK
    parser, state = SseParser(), ChatCompletionStreamState()
    for frame in (*parser.feed(raw), *parser.end()):
        if frame.data is not None and not frame.data.startswith("[DONE]"):
            list(state.handle_chunk(ChatCompletionChunk.model_validate_json(frame.data)))
    return state.get_final_completion()


@given(size=st.integers(1, 200), cuts=st.lists(st.integers(0, 9000), max_size=5))
def test_the_deltas_add_up_to_what_the_whole_shows(size: int, cuts: list[int]) -> None:
    raw = b"".join([*deltas(SAID, size), event({}, finish="stop"), b"data: [DONE]\n\n"])
    shown = run(raw, cuts)
    assert shown == run(raw)
    assert final(shown).choices[0].message.content == SHOWN == begin().restore(SAID)


def test_no_cut_between_events_lets_a_part_of_a_value_pass() -> None:
    for cut in range(len(SAID)):
        first, second = event({"content": SAID[:cut]}), event({"content": SAID[cut:]}, finish="stop")
        stream = EventStream(begin(), ReplyRules())
        early = final(stream.feed(first) + event({"content": ""}, finish="stop")).choices[0].message.content or ""
        assert SHOWN.startswith(early)
        assert b"Marsh" not in stream.feed(second) + stream.end()


def test_nor_does_one_in_a_field_that_the_api_does_not_know() -> None:
    for cut in range(len(SAID)):
        first, second = event({"unheard": SAID[:cut]}), event({"unheard": SAID[cut:]}, finish="stop")
        stream = EventStream(begin(), ReplyRules())
        parser = SseParser()
        frames = (*parser.feed(stream.feed(first) + stream.feed(second) + stream.end()), *parser.end())
        shown = [json.loads(frame.data)["choices"][0]["delta"] for frame in frames if frame.data]
        assert "".join([delta.get("unheard", "") for delta in shown]) == SHOWN


def test_each_choice_is_its_own() -> None:
    both = [each for pair in zip(deltas(SAID, 9), deltas(SAID[::-1], 9, index=1), strict=True) for each in pair]
    raw = b"".join([*both, event({}, finish="stop"), event({}, index=1, finish="stop")])
    reply = final(run(raw, rules=ReplyRules(choices=2)))
    assert [each.message.content for each in reply.choices] == [SHOWN, SAID[::-1]]


@pytest.mark.parametrize("size", [1, 7, 4000])
def test_the_arguments_of_a_tool_stay_valid(size: int) -> None:
    given = json.dumps({"to": "Cleo Marsh", "cc": ADA, "body": json.dumps({"tel": 5550188001}), "n": 5550188001})
    pieces = [given[at : at + size] for at in range(0, len(given), size)]
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "send", "arguments": ""}}
    raw = b"".join([
        *deltas(SAID, 40),
        event({"tool_calls": [call]}),
        *(event({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in pieces),
        event({}, finish="tool_calls"),
    ])  # fmt: skip
    message = final(run(raw, rules=ReplyRules(offered=frozenset({"send"})))).choices[0].message
    assert message.content == SHOWN
    arguments = json.loads(message.tool_calls[0].function.arguments)
    assert json.loads(arguments.pop("body")) == {"tel": "[REDACTED PHONE]"}
    assert arguments == {"to": "[REDACTED PERSON]", "cc": "Ada Roth", "n": "[REDACTED PHONE]"}


def test_what_is_held_when_the_stream_breaks_off_is_searched_and_comes() -> None:
    end = SAID.index("Marsh") + len("Marsh, not")
    shown = run(b"".join(deltas(SAID[:end], 11)))
    assert b"Cleo" not in shown
    content = final(shown + event({}, finish="stop")).choices[0].message.content
    assert content == f"{FILLER}{FILLER}Ask [REDACTED PERSON], not"


def test_the_tokens_of_a_text_that_is_held_back_do_not_pass() -> None:
    tokens = {"content": [{"token": "Cleo Marsh", "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
    raw = event({"content": "Ask Cleo Marsh"}) + event({"content": ""}, logprobs=tokens) + event({}, finish="stop")
    assert b"Cleo" not in run(raw)
    assert b"Cleo" in run(raw, on_reply=OnReply.FLAG)


def test_where_everything_passes_the_events_are_the_same_bytes() -> None:
    raw = b"".join([*deltas(SAID.replace(ADA, "Ada"), 5), event({}, finish="stop"), b"data: [DONE]\n\n"])
    assert run(raw, on_reply=OnReply.PASS) == run(raw, on_reply=OnReply.FLAG) == raw


def test_a_whole_reply_is_searched_text_by_text() -> None:
    message = {"role": "assistant", "content": f"Ask Cleo Marsh or {ADA}", "refusal": "cleo@marsh.example"}
    choice = {"index": 0, "message": message, "logprobs": {"content": [{"token": "Cleo"}]}, "finish_reason": "stop"}
    shown = json.loads(restore_reply(json.dumps({"choices": [choice]}), begin(), ReplyRules()))["choices"][0]
    assert shown["message"]["content"] == "Ask [REDACTED PERSON] or Ada Roth"
    assert shown["message"]["refusal"] == "[REDACTED EMAIL]"
    assert shown["logprobs"] is None


@pytest.mark.parametrize("content", [None, "Hello", "Ask Cleo Marsh"])
def test_no_token_of_a_whole_reply_passes_whatever_its_text_says(content: str | None) -> None:
    arguments = {"name": "f", "arguments": '{"to": "Cleo Marsh"}'}
    message = {"role": "assistant", "content": content, "tool_calls": [{"id": "c", "function": arguments}]}
    tokens = {"content": [{"token": "Cleo Marsh", "logprob": -0.1, "top_logprobs": [{"logprobs": {"Cleo": 1}}]}]}
    raw = json.dumps({"choices": [{"index": 0, "message": message, "logprobs": tokens}], "x": {"logprobs": "Cleo"}})
    shown = json.loads(restore_reply(raw, begin(), ReplyRules()))
    assert "Cleo" not in json.dumps(shown)
    assert shown["choices"][0]["logprobs"] is shown["x"]["logprobs"] is None
    flagged = json.loads(restore_reply(raw, begin(on_reply=OnReply.FLAG), ReplyRules()))
    assert flagged["choices"][0]["logprobs"] == tokens


@pytest.mark.parametrize("on_reply", OnReply)
def test_tokens_that_are_keys_leave_a_reply_valid(on_reply: OnReply) -> None:
    tokens = {"tokens": ["Cleo Marsh"], "top_logprobs": [{"Cleo Marsh": -0.1, ADA: -2}], "text_offset": [0]}
    raw = json.dumps({"choices": [{"index": 0, "text": f"Ask Cleo Marsh or {ADA}", "logprobs": tokens}]})
    shown = json.loads(restore_reply(raw, begin(on_reply=on_reply), ReplyRules()))
    assert shown["choices"][0]["logprobs"] is None


def test_a_reason_that_is_empty_lets_no_part_of_a_value_pass() -> None:
    pieces = [SAID[at : at + 5] for at in range(0, len(SAID), 5)]
    raw = b"".join([*(event({"content": piece}, finish="") for piece in pieces), event({}, finish="stop")])
    shown = run(raw)
    parser = SseParser()
    choices = [json.loads(frame.data or "")["choices"][0] for frame in (*parser.feed(shown), *parser.end())]
    assert "".join(choice["delta"].get("content") or "" for choice in choices) == SHOWN


def test_a_byte_that_is_no_utf_8_lets_no_value_pass_in_a_whole_reply() -> None:
    body = json.dumps({"choices": [{"message": {"content": f"x {SAID}"}}]}).encode().replace(b"x ", b"\xff ", 1)
    shown = json.loads(restore_bytes(body, "", begin(), ReplyRules()))["choices"][0]["message"]["content"]
    assert shown == f"\ufffd {SHOWN}"


THOUGHT = f"{ADA} or Cleo Marsh? {SAID}"
ARGUMENTS = json.dumps({"to": "Cleo Marsh", "cc": "[ADA]", "n": 5550188001, "x": FILLER})
SHOWN_ARGUMENTS = json.dumps({"to": "[REDACTED PERSON]", "cc": "Ada Roth", "n": "[REDACTED PHONE]", "x": FILLER})


def call_delta(piece: str, number: int) -> dict[str, Any]:
    return {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


CHANNELS: dict[str, tuple[str, Any]] = {
    "content": (SAID, lambda piece: {"content": piece}),
    "reasoning": (THOUGHT, lambda piece: {"reasoning": piece}),
    "first": (ARGUMENTS.replace("[ADA]", ADA), lambda piece: call_delta(piece, 0)),
    "second": (ARGUMENTS.replace("[ADA]", ADA), lambda piece: call_delta(piece, 1)),
}


def texts(raw: bytes) -> dict[str, str]:
    """Return what the deltas of each channel add up to."""
    parser = SseParser()
    found = dict.fromkeys(CHANNELS, "")
    for frame in (*parser.feed(raw), *parser.end()):
        for choice in json.loads(frame.data or "{}").get("choices", ()):
            delta = choice["delta"]
            for call in delta.pop("tool_calls", ()):
                found["second" if call["index"] else "first"] += call["function"]["arguments"]
            for name, piece in delta.items():
                found[name] += piece
    return found


def interleaved(order: Sequence[str], size: int) -> bytes:
    """Return the events of all channels, each in order, their turns as `order` says as long as it lasts."""
    rest = {name: [text[at : at + size] for at in range(0, len(text), size)] for name, (text, _) in CHANNELS.items()}
    turns = [*order, *(name for name, pieces in rest.items() for _ in pieces)]
    events = [event(CHANNELS[name][1](rest[name].pop(0))) for name in turns if rest[name]]
    return b"".join([*events, event({}, finish="stop")])


@given(order=st.lists(st.sampled_from(list(CHANNELS)), max_size=120), size=st.integers(2, 60))
def test_however_texts_take_turns_each_reads_as_it_does_alone(order: list[str], size: int) -> None:
    assert texts(run(interleaved(order, size))) == {
        "content": SHOWN, "reasoning": begin().restore(THOUGHT), "first": SHOWN_ARGUMENTS, "second": SHOWN_ARGUMENTS,
    }  # fmt: skip


def test_texts_that_alternate_let_no_part_of_a_value_pass() -> None:
    events = [event({name: piece}) for piece in ("Ask Cle", "o Mar", "sh.") for name in ("content", "reasoning")]
    shown = texts(run(b"".join(events)))
    assert shown["content"] == shown["reasoning"] == "Ask [REDACTED PERSON]."


@pytest.mark.parametrize("name", ["content", "reasoning", "first"])
def test_events_named_error_between_its_pieces_cut_no_value(name: str) -> None:
    text, delta = CHANNELS[name]
    failure = b'event: error\ndata: {"error": {"message": "slow"}}\n\n'
    plain = [event(delta(text[at : at + 7])) for at in range(0, len(text), 7)]
    named = [b"event: error\n" + each for each in plain]
    alone = texts(run(b"".join(plain)))[name]
    assert texts(run(b"".join(named)))[name] == alone
    between = run(failure.join(plain))
    assert texts(between)[name] == alone
    assert between.count(failure) == len(plain) - 1


def test_a_failure_at_the_end_comes_behind_what_was_held_back() -> None:
    failure = b'event: error\ndata: {"error": {"message": "slow"}}\n\n'
    for end in (b"", b"data: [DONE]\n\n"):
        shown = run(event({"content": "Ask Cleo Marsh"}) + failure + b": ping\n\n" + end)
        assert shown.endswith(failure + b": ping\n\n" + end)
        assert b"[REDACTED PERSON]" in shown.removesuffix(failure + end)


def test_the_arguments_of_a_tool_come_when_they_are_whole() -> None:
    stream = EventStream(begin(), ReplyRules())
    first, second = (json.dumps({"to": name}) for name in ("Cleo Marsh", "Ada"))
    assert texts(stream.feed(event(call_delta(first[:-1], 0))))["first"] == ""
    assert json.loads(texts(stream.feed(event(call_delta(first[-1], 0))))["first"]) == {"to": "[REDACTED PERSON]"}
    assert json.loads(texts(stream.feed(event(call_delta(second, 1))))["second"]) == {"to": "Ada"}


QUOTED = 'Ada "Ace" Roth'


@pytest.mark.parametrize("on_reply", [OnReply.PASS, OnReply.REDACT])
def test_arguments_that_go_on_behind_the_reason_go_on_where_they_stood(on_reply: OnReply) -> None:
    values = BROUGHT | {QUOTED: EntityType.PERSON}
    parts = Parts(
        detector=FakeDetector(values),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5, on_reply=on_reply)),
        sink=ListSink(),
        key=Key.from_text("correct horse battery staple"),
    )
    with Guard(parts).begin(text_segments(f"I am {QUOTED}"), target="m") as exchange:
        mark = exchange.outgoing[0].text.removeprefix("I am ")
        text = f'{{"to": "{mark}", "cc": "Cleo Marsh", "n": 1}}'
        for cut in range(1, len(text)):
            stream = EventStream(exchange, ReplyRules(offered=frozenset({"send"})))
            raw = stream.feed(event(called(text[:cut], "send")) + event({}, finish="tool_calls"))
            raw += stream.feed(event(called(text[cut:]))) + stream.end()
            said = json.loads(arguments_of(raw))
            if text.index("[") < cut <= text.index("]") or text.index("Cleo") < cut <= text.index("Marsh") + 5:
                continue  # what the reason cuts in two is not known
            assert said["to"] == QUOTED
            assert (said["cc"] == "Cleo Marsh") is (on_reply is OnReply.PASS)


def called(arguments: str, name: str | None = None) -> dict[str, Any]:
    function = {"arguments": arguments} | ({} if name is None else {"name": name})
    return {"tool_calls": [{"index": 0, "function": function}]}


def arguments_of(raw: bytes) -> str:
    parser = SseParser()
    whole = [json.loads(frame.data) for frame in (*parser.feed(raw), *parser.end()) if frame.data is not None]
    calls = [each["choices"][0]["delta"].get("tool_calls", []) for each in whole]
    return "".join([call["function"].get("arguments", "") for called in calls for call in called])
