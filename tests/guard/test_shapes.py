import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard.core.segments import Role, Segment
from privguard.guard.shapes import Message, message_segments, rebuild_messages

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


@given(st.lists(TREES, max_size=3))
def test_content_that_is_not_changed_comes_back_equal(contents: list[object]) -> None:
    messages: list[Message] = [{"role": "user", "content": content} for content in contents]
    try:
        segments = message_segments(messages)
    except UnknownContentError:
        return  # a part of an opaque type, which generated text may name
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
        {"role": "user", "name": "n", "content": [{"type": "text", "text": "t"}], "unlisted": {"k": "u"}},
    ]
    segments = message_segments(messages)
    assert [(s.path, s.role) for s in segments] == [
        ("messages[0].content", Role.SYSTEM),
        ("messages[1].name", Role.USER),
        ("messages[1].content[0].text", Role.USER),
        ("messages[1].{3}", Role.USER),
        ("messages[1].3.{0}", Role.USER),
        ("messages[1].3.0", Role.USER),
    ]
    upper = [Segment(path=s.path, role=s.role, channel=s.channel, text=s.text.upper()) for s in segments]
    assert rebuild_messages(messages, upper) == [
        {"role": "system", "content": "S"},
        {"role": "user", "name": "N", "content": [{"type": "text", "text": "T"}], "UNLISTED": {"K": "U"}},
    ]


@pytest.mark.parametrize(
    "messages",
    [
        ["CANARY"],
        [{"content": "CANARY"}],
        [{"role": "CANARY", "content": ""}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "CANARY"}}]}],
        [{"role": "user", "content": b"CANARY"}],
    ],
    ids=["no mapping", "no role", "unknown role", "image", "bytes"],
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
    messages: list[Message] = [{"role": "user", "content": {"a": 1, "b": 2}}]
    same = [Segment(path=s.path, role=s.role, channel=s.channel, text="same") for s in message_segments(messages)]
    with pytest.raises(UnknownContentError, match="one"):
        rebuild_messages(messages, same)
