"""The note stands in a body of messages once, where a model reads it first, and changes nothing else of it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit, splice
from privguard.core.note import NOTE
from privguard.core.segments import Segment
from privguard_adapters.wire import openai_chat, openai_completions, openai_embeddings
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.request import RequestView

VALUE, MARK = "Ada Roth", "[PERSON_7QK2]"
USER = {"role": "user", "content": f"I am {VALUE}"}
HIDDEN = {"role": "user", "content": f"I am {MARK}"}
IN_FRONT = {"role": "system", "content": NOTE}


def minimized(view: RequestView, mark: str = MARK, *, edited: bool = True) -> tuple[Segment, ...]:
    """Hide the value as a guard does, or as one that says nothing of its edits."""
    return tuple(_hidden(segment, mark, edited=edited) for segment in view.segments)


def _hidden(segment: Segment, mark: str, *, edited: bool) -> Segment:
    start = segment.text.find(VALUE)
    if start < 0:
        return segment
    edits = (Edit(start=start, end=start + len(VALUE), replacement=mark),)
    return replace(segment, text=splice(segment.text, edits), edits=edits if edited else ())


def written(body: Any, codec: Codec = openai_chat.CODEC, **options: Any) -> Any:  # noqa: ANN401 - JSON
    view = codec.read_request(json.dumps(body).encode())
    return json.loads(codec.write_request(view, minimized(view, **options), note=True))


def sent(*messages: dict[str, Any], **options: Any) -> Any:  # noqa: ANN401 - JSON
    return written({"model": "m", "messages": messages}, **options)["messages"]


@pytest.mark.parametrize("edited", [True, False])
def test_without_instructions_a_system_message_goes_in_front(edited: bool) -> None:
    assert sent(USER, edited=edited) == [IN_FRONT, HIDDEN]


@pytest.mark.parametrize("edited", [True, False])
@pytest.mark.parametrize("role", ["system", "developer"])
def test_instructions_get_it_behind_a_blank_line(role: str, edited: bool) -> None:
    first = {"role": role, "content": f"Help {VALUE}"}
    assert sent(first, USER, edited=edited) == [{"role": role, "content": f"Help {MARK}\n\n{NOTE}"}, HIDDEN]


def test_instructions_that_end_with_the_value_get_it_behind() -> None:
    assert sent({"role": "system", "content": VALUE})[0]["content"] == f"{MARK}\n\n{NOTE}"


def test_instructions_in_parts_get_one_more() -> None:
    parts = [{"type": "text", "text": f"Help {VALUE}"}, {"type": "text", "text": "w"}]
    more = {"type": "text", "text": f"\n\n{NOTE}"}
    assert sent({"role": "system", "content": parts})[0]["content"] == [
        {"type": "text", "text": f"Help {MARK}"},
        parts[1],
        more,
    ]


@pytest.mark.parametrize(("empty", "full"), [("", NOTE), ([], [{"type": "text", "text": NOTE}])], ids=["text", "parts"])
def test_empty_instructions_become_the_note(empty: object, full: object) -> None:
    assert sent({"role": "system", "content": empty}, USER) == [{"role": "system", "content": full}, HIDDEN]


@pytest.mark.parametrize(
    "first",
    [
        {"role": "system", "content": None},
        {"role": "system"},
        {"role": "system", "content": {"w": "w"}},
        {"role": "user", "content": "w"},
        {"role": "unheard", "content": "w"},
        {},
        "w",
    ],
    ids=["null", "absent", "object", "user", "unknown", "empty", "text"],
)
def test_what_is_no_text_of_instructions_stays_behind_the_note(first: Any) -> None:  # noqa: ANN401 - JSON
    assert sent(first, USER) == [IN_FRONT, first, HIDDEN]


def test_only_the_first_message_counts_as_instructions() -> None:
    later = {"role": "system", "content": "w"}
    assert sent(USER, later) == [IN_FRONT, HIDDEN, later]


def test_what_comes_back_as_it_left_gets_no_second_note() -> None:
    for first in ((), ({"role": "system", "content": "w"},), ({"role": "system", "content": [{"type": "text"}]},)):
        once = sent(*first, USER)
        assert sent(*once) == once
        assert sent(*once, USER) == [*once, HIDDEN]
        assert sent({"role": "system", "content": "x"}, *once, USER) == [
            {"role": "system", "content": "x"}, *once, HIDDEN,
        ]  # fmt: skip


def test_a_note_that_the_user_repeats_is_none() -> None:
    repeated = {"role": "user", "content": f"What is this? {NOTE}"}
    assert sent(repeated, USER) == [IN_FRONT, repeated, HIDDEN]


def test_a_longer_conversation_begins_with_the_same_bytes() -> None:
    def raw(*messages: dict[str, Any]) -> bytes:
        view = openai_chat.CODEC.read_request(json.dumps({"model": "m", "messages": messages}).encode())
        return openai_chat.CODEC.write_request(view, minimized(view), note=True)

    first = raw(USER)
    assert raw(USER) == first
    assert raw(USER, {"role": "assistant", "content": "w"}, USER).startswith(first.removesuffix(b"]}"))


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "system", "content": "w"}, {"role": "user", "content": MARK}]},
        {"messages": [{"role": "user", "content": "w"}], "metadata": {"k": VALUE}, "user": VALUE},
        {"messages": [], "stop": VALUE},
        {"messages": {"role": "user", "content": VALUE}},
        {"stop": VALUE},
    ],
    ids=["nothing-replaced", "beside", "no-message", "no-list", "absent"],
)
def test_where_there_is_nothing_to_explain_there_is_no_note(body: dict[str, Any]) -> None:
    assert NOTE not in json.dumps(written({"model": "m", **body}))


def test_a_phrase_in_place_of_a_value_needs_no_note() -> None:
    assert sent({"role": "user", "content": f"{MARK} {VALUE}"}, mark="a large city") == [
        {"role": "user", "content": f"{MARK} a large city"}
    ]


@pytest.mark.parametrize("place", ["tools", "messages"])
def test_placeholders_in_tools_and_in_documents_count(place: str) -> None:
    tool = {"type": "function", "function": {"name": "f", "description": f"Finds {VALUE}"}}
    inner = {"role": "user", "content": json.dumps({"by": VALUE})}
    body = (
        {"tools": [tool], "messages": [{"role": "user", "content": "w"}]} if place == "tools" else {"messages": [inner]}
    )
    assert written({"model": "m", **body})["messages"][0] == IN_FRONT


@pytest.mark.parametrize(
    ("codec", "body"),
    [
        (openai_completions.CODEC, {"model": "m", "prompt": VALUE}),
        (openai_embeddings.CODEC, {"model": "m", "input": VALUE}),
    ],
    ids=["completions", "embeddings"],
)
def test_other_routes_have_no_place_for_it(codec: Codec, body: dict[str, str]) -> None:
    assert written(body, codec) == {name: text.replace(VALUE, MARK) for name, text in body.items()}


def test_a_profile_that_does_not_ask_gets_none() -> None:
    view = openai_chat.CODEC.read_request(json.dumps({"model": "m", "messages": [USER]}).encode())
    assert NOTE.encode() not in openai_chat.CODEC.write_request(view, minimized(view))


SPELLINGS = st.sampled_from(
    ["w", r"caf\u00e9 \"w\" ", r"{\"a\": \"w\"} \\", "[1]", "\U0001f600", VALUE, f" {VALUE} {VALUE}"]
)
ROLES = st.sampled_from(["system", "developer", "user"])


@given(spelled=SPELLINGS, role=ROLES, gap=st.sampled_from(["", " ", "\n\t"]), in_parts=st.booleans())
def test_everything_else_keeps_its_bytes(spelled: str, role: str, gap: str, in_parts: bool) -> None:
    content = f'[{gap}{{"type":"text","text":"{spelled}"}}{gap}]' if in_parts else f'"{spelled}"'
    messages = f'[{gap}{{"role":{gap}"{role}","content":{content}}},{gap}{{"role":"user","content":"{VALUE}"}}{gap}]'
    view = openai_chat.CODEC.read_request(f'{{{gap}"messages":{messages},"model":"m","n":1e0}}{gap}'.encode())
    outgoing = minimized(view)
    plain, noted = (openai_chat.CODEC.write_request(view, outgoing, note=each).decode() for each in (False, True))
    start = next(at for at, letter in enumerate(noted) if plain[at : at + 1] != letter)
    rest = len(plain) - start
    assert noted[len(noted) - rest :] == plain[start:]
    assert NOTE in noted[start : len(noted) - rest]
    expected = json.loads(plain)["messages"]
    if role == "user":
        expected.insert(0, IN_FRONT)
    elif in_parts:
        expected[0]["content"].append({"type": "text", "text": f"\n\n{NOTE}"})
    else:
        expected[0]["content"] += f"\n\n{NOTE}"
    assert json.loads(noted)["messages"] == expected
