import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit
from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.segments import Channel, Role, Segment
from privguard_adapters.wire.fields import FIELD_NAMES, patterns
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.layout import Layout, message_role
from privguard_adapters.wire.request import RequestView, name_checks, read_body, write_body
from tests.adapters.fake_guard import FakeGuard

LAYOUT = Layout(
    tokens=patterns("model messages.*.id"),
    words=patterns("messages.*.role"),
    options=patterns("seed temperature"),
    names=patterns("messages.*.name"),
    schemas=patterns("schema"),
    role=message_role,
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99999, 99999) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


def read(body: object) -> RequestView:
    return read_body(json.dumps(body, ensure_ascii=False).encode(), LAYOUT)


def texts(view: RequestView) -> dict[str, str]:
    return {segment.path: segment.text for segment in view.segments}


def hidden(view: RequestView) -> Any:  # noqa: ANN401 - any JSON value
    outgoing = FakeGuard().begin(view.segments, target="m").outgoing
    return json.loads(write_body(view, outgoing))


def strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for key, child in value.items() for text in (key, *strings(child))]
    if isinstance(value, list):
        return [text for child in value for text in strings(child)]
    return [value] if isinstance(value, str) else []


@given(extra=st.dictionaries(TEXT, VALUES, max_size=4))
def test_what_is_not_changed_goes_out_byte_for_byte(extra: dict[str, Any]) -> None:
    raw = json.dumps({"model": "m", **{f"x{key}": value for key, value in extra.items()}}, indent=2).encode()
    try:
        view = read_body(raw, LAYOUT)
    except UnknownContentError:
        return
    assert write_body(view, view.segments) == raw


@given(extra=st.dictionaries(TEXT, VALUES, max_size=4))
def test_every_string_and_key_of_an_unknown_field_is_a_segment(extra: dict[str, Any]) -> None:
    view = read({"model": "m", "made_up": extra})
    expected = [text for text in strings(extra) if text.strip() and "\\" not in text]  # escapes are read as letters
    known = [segment.text for segment in view.segments]
    for text in expected:
        assert text in known or text in FIELD_NAMES


def test_paths_show_numbers_for_keys_that_the_caller_chose() -> None:
    view = read({"model": "m", "metadata": {"Ada Roth": "Ada Roth"}, "zz": [{"q": "x"}]})
    assert texts(view) == {
        "metadata.{0}#key": "Ada Roth",
        "metadata.{0}": "Ada Roth",
        "{2}#key": "zz",
        "{2}[0].{0}#key": "q",
        "{2}[0].{0}": "x",
    }


def test_roles_come_from_the_message() -> None:
    roles = ["system", "developer", "user", "assistant", "tool", "function", "stranger"]
    view = read({"model": "m", "messages": [{"role": role, "content": "x"} for role in roles], "user": "u"})
    assert [segment.role for segment in view.segments if segment.text != "stranger"] == [
        Role.SYSTEM, Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.OTHER, Role.OTHER,
    ]  # fmt: skip


def test_data_beside_the_conversation_is_marked_and_keys_of_the_caller_are_told() -> None:
    view = read(
        {
            "user": "ada",
            "metadata": {"patientBsn": "1", "name": "Ada", "notes": ["x"], "doc": '{"pin": "2"}'},
            "messages": [{"role": "user", "name": "bob", "content": "hello"}],
            "case": {"bsn": "3", "text": "4"},
            "schema": {"properties": {"ssn": {"type": "string", "default": "5"}}},
        }
    )
    told = {segment.text: (segment.key, segment.beside) for segment in view.segments}
    assert told == {
        "ada": ("", True),
        "patientBsn": ("", True),
        "1": ("patientBsn", True),
        "Ada": ("name", True),
        "notes": ("", True),
        "x": ("notes", True),
        "doc": ("", True),
        "pin": ("doc", True),
        "2": ("doc", True),
        "bob": ("", True),
        "hello": ("", False),
        "case": ("", False),
        "bsn": ("", False),
        "3": ("bsn", False),
        "4": ("", False),
        "ssn": ("", False),
        "5": ("", False),
    }


def test_json_in_a_string_is_minimized_inside_and_stays_json() -> None:
    inner = {"card": 4111111111111111, "to": 'Ben "Ace" Kole', "ada_roth": {"deep": '{"x": "Ada Roth"}'}, "n": 5}
    sent = hidden(read({"model": "m", "messages": [{"role": "assistant", "arguments": json.dumps(inner)}]}))
    arguments = json.loads(sent["messages"][0]["arguments"])
    assert arguments == {
        "card": "[FIN_ACCOUNT_8TT9]",
        "to": "[PERSON_9XY3]",
        "[USERNAME_3HH7]": {"deep": '{"x": "[PERSON_7QK2]"}'},
        "n": 5,
    }


@pytest.mark.parametrize("kind", ["tool", "prose"])
def test_what_stands_beside_a_replaced_value_keeps_its_escapes(kind: str) -> None:
    document = '{"by": "caf\\u00e9 of Ada Roth", "x": "{\\"y\\": \\"\\\\u00e9 Ada Roth\\"}"}'
    text = document if kind == "tool" else f"see {document}"
    view = read({"model": "m", "messages": [{"role": "user", "content": text}]})
    replacement = "[PERSON_7QK2]"
    outgoing = [
        replace(
            segment,
            text=segment.text.replace("Ada Roth", replacement),
            edits=tuple(
                Edit(start=found.start(), end=found.end(), replacement=replacement)
                for found in re.finditer("Ada Roth", segment.text)
            ),
        )
        for segment in view.segments
    ]
    sent = json.loads(write_body(view, outgoing))["messages"][0]["content"]
    assert sent == text.replace("Ada Roth", replacement)


@pytest.mark.parametrize("text", ["{not json", "plain Ada Roth", "[1, 2", "17", "[PERSON_7QK2]"])
def test_a_text_that_is_no_json_is_read_as_text(text: str) -> None:
    view = read({"model": "m", "messages": [{"role": "assistant", "arguments": text}]})
    assert texts(view) == {"messages[0].arguments": text}


ODD = [
    '{"name": "Ad\\u0061 Roth"}',
    '{"name": "Ad\\u0061 Roth", "score": NaN}',
    '{"a": "Ad\\u0061 Roth", "a": 1}',
    '{"a": "Ad\\u0061 Roth", "b": "\\ud83d"}',
    '{"a": "Ad\\u0061 Roth"',
    '{"a": "Ad\\u0061 Roth',
    '"Ad\\u0061 Roth"',
    'It says {"a": "Ad\\u0061 Roth"}.',
    "It says Ad\\u0061 Roth.",
    '{"b": "Ben \\"Ace\\" Kole",}',
    'Ben \\"Ace\\" Kole',
    json.dumps({"a": json.dumps({"a": json.dumps({"a": json.dumps({"a": '"Ad\\u0061 Roth"'})})})}),
]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize(
    "body",
    [
        '{"model": "m", "messages": [{"role": "tool", "content": %s}]}',
        '{"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": %s}]}]}',
        '{"model": "m", "messages": [{"tool_calls": [{"function": {"arguments": %s}}]}]}',
        '{"model": "m", "messages": [{"tool_calls": [{"custom": {"input": %s}}]}]}',
        '{"model": "m", "input": [%s]}',
        '{"model": "m", "made_up": {"x": %s}}',
        '{"model": "m", "schema": {"description": %s}}',
    ],
)
def test_escapes_of_json_in_a_text_hide_nothing(body: str, text: str) -> None:
    raw = (body % json.dumps(text)).encode()
    view = read_body(raw, LAYOUT)
    assert write_body(view, view.segments) == raw
    assert any(value in segment.text for segment in view.segments for value in ("Ada Roth", 'Ben "Ace" Kole'))
    sent = json.dumps(hidden(view))
    assert "PERSON_" in sent
    assert "61 Roth" not in sent
    assert "Kole" not in sent


def test_a_medium_inside_of_a_tool_result_is_refused() -> None:
    with pytest.raises(UnknownContentError, match="binary"):
        read({"model": "m", "messages": [{"content": '{"shot": "data:image/png;base64,AAAA"}'}]})


def test_a_name_loses_brackets_and_one_that_cannot_be_written_is_refused() -> None:
    sent = hidden(read({"model": "m", "messages": [{"role": "user", "name": "ada_roth", "content": "x"}]}))
    assert sent["messages"][0]["name"] == "USERNAME_3HH7"
    view = read({"model": "m", "messages": [{"role": "user", "name": "Ada Roth of Zurich", "content": "x"}]})
    with pytest.raises(UnknownContentError, match=r"messages\[0\]\.name"):
        hidden(view)


def test_the_name_of_a_tool_message_is_that_of_the_function() -> None:
    view = read({"model": "m", "messages": [{"role": "tool", "name": "look_up", "content": "x"}]})
    assert [check.text for check in view.checks] == ["m"]
    checks = name_checks(rename(view.identifiers, view.segments))
    assert [(check.label, check.text, check.chosen) for check in checks] == [("messages[0].name", "look_up", True)]
    with pytest.raises(UnknownContentError, match="name"):
        read({"model": "m", "messages": [{"role": "tool", "name": "look up", "content": "x"}]})


def test_tokens_are_checked_and_must_look_like_tokens() -> None:
    view = read({"model": "gpt-4o-2024-08-06", "messages": [{"role": "user", "content": "x"}]})
    assert [(check.label, check.text) for check in view.checks] == [("model", "gpt-4o-")]
    with pytest.raises(UnknownContentError, match="model"):
        read({"model": "Ada Roth"})


def test_long_numbers_are_checked_and_options_that_are_none_are_not() -> None:
    options = {"seed": 4839201748, "temperature": 0.30000000000000004}
    view = read({"model": "m", "made_up": [12345, 123456], **options, "metadata": {"n": 7654321}})
    assert [check.text for check in view.checks] == ["m", "123456", "4839201748"]
    assert "7654321" in texts(view).values()


def test_a_number_is_recognised_however_it_is_spelled() -> None:
    for spelled in ("4111111111111111", "4.111111111111111E15", "4111111111111111.0"):
        raw = b'{"model": "m", "messages": [{"arguments": "{\\"n\\": %s}"}], "made_up": %s}' % ((spelled.encode(),) * 2)
        view = read_body(raw, LAYOUT)
        assert [check.text for check in view.checks] == ["m", "4111111111111111"]
        assert write_body(view, view.segments) == raw
        assert json.loads(hidden(view)["messages"][0]["arguments"]) == {"n": "[FIN_ACCOUNT_8TT9]"}


def test_a_word_that_no_provider_defines_is_content() -> None:
    view = read({"model": "m", "messages": [{"role": "Ada Roth", "content": ""}, {"role": "user"}]})
    assert texts(view) == {"messages[0].role": "Ada Roth"}


def test_keys_of_logit_bias_are_token_ids() -> None:
    view = read({"model": "m", "logit_bias": {"50256": -100, "123456": 4111111111111111}})
    assert view.segments == ()
    assert [check.text for check in view.checks] == ["m", "50256", "123456", "4111111111111111"]
    with pytest.raises(UnknownContentError):
        read({"model": "m", "logit_bias": {"Ada Roth": 1}})


def test_texts_of_a_schema_have_its_channel_and_its_names_survive() -> None:
    schema = {"properties": {"ada_roth": {"type": "string", "enum": ["Ada Roth"]}}, "required": ["ada_roth"]}
    view = read({"model": "m", "schema": schema})
    assert {segment.channel for segment in view.segments if segment.text == "Ada Roth"} == {Channel.SCHEMA}
    assert hidden(view)["schema"] == {
        "properties": {"USERNAME_3HH7": {"type": "string", "enum": ["[PERSON_7QK2]"]}},
        "required": ["USERNAME_3HH7"],
    }


def test_two_keys_that_would_become_one_are_refused() -> None:
    view = read({"model": "m", "metadata": {"Ada Roth": 1, "[PERSON_7QK2]": 2}})
    with pytest.raises(UnknownContentError):
        hidden(view)


def test_other_segments_than_those_that_were_read_are_refused() -> None:
    view = read({"model": "m", "user": "u"})
    other = Segment(path="elsewhere", role=Role.USER, channel=Channel.TEXT, text="u")
    with pytest.raises(PlanError):
        write_body(view, [other])
    with pytest.raises(PlanError):
        write_body(view, [])


@pytest.mark.parametrize("raw", [b"[]", b'"x"', b"1", b"null", b"", b"{", b'{"a":1}{}'])
def test_a_body_that_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(UnknownContentError):
        read_body(raw, LAYOUT)


def test_binary_data_is_refused() -> None:
    with pytest.raises(UnknownContentError, match="binary"):
        read({"model": "m", "messages": [{"role": "user", "content": "data:image/png;base64,AAAA"}]})
    with pytest.raises(UnknownContentError, match="binary"):
        read({"model": "m", "messages": [{"role": "user", "pictures": ["iVBOR" * 300], "content": "x"}]})


def test_what_describes_the_reply_is_told_from_the_rest() -> None:
    view = read(
        {
            "tools": [{"function": {"name": "f", "description": "in a tool"}}],
            "metadata": {"k": "in metadata"},
            "response_format": {"json_schema": {"schema": {"description": "in a schema"}}},
            "prediction": {"content": "in a prediction"},
            "documents": [{"text": "in a document"}],
            "guided_choice": ["in a choice"],
            "web_search_options": {"user_location": {"approximate": {"city": "in a city"}}},
            "unheard_of": "in a field",
        }
    )
    expected = {segment.text: segment.expected for segment in view.segments if segment.text.startswith("in ")}
    assert expected == {
        "in a tool": False,
        "in metadata": False,
        "in a schema": True,
        "in a prediction": True,
        "in a document": True,
        "in a choice": True,
        "in a city": True,
        "in a field": False,
    }


def test_the_names_of_the_tools_are_known() -> None:
    view = read(
        {
            "tools": [
                {"function": {"name": "f"}},
                {"custom": {"name": "g"}},
                {"function": {"parameters": {"name": "x"}}},
            ],
            "functions": [{"name": "h", "parameters": {"name": "y"}}],
            "tool_choice": {"function": {"name": "z"}},
        }
    )
    assert view.offered == {"f", "g", "h"}
