"""A record goes to bytes and back unchanged, and no content goes in."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.codec import MASK, clean, decode, encode, masked_intent
from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Intent, Match, Outcome, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.errors import AuditError
from privguard.core.placeholders import ALPHABET, is_placeholder_id
from privguard.core.plan import Action, Reason
from privguard.core.targets import Provenance

KINDS = st.sampled_from([kind.value for kind in EntityType])
IDS = st.text(ALPHABET, min_size=4, max_size=12).filter(is_placeholder_id)
PATHS = st.sampled_from(["", "messages[0].content", "tools[2].{3}#key", "a.arguments.$[1].{0}.b", "input", "$"])
NAMES = st.sampled_from(["gpt-5-mini", "qwen2.5-0.5b", "claude@20310101", "@cf/meta/llama-3.1", "ft:gpt-4o:org::1"])
NUMBERS = st.floats(-100, 100).map(lambda number: round(number, 6) + 0.0)

DECISIONS = st.builds(
    DecisionRecord,
    path=PATHS,
    kind=KINDS,
    source=NAMES,
    action=st.sampled_from([action.name for action in Action]),
    reason=st.sampled_from([reason.value for reason in Reason]),
    length=st.integers(0, 10**6),
    p_survive=NUMBERS,
    placeholder_id=st.just("") | IDS,
)
EVENTS = st.builds(
    RestoreEvent,
    event=st.sampled_from(Event),
    path=PATHS,
    placeholder_id=st.just("") | IDS,
    kind=st.just("") | KINDS,
    match=st.none() | st.sampled_from(Match),
    cause=st.none() | st.sampled_from(Cause),
    length=st.integers(0, 10**6),
    count=st.integers(0, 10**6),
)
RECORDS = st.builds(
    AuditRecord,
    request_id=st.text("abcdef0123456789-", min_size=1, max_size=36),
    at=st.sampled_from(["2031-04-05T06:07:08+00:00", "2031-04-05T06:07:08.123456+00:00", "2031-04-05T06:07:08Z"]),
    route=st.sampled_from(["by-hand", "chat.completions", "POST /v1/chat/completions"]),
    target=NAMES,
    theta=NUMBERS,
    target_provenance=st.sampled_from([provenance.value for provenance in Provenance]),
    profile_id=st.sampled_from(["default:1f2e", "strict:00ff"]),
    artifact_ids=st.lists(NAMES, max_size=3).map(tuple),
    outcome=st.sampled_from(Outcome),
    error=st.sampled_from(["", "DetectionError", "APIStatusError"]),
    decisions=st.lists(DECISIONS, max_size=4).map(tuple),
    events=st.lists(EVENTS, max_size=4).map(tuple),
    stage_ms=st.none()
    | st.dictionaries(
        st.sampled_from(["detect", "need", "render", "restore"]), st.floats(0, 1e4).map(lambda ms: round(ms, 3) + 0.0)
    ),
)
TEXT_FIELDS = ("request_id", "at", "route", "target", "target_provenance", "profile_id", "error")
ANYTHING = st.text() | st.integers() | st.floats() | st.none() | st.booleans() | st.binary()


@given(RECORDS)
def test_a_record_comes_back_as_it_was(record: AuditRecord) -> None:
    assert decode(encode(record)) == record
    assert clean(record) == record


@given(RECORDS)
def test_equal_records_give_equal_bytes_on_one_line(record: AuditRecord) -> None:
    stages = record.stage_ms
    twin = replace(record, stage_ms=None if stages is None else dict(reversed(list(stages.items()))))
    assert encode(record) == encode(twin)
    assert b"\n" not in encode(record)
    assert json.dumps(json.loads(encode(record)), sort_keys=True, separators=(",", ":")).encode() == encode(record)


@given(st.data())
def test_whatever_stands_in_a_field_the_record_is_kept_and_cleaning_it_again_changes_nothing(
    data: st.DataObject,
) -> None:
    record = data.draw(RECORDS)
    fields: dict[str, Any] = {name: data.draw(ANYTHING) for name in TEXT_FIELDS}
    odd = replace(record, theta=data.draw(st.floats() | st.integers()), **fields)
    assert encode(decode(encode(odd))) == encode(odd)


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="?"), min_size=1).filter(
        lambda t: not t.isascii()
    )
)
def test_text_outside_ascii_never_gets_in(text: str) -> None:
    decision = DecisionRecord(
        path=text, kind=text, source=text, action=text, reason=text, length=1, p_survive=0.5, placeholder_id=text
    )
    event = RestoreEvent(event=Event.RESTORED, path=text, placeholder_id=text, kind=text)
    fields: dict[str, Any] = dict.fromkeys(TEXT_FIELDS, text)
    record = AuditRecord(
        theta=0.0, outcome=Outcome.DONE, artifact_ids=(text,), decisions=(decision,), events=(event,), **fields
    )
    kept = decode(encode(record))
    assert {getattr(kept, name) for name in TEXT_FIELDS} == {MASK}
    assert kept.artifact_ids == (MASK,)
    assert {kept.decisions[0].path, kept.decisions[0].source, kept.decisions[0].placeholder_id} == {MASK}
    assert {kept.events[0].path, kept.events[0].kind, kept.events[0].placeholder_id} == {MASK}


def test_a_hostile_record_is_kept_without_a_byte_of_its_content(
    hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    assert find_marks(repr(hostile_record))
    body = encode(hostile_record)
    assert find_marks(body) == []
    kept = decode(body)
    assert kept.target == MASK
    assert kept.artifact_ids == (MASK, "rules/1")
    assert kept.decisions[0].length == -1
    assert kept.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("target", "+1-202-555-0143"),
        ("target", "4111111111111111"),
        ("target", "ada@roth.example"),
        ("target", "x/ada@roth.example/y"),
        ("target", "Ada Roth"),
        ("target", "a" * 201),
        ("route", "POST Ada Roth"),
        ("route", "POST ada@roth.example"),
        ("route", "GET files/{Ada}"),
        ("route", "GET files/{id}{id}"),
        ("route", "GET {id} Roth"),
        ("route", "GET x{id}"),
        ("route", "GET {id}/202-555-0143"),
        ("route", "{method}"),
        ("route", "{method} ada@roth.example"),
        ("route", "{method} {method}"),
        ("target", "{id}"),
        ("error", "ValueError: Ada"),
        ("request_id", "a b"),
        ("at", "yesterday"),
        ("at", "2031-04-05T06:07:08+02:00"),
        ("profile_id", "my profile"),
        ("target_provenance", "hearsay"),
    ],
    ids=lambda _: "",
)
def test_a_field_that_breaks_its_syntax_is_masked(record: AuditRecord, field: str, value: str) -> None:
    odd: dict[str, Any] = {field: value}
    assert getattr(decode(encode(replace(record, **odd))), field) == MASK


@pytest.mark.parametrize(
    "route",
    ["GET files/{id}", "{method} files/{id}", "GET {id}", "DELETE {id}/content/{id}", "{method} {id}", "files/{id}"],
)
def test_a_route_is_kept_with_the_places_of_its_ids(record: AuditRecord, route: str) -> None:
    assert decode(encode(replace(record, route=route))).route == route
    intent = Intent(request_id=record.request_id, at=record.at, route=route, target=record.target)
    assert masked_intent(intent)["route"] == route


@pytest.mark.parametrize(
    "path",
    ["messages[0].Ada", "messages[0]. content", "x.ada roth", "messages[12345678]", "a" * 49, "a\n", "{Ada}", "a[-1]"],
    ids=lambda _: "",
)
def test_a_path_that_is_none_is_masked(record: AuditRecord, path: str) -> None:
    odd = replace(record, decisions=(replace(record.decisions[0], path=path),))
    assert decode(encode(odd)).decisions[0].path == MASK


@given(st.text(ALPHABET + "01IOa\n", max_size=14) | IDS)
def test_exactly_placeholder_ids_pass_as_such(text: str) -> None:
    event = RestoreEvent(event=Event.RESTORED, placeholder_id=text)
    record = AuditRecord(
        request_id="r",
        at="2031-04-05T06:07:08Z",
        route="by-hand",
        target="gpt-5-mini",
        theta=0.0,
        target_provenance="assumed",
        profile_id="default:1",
        artifact_ids=(),
        outcome=Outcome.DONE,
        events=(event,),
    )
    passed = clean(record).events[0].placeholder_id == text
    assert passed == (text == "" or is_placeholder_id(text))


@given(RECORDS)
def test_a_record_of_the_first_version_is_read_without_the_lengths_that_it_lacks(record: AuditRecord) -> None:
    document = json.loads(encode(record))
    document["v"] = 1
    for event in document["events"]:
        del event["length"]
    without = tuple(replace(event, length=0) for event in record.events)
    assert decode(json.dumps(document).encode()) == replace(record, events=without)


def test_values_that_the_model_brought_are_told_by_type_and_length_alone(
    record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    events = tuple(
        RestoreEvent(event=event, path="choices[0].message.content", kind="PERSON", length=8, count=2)
        for event in (Event.FLAGGED, Event.REDACTED)
    )
    kept = decode(encode(replace(record, events=events)))
    assert kept.events == events
    odd: Any = "Ada Roth"
    masked = clean(replace(record, events=(replace(events[0], length=odd),)))
    assert masked.events[0].length == -1


def test_numbers_do_not_drift(record: AuditRecord) -> None:
    body = encode(replace(record, theta=0.1 + 0.2, stage_ms={"detect": 1.23456789}))
    assert b'"theta":0.3,' in body
    assert b'"detect":1.235' in body
    assert encode(replace(record, theta=-0.0)) == encode(replace(record, theta=0.0))


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{}", b"\xff", b"[" * 100_000),
        *(b'{"v":2}', b'{"v":1}', b'{"v":0}', b'{"v":3}', b'{"v":true}', b'{"v":2.0}', b'{"v":1,"decisions":3}'),
    ],
    ids=lambda _: "",
)
def test_bytes_that_are_no_record_are_refused_without_being_quoted(body: bytes) -> None:
    with pytest.raises(AuditError) as caught:
        decode(body)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_an_outcome_that_there_is_not_is_refused(record: AuditRecord) -> None:
    odd: Any = "Ada Roth"
    with pytest.raises(AuditError, match="Outcome") as caught:
        encode(replace(record, outcome=odd))
    assert "Ada" not in str(caught.value)


@given(RECORDS, st.data())
def test_a_changed_field_of_a_stored_record_is_an_error_or_masked_and_never_a_crash(
    record: AuditRecord, data: st.DataObject
) -> None:
    document = json.loads(encode(record))
    key = data.draw(st.sampled_from(sorted(document)))
    json_values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=4,
    )
    document[key] = data.draw(json_values)
    try:
        kept = decode(json.dumps(document).encode())
    except AuditError:
        return
    assert encode(decode(encode(kept))) == encode(kept)
