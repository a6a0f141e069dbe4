import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.api import load_guard
from privguard.cli.rows import RowError, finish_line, read_row
from privguard.core.entities import EntityType
from privguard.guard import Guard
from privguard.testing import FailingDetector, FakeDetector, FakeNeed, FakeProfiles

NAME = "Ada Roth"
GUARD = load_guard(
    detector=FakeDetector({NAME: EntityType.PERSON, "Bern": EntityType.LOCATION}),
    need=FakeNeed(b_redact=-9, b_abstract=-9),
    profiles=FakeProfiles(),
    audit="off",
)
KEEPING = load_guard(
    detector=FakeDetector({"Bern": EntityType.LOCATION}),
    need=FakeNeed(b_redact=9, b_abstract=9),
    profiles=FakeProfiles(),
    audit="off",
)


def finish(row: object, guard: Guard = GUARD) -> dict[str, Any]:
    done = finish_line(guard, 1, json.dumps(row).encode(), target="m", profile=None)
    assert done.output is not None, done.problem
    output: dict[str, Any] = json.loads(done.output)
    return output


def test_a_text_row_becomes_spans_in_code_points_and_a_text() -> None:
    text = f"\U0001f600 I am {NAME}."
    output = finish({"id": "a", "text": text, "label": "ignored"})
    [span] = output["spans"]
    assert list(output) == ["id", "spans", "minimized"]
    assert list(span) == ["start", "end", "type", "action", "replacement", "p_survive", "reason", "message"]
    assert text[span["start"] : span["end"]] == NAME
    assert (span["type"], span["action"], span["message"]) == ("PERSON", "REDACT", None)
    assert output["minimized"] == text.replace(NAME, span["replacement"])


def test_a_message_row_keeps_its_shape_and_numbers_the_messages() -> None:
    messages = [
        {"role": "system", "content": ""},
        {"role": "user", "content": f"I am {NAME}"},
        {"role": "assistant", "content": None},
        {"role": "user", "content": f"in Bern, {NAME}"},
    ]
    output = finish({"id": 7, "messages": messages})
    found = [(span["message"], span["type"]) for span in output["spans"]]
    assert (output["id"], found) == (7, [(1, "PERSON"), (3, "LOCATION"), (3, "PERSON")])
    for span in output["spans"]:
        content = messages[span["message"]]["content"] or ""
        assert content[span["start"] : span["end"]] in {NAME, "Bern"}
        assert "path" not in span
    assert [message["role"] for message in output["minimized"]] == ["system", "user", "assistant", "user"]
    assert NAME not in json.dumps(output["minimized"])


def test_a_span_outside_the_content_string_says_where_it_is() -> None:
    parts = [{"type": "text", "text": "x"}, {"type": "text", "text": NAME}]
    [span] = finish({"id": 1, "messages": [{"role": "user", "content": parts}]})["spans"]
    assert (span["message"], span["path"], span["start"]) == (0, "messages[0].content[1].text", 0)


def test_retained_spans_are_listed_without_a_replacement() -> None:
    output = finish({"id": 1, "text": "in Bern"}, KEEPING)
    [span] = output["spans"]
    assert (span["action"], span["replacement"], output["minimized"]) == ("RETAIN", None, "in Bern")


def test_the_same_person_is_the_same_placeholder_in_every_row() -> None:
    rows = [finish({"id": number, "text": f"{number} {NAME}"}) for number in range(3)]
    assert len({row["spans"][0]["replacement"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"id": 1, "text": "Zed', "the row is not JSON at character 18"),
        (b"\xff\xfe", "the row is not UTF-8 at byte 0"),
        (b"[" * 100_000, "the row holds JSON that is too deep, or a number that is too long"),
        (b"9" * 5_000, "the row holds JSON that is too deep, or a number that is too long"),
        (b"[1]", "the row is not a JSON object"),
        (b'{"text": "Zed"}', "id is missing"),
        (b'{"id": null, "text": "Zed"}', "id is neither a string nor an integer"),
        (b'{"id": true, "text": "Zed"}', "id is neither a string nor an integer"),
        (b'{"id": 1.5, "text": "Zed"}', "id is neither a string nor an integer"),
        (b'{"id": 1}', "text or messages is missing"),
        (b'{"id": 1, "text": "Zed", "messages": []}', "the row has both text and messages"),
        (b'{"id": 1, "text": ["Zed"]}', "text is not a string"),
        (b'{"id": 1, "text": "Zed \\ud800"}', "text has a lone surrogate at character 4"),
        (b'{"id": "\\udc00", "text": "Zed"}', "id has a lone surrogate at character 0"),
        (b'{"id": 1, "messages": "Zed"}', "messages is not a list of at least one message"),
        (b'{"id": 1, "messages": []}', "messages is not a list of at least one message"),
        (b'{"id": 1, "messages": ["Zed"]}', "messages[0] is not a JSON object"),
        (b'{"id": 1, "messages": [{"content": "Zed"}]}', "messages[0].role is not a string"),
        (b'{"id": 1, "messages": [{"role": "user"}]}', "messages[0].content is missing"),
        (b'{"id": 1, "messages": [{"role": "user", "content": 1}]}',
         "messages[0].content is neither a string nor a list of parts"),
        (b'{"id": 1, "messages": [{"role": "user", "content": "\\ud800"}]}',
         "messages[0].content has a lone surrogate at character 0"),
        (b'{"id": 1, "messages": [{"role": "user", "content": [{"Zed": "\\ud800"}]}]}',
         "messages[0].content[0], field 0 has a lone surrogate at character 0"),
    ],
)  # fmt: skip
def test_a_bad_row_is_told_without_its_content(line: bytes, problem: str) -> None:
    done = finish_line(GUARD, 9, line, target="m", profile=None)
    assert (done.number, done.output, done.problem) == (9, None, problem)
    assert "Zed" not in done.problem


def test_an_unknown_role_and_a_failing_detector_are_problems_of_their_row() -> None:
    line = json.dumps({"id": 1, "messages": [{"role": NAME, "content": ""}]}).encode()
    assert "role" in finish_line(GUARD, 1, line, target="m", profile=None).problem
    failing = load_guard(detector=FailingDetector(RuntimeError(NAME)), profiles=FakeProfiles(), audit="off")
    problem = finish_line(failing, 1, json.dumps({"id": 1, "text": NAME}).encode(), target="m", profile=None).problem
    assert problem
    assert NAME not in problem


def test_no_character_inside_a_row_looks_like_the_end_of_a_line() -> None:
    text = "a\u2028b\u2029c\x85d\ne\rf\x0bg"
    done = finish_line(GUARD, 1, json.dumps({"id": 1, "text": text}).encode(), target="m", profile=None)
    assert done.output is not None
    assert len(done.output.splitlines()) == 1
    assert json.loads(done.output)["minimized"] == text


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.one_of(st.integers(), st.text(st.characters(exclude_categories=["Cs"]))),
)
def test_what_is_read_is_what_was_written(text: str, row_id: int | str) -> None:
    row = read_row(json.dumps({"id": row_id, "text": text}).encode())
    assert (row.id, row.content) == (row_id, text)


def test_a_repr_holds_no_content() -> None:
    assert NAME not in repr(read_row(json.dumps({"id": 1, "text": NAME}).encode()))
    with pytest.raises(RowError):
        read_row(b"")
