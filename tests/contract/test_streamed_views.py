"""Random requests, random replies: a stream shows what the whole shows, and neither shows what is withheld."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.profile import Profile, ToolRule
from privguard.guard import Exchange, Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from privguard_adapters.wire.openai_chat import CODEC
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules, restore_reply
from privguard_adapters.wire.sse import SseParser

VALUES = {"Ada Roth": EntityType.PERSON, "ops@heron.example": EntityType.EMAIL, "hunter2-hunter2": EntityType.SECRET}
OFFERED = ("send", "send_all", "look")
RULE = st.builds(
    ToolRule,
    kinds=st.sampled_from([None, frozenset[EntityType](), frozenset({EntityType.PERSON})]),
    secrets=st.booleans(),
)
TEXTS = st.lists(st.sampled_from(["§0", "§1", "§2", "word", "[", "https://x.example/?q=", '"', "\n"]), max_size=4)
CALLS = st.lists(st.tuples(st.sampled_from([*OFFERED, "unheard"]), TEXTS), max_size=2)
SPOKEN = st.lists(
    st.tuples(st.sampled_from(["system", "user", "assistant"]), st.sampled_from(list(VALUES))), min_size=1, max_size=4
)


def _guard(**settings: Any) -> Guard:  # noqa: ANN401 - fields of the profile
    return Guard(
        Parts(
            detector=FakeDetector(VALUES),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5, **settings)),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def _begin(guard: Guard, body: dict[str, Any]) -> tuple[Exchange[Any], ReplyRules, list[str]]:
    view = CODEC.read_request(json.dumps(body).encode())
    exchange = guard.begin(view.segments, target="m")
    marks = [each.replacement or "" for each in exchange.plan]
    return exchange, ReplyRules(offered=view.offered), sorted(set(marks))


def _fill(words: Sequence[str], marks: Sequence[str]) -> str:
    return " ".join(marks[int(word[1:]) % len(marks)] if word.startswith("§") else word for word in words)


def _cut(text: str, data: st.DataObject) -> list[str]:
    places = sorted(data.draw(st.frozensets(st.integers(0, len(text)), max_size=3)))
    return [text[start:end] for start, end in pairwise([0, *places, len(text)])]


def _events(content: str, calls: Sequence[tuple[str, str]], data: st.DataObject) -> Iterator[dict[str, Any]]:
    for piece in _cut(content, data):
        yield {"content": piece}
    for index, (name, arguments) in enumerate(calls):
        for piece in _cut(name, data):
            yield {"tool_calls": [{"index": index, "function": {"name": piece, "arguments": ""}}]}
        for piece in _cut(arguments, data):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _stream(exchange: Exchange[Any], rules: ReplyRules, deltas: Sequence[dict[str, Any]]) -> tuple[str, list[str]]:
    events = EventStream(exchange, rules)
    raw = b""
    for delta in deltas:
        raw += events.feed(b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n")
    raw += events.feed(b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n') + events.end()
    content, arguments = "", ["", ""]
    for frame in SseParser().feed(raw):
        delta = json.loads(frame.data or "")["choices"][0]["delta"]
        content += delta.get("content") or ""
        for call in delta.get("tool_calls", ()):
            arguments[call["index"]] += call["function"].get("arguments") or ""
    return content, arguments


def _counted(exchange: Exchange[Any]) -> set[RestoreEvent]:
    return {event for event in exchange.close().events if event.path}


@given(
    spoken=SPOKEN,
    content=TEXTS,
    calls=CALLS,
    rules=st.dictionaries(st.sampled_from(["send", "send*", "l*", "*"]), RULE, max_size=2),
    system=st.booleans(),
    data=st.data(),
)
def test_a_stream_shows_what_the_whole_shows_and_neither_shows_what_is_withheld(
    spoken: list[tuple[str, str]],
    content: list[str],
    calls: list[tuple[str, list[str]]],
    rules: dict[str, ToolRule],
    system: bool,
    data: st.DataObject,
) -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in OFFERED]
    messages = [{"role": role, "content": value} for role, value in spoken]
    guard = _guard(tools=rules, restore_system=system)
    body = {"model": "m", "messages": messages, "tools": tools}
    exchange, reply_rules, marks = _begin(guard, body)
    text = _fill(content, marks)
    called = [(name, json.dumps({"to": _fill(words, marks)})) for name, words in calls]
    functions = [{"function": {"name": name, "arguments": arguments}} for name, arguments in called]
    whole = {"choices": [{"index": 0, "message": {"content": text, "tool_calls": functions}}]}
    message = json.loads(restore_reply(json.dumps(whole), exchange, reply_rules))["choices"][0]["message"]
    arguments = [call["function"]["arguments"] for call in message["tool_calls"]]
    again, _, _ = _begin(guard, body)
    assert _stream(again, reply_rules, list(_events(text, called, data))) == (
        message["content"],
        [*arguments, "", ""][:2],
    )
    assert _counted(again) == _counted(exchange)
    said = {value for role, value in spoken if role != "system" or system}
    assert not any(value in message["content"] for value, kind in VALUES.items() if value not in said)
    assert "hunter2-hunter2" not in message["content"]
    assert all(json.loads(each) for each in arguments)
