"""A placeholder that a view withheld comes back with the conversation, and stays the placeholder of its value."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.core.segments import Channel
from privguard.core.views import View
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.shapes import Message, message_segments, rebuild_messages
from privguard.replacements.key import Key
from privguard.testing import (
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    ListSink,
    Mangle,
    mangle_placeholders,
)

SECRET, OPS, ADA = "hunter2-hunter2", "ops@heron.example", "Ada Roth"
VALUES = {SECRET: EntityType.SECRET, OPS: EntityType.EMAIL, ADA: EntityType.PERSON}
GUARD = Guard(
    Parts(
        detector=FakeDetector(VALUES),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5)),
        sink=ListSink(),
        key=Key.from_text("correct horse battery staple"),
    )
)
FIRST: list[Message] = [
    {"role": "system", "content": f"Alert {OPS} when somebody shouts."},
    {"role": "user", "content": f"I am {ADA}, is {SECRET} a good password?"},
]
EVERYTHING = View()


def begin(messages: list[Message]) -> tuple[Exchange[tuple[object, ...]], list[str]]:
    exchange = GUARD.begin(message_segments(messages), target="m")
    contents = [str(message["content"]) for message in rebuild_messages(messages, exchange.outgoing)]
    return exchange.reshaped(()), contents


@pytest.mark.parametrize("mangle", [Mangle.NONE, Mangle.LOWER, Mangle.SPACES, Mangle.MARKDOWN, Mangle.HTML])
def test_a_long_conversation_has_one_placeholder_for_a_value_that_is_withheld(mangle: Mangle) -> None:
    messages = list(FIRST)
    sent: list[str] = []
    for turn in range(12):
        exchange, contents = begin(messages)
        assert contents[: len(sent)] == sent
        sent = contents
        told = f"No, {contents[1].split('is ')[-1].split(' a')[0]} is not, and {contents[0].split()[1]} knows"
        reply = exchange.restore(mangle_placeholders(told, mangle))
        assert not any(value in reply for value in VALUES)
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": f"And now, {turn}?"}]


def test_what_comes_back_is_read_as_what_it_stands_for() -> None:
    _, contents = begin(list(FIRST))
    password = contents[1].split("is ")[-1].split(" a")[0]
    exchange, again = begin([*FIRST, {"role": "assistant", "content": f"{password} is bad"}])
    assert again[2] == f"{password} is bad"
    assert exchange.restore(again[2], view=EVERYTHING) == f"{SECRET} is bad"
    assert exchange.restore(again[2]) == again[2]


def test_what_comes_back_in_the_arguments_of_a_tool_call_does_so_too() -> None:
    _, contents = begin(list(FIRST))
    ada = contents[1].split(",")[0].removeprefix("I am ")
    call = {"function": {"name": "send", "arguments": json.dumps({"to": ada, "also": ADA})}}
    messages: list[Message] = [*FIRST, {"role": "assistant", "content": "", "tool_calls": [call]}]
    exchange = GUARD.begin(message_segments(messages), target="m")
    outgoing: Any = rebuild_messages(messages, exchange.outgoing)[2]
    arguments = outgoing["tool_calls"][0]["function"]["arguments"]
    assert arguments == json.dumps({"to": ada, "also": ada})
    assert exchange.restore(arguments, Channel.JSON) == json.dumps({"to": ADA, "also": ADA})


@pytest.mark.parametrize("role", ["user", "tool", "system"])
def test_nobody_but_the_model_gives_a_placeholder_back(role: str) -> None:
    exchange, contents = begin(list(FIRST))
    typed = contents[1].split(",")[0].removeprefix("I am ")
    exchange, contents = begin([*FIRST, {"role": role, "content": f"what is {typed}?"}])
    assert contents[2] == f"what is {typed}?"
    assert typed not in contents[1]
    assert exchange.restore(contents[2], view=EVERYTHING) == contents[2]


def test_a_placeholder_of_nothing_in_the_request_stays() -> None:
    exchange, contents = begin([*FIRST, {"role": "assistant", "content": "[PERSON_9ZZZ] and [GOV_ID_2345A]"}])
    assert contents[2] == "[PERSON_9ZZZ] and [GOV_ID_2345A]"
    assert exchange.restore(contents[2], view=EVERYTHING) == contents[2]
    assert exchange.close().events == ()


def retained(messages: list[Message]) -> tuple[Exchange[tuple[object, ...]], list[str]]:
    """Begin as `begin` does, where everything is needed by now."""
    keeping = Guard(replace(GUARD.parts, need=FakeNeed(b_redact=9.0, b_abstract=9.0)))
    exchange = keeping.begin(message_segments(messages), target="m")
    return exchange.reshaped(()), [str(each["content"]) for each in rebuild_messages(messages, exchange.outgoing)]


def test_what_an_earlier_turn_hid_and_a_later_one_needs_comes_back_by_either_name() -> None:
    _, contents = begin([{"role": "user", "content": f"I am {ADA}"}])
    ada = contents[0].removeprefix("I am ")
    messages: list[Message] = [
        {"role": "user", "content": f"I am {ADA}"},
        {"role": "assistant", "content": f"Hello {ada}"},
        {"role": "user", "content": "Sign with my name"},
    ]
    exchange, contents = retained(messages)
    assert contents == [f"I am {ADA}", f"Hello {ada}", "Sign with my name"]
    assert exchange.restore(f"{ada}, that is {ADA}") == f"{ADA}, that is {ADA}"


def test_a_placeholder_that_the_caller_types_stays_where_its_value_is_needed() -> None:
    _, contents = begin([{"role": "user", "content": f"I am {ADA}"}])
    ada = contents[0].removeprefix("I am ")
    exchange, contents = retained([{"role": "user", "content": f"I am {ADA}"}, {"role": "user", "content": ada}])
    assert exchange.restore(f"{ada} {ADA}") == f"{ada} {ADA}"
    exchange, contents = retained(
        [{"role": "user", "content": f"I am {ADA}, {ada}"}, {"role": "assistant", "content": ada}]
    )
    assert exchange.restore(ada) == ada


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "assistant"]),
            st.lists(st.sampled_from(["§1", "§2", "§3", ADA, SECRET, "and ", "https://x.example/"]), max_size=5),
        ),
        max_size=4,
    )
)
def test_whoever_says_what_all_comes_back_to_who_may_see_it(turns: list[tuple[str, list[str]]]) -> None:
    _, contents = begin(list(FIRST))
    marks = {
        "§1": contents[1].split(",")[0].removeprefix("I am "),
        "§2": contents[1].split("is ")[-1].split(" a")[0],
        "§3": contents[0].split()[1],
    }
    texts = [" ".join(marks.get(word, word) for word in words) for _, words in turns]
    messages = [*FIRST, *({"role": role, "content": text} for (role, _), text in zip(turns, texts, strict=True))]
    exchange, contents = begin(messages)
    assert not any(value in text for text in contents for value in VALUES)
    for (role, _), text, content in zip(turns, texts, contents[2:], strict=True):
        restored = exchange.restore(content, view=EVERYTHING)
        assert restored == (text if role == "user" else exchange.restore(text, view=EVERYTHING))
