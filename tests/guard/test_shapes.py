import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.segments import Role, Segment
from privguard.guard.shapes import (
    Message,
    message_segments,
    origins_of,
    rebuild_messages,
    rebuild_text,
    text_segments,
)

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


@given(st.lists(TREES, max_size=3))
def test_content_that_is_not_changed_comes_back_equal(contents: list[object]) -> None:
    messages: list[Message] = [{"role": "user", "content": "", "made_up": content} for content in contents]
    try:
        segments = message_segments(messages)
    except UnknownContentError:
        return  # generated keys may name a content, whose parts must be of a known type
    assert rebuild_messages(messages, segments) == messages


@given(st.text(max_size=9), st.text(max_size=9))
def test_arguments_are_read_inside_their_json(key: str, value: str) -> None:
    arguments = json.dumps({"to": value, key: 4111111111111111})
    messages: list[Message] = [
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "pay", "arguments": arguments}}]}
    ]
    texts = [segment.text for segment in message_segments(messages)]
    assert "4111111111111111" in texts
    assert rebuild_messages(messages, message_segments(messages)) == messages


def test_every_text_is_a_segment_and_goes_back_to_its_place() -> None:
    messages: list[Message] = [
        {"role": "system", "content": "s"},
        {"role": "user", "name": "n", "content": [{"type": "text", "text": "t", "id": "i"}], "unlisted": {"k": "u"}},
    ]
    segments = message_segments(messages)
    assert [(s.path, s.role) for s in segments] == [
        ("messages[0].content", Role.SYSTEM),
        ("messages[1].name", Role.USER),
        ("messages[1].content[0].text", Role.USER),
        ("messages[1].content[0].id", Role.USER),
        ("messages[1].{3}", Role.USER),
        ("messages[1].3.{0}", Role.USER),
        ("messages[1].3.0", Role.USER),
    ]
    upper = [Segment(path=s.path, role=s.role, channel=s.channel, text=s.text.upper()) for s in segments]
    assert rebuild_messages(messages, upper) == [
        {"role": "system", "content": "S"},
        {"role": "user", "name": "N", "content": [{"type": "text", "text": "T", "id": "I"}], "UNLISTED": {"K": "U"}},
    ]


@pytest.mark.parametrize(
    "messages",
    [
        ["CANARY"],
        [{"content": "CANARY"}],
        [{"role": "CANARY", "content": ""}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "CANARY"}}]}],
        [{"role": "user", "content": b"CANARY"}],
        [{"role": "user", "content": [{"type": "CANARY", "text": "x"}]}],
        [{"role": "user", "content": [{"type": "computer_screenshot", "image_url": "CANARY"}]}],
        [{"role": "user", "content": [{"image_url": {"url": "CANARY"}}]}],
        [{"role": "user", "content": {"image_url": "CANARY"}}],
        [{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "image"}]}]}],
        [{"role": "tool", "content": '{"shot": "data:image/png;base64,CANARY"}'}],
        [{"role": "user", "content": "x", 1: "CANARY"}],
        {"role": "user", "content": "CANARY"},
        None,
        5,
        b"CANARY",
    ],
    ids=[
        "no mapping",
        "no role",
        "unknown role",
        "image",
        "bytes",
        "unknown part",
        "screenshot",
        "no type",
        "no list",
        "image in a result",
        "image in JSON",
        "number for a key",
        "one message",
        "nothing",
        "a number",
        "bytes for messages",
    ],
)
def test_what_is_not_understood_is_refused_without_being_shown(messages: list[Message]) -> None:
    with pytest.raises(UnknownContentError) as refused:
        message_segments(messages)
    assert "CANARY" not in str(refused.value)


def test_deep_nesting_is_refused() -> None:
    content: object = "x"
    for _ in range(100):
        content = [content]
    with pytest.raises(UnknownContentError, match="deeper"):
        message_segments([{"role": "user", "content": content}])


def test_keys_that_would_become_one_are_refused() -> None:
    messages: list[Message] = [{"role": "user", "content": "x", "made_up": {"a": 1, "b": 2}}]
    same = [Segment(path=s.path, role=s.role, channel=s.channel, text="same") for s in message_segments(messages)]
    with pytest.raises(UnknownContentError, match="one"):
        rebuild_messages(messages, same)


def upper(segments: tuple[Segment, ...]) -> list[Segment]:
    return [Segment(path=s.path, role=s.role, channel=s.channel, text=s.text.upper()) for s in segments]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool", "tool_call_id": "SECRET-7", "content": "x"},
        {"role": "assistant", "tool_calls": [{"id": "SECRET-7", "type": "function"}]},
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "SECRET-7"}]},
        {"role": "user", "content": [{"type": "text", "text": "x", "id": "SECRET-7"}]},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": '{"id": "SECRET-7"}'}}]},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": '{"type": "SECRET-7"}'}}]},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": '{"a": "SECRET-7", "a": "x"}'}}]},
        {"role": "tool", "content": '{"a": "\\u0053ECRET-7"}'},
        {"role": "tool", "content": '{"a": "\\u0053ECRET-7"'},
    ],
)
def test_every_string_is_looked_at_wherever_it_stands(message: Message) -> None:
    assert "SECRET-7" in [segment.text for segment in message_segments([message])]


def test_numbers_of_json_keep_their_spelling() -> None:
    text = '{"to": "ada", "big": 1e400, "exact": 12345678901234567890123.5,  "n": NaN}'
    messages: list[Message] = [{"role": "tool", "content": text}]
    outgoing = [
        Segment(path=s.path, role=s.role, channel=s.channel, text=s.text.replace("ada", "bob"))
        for s in message_segments(messages)
    ]
    assert rebuild_messages(messages, outgoing) == [{"role": "tool", "content": text.replace("ada", "bob")}]


@given(st.text(max_size=30) | TREES.map(json.dumps))
def test_a_text_that_is_not_changed_comes_back_equal(text: str) -> None:
    try:
        segments = text_segments(text)
    except UnknownContentError:
        return  # generated text may look like a medium
    assert rebuild_text(text, segments) == text


def test_a_plain_text_is_one_segment_and_json_is_read_inside() -> None:
    assert [(s.path, s.text) for s in text_segments("I am Zoë")] == [("text", "I am Zoë")]
    segments = text_segments('{"a": "zo\\u00eb"}')
    assert [(s.path, s.text) for s in segments] == [("text.$.{0}#key", "a"), ("text.$.{0}", "zoë")]
    assert rebuild_text('{"a": "zo\\u00eb"}', upper(segments)) == '{"A": "ZOË"}'


def test_other_segments_than_those_that_were_read_are_refused() -> None:
    messages: list[Message] = [{"role": "user", "content": "x", "name": "y"}]
    with pytest.raises(PlanError):
        rebuild_messages(messages, message_segments(messages)[:1])
    with pytest.raises(PlanError):
        rebuild_messages(messages, message_segments(messages)[::-1])


ODD = [
    "Ada",
    " ",
    "\\u00e9",
    "\\n",
    '"',
    "{",
    "}",
    ":",
    "[",
    "]",
    ",",
    "\\",
    "😀",
    "\\ud83d\\ude00",
    "4111111111111111",
]
ODD += ["\n", "x"]


@given(st.lists(st.sampled_from(ODD), max_size=16).map("".join))
@example("\\\\ud83d\\ude00Ada")
def test_every_offset_leads_back_to_the_text_that_was_given(text: str) -> None:
    segments, origins = text_segments(text), origins_of(text)
    assert len(segments) == len(origins)
    last = 0
    for segment, origin in zip(segments, origins, strict=True):
        start, end = origin.locate(0), origin.locate(len(segment.text))
        assert last <= start <= end <= len(text)
        last = end
        for place in range(len(segment.text)):
            begin, finish = origin.locate(place), origin.locate(place + 1)
            spelled = text[begin:finish]
            assert spelled == segment.text[place] or spelled.startswith("\\")


def test_a_name_in_a_document_is_found_where_it_stands() -> None:
    inner = json.dumps({"to": "Zo\u00eb Roth", "note": "x\ny"})
    text = json.dumps({"body": inner, "n": 1})
    found = dict(zip([s.text for s in text_segments(text)], origins_of(text), strict=True))
    name = found["Zo\u00eb Roth"]
    spelled = text[name.locate(0) : name.locate(8)]
    assert spelled == "Zo\\\\u00eb Roth"
    assert name.path == "text"
    messages: list[Message] = [{"role": "user", "content": text, "name": "n"}]
    assert {origin.path for origin in origins_of(messages)} == {"messages[0].content", "messages[0].name"}
