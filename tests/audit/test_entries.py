"""Entries go to bytes and back, are told from records by how they begin, and hold no content."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.codec import MASK, encode
from privguard.audit.entries import (
    Begun,
    Entry,
    Erased,
    EraseReason,
    Opened,
    Tally,
    decode_entry,
    encode_entry,
    is_entry,
    request_of,
    time_of,
)
from privguard.core.audit import AuditMode, AuditRecord, Intent

NAMES = st.text("abcdef0123456789", min_size=1, max_size=16)
TIMES = st.sampled_from(["2031-04-05T06:07:08+00:00", "2031-04-05T06:07:08.123456+00:00"])
COUNTS = st.integers(0, 10**12)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(
        Begun,
        intent=st.builds(Intent, request_id=NAMES, at=TIMES, route=st.just("by-hand"), target=st.just("gpt-5-mini")),
    ),
    st.builds(Opened, session=NAMES, at=TIMES, mode=st.sampled_from(AuditMode)),
    st.builds(
        Tally,
        session=NAMES,
        at=TIMES,
        begun=COUNTS,
        open=COUNTS,
        recorded=COUNTS,
        dropped=COUNTS,
        final=st.booleans(),
    ),
    st.builds(
        Erased,
        at=TIMES,
        reason=st.sampled_from(EraseReason),
        before=st.just("") | TIMES,
        rows=st.lists(st.tuples(COUNTS, COUNTS), max_size=4).map(tuple),
    ),
)


@given(ENTRIES)
def test_an_entry_comes_back_as_it_was(entry: Entry) -> None:
    body = encode_entry(entry)
    assert is_entry(body)
    assert b"\n" not in body
    assert decode_entry(body) == entry


def test_a_record_is_no_entry(record: AuditRecord) -> None:
    body = encode(record)
    assert not is_entry(body)
    assert decode_entry(body) is None
    assert request_of(body) == record.request_id.encode()
    assert time_of(body) == record.at.encode()


@given(st.binary(max_size=60))
def test_what_only_begins_like_an_entry_is_none(rest: bytes) -> None:
    assert decode_entry(b'{"entry":' + rest) is None
    assert decode_entry(rest) is None


@given(ENTRIES, st.data())
def test_an_entry_with_a_field_of_another_type_is_none(entry: Entry, data: st.DataObject) -> None:
    document = json.loads(encode_entry(entry))
    field = data.draw(st.sampled_from(sorted(document)))
    document[field] = data.draw(st.sampled_from([None, [["x"]], {"a": 1}, True]))
    assert decode_entry(json.dumps(document, separators=(",", ":")).encode()) is None


def test_a_request_that_begins_is_told_without_a_byte_of_content(
    hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    hostile = hostile_record
    intent = Intent(request_id=hostile.request_id, at=hostile.at, route=hostile.route, target=hostile.target)
    body = encode_entry(Begun(intent=intent))
    assert find_marks(body) == []
    assert decode_entry(body) == Begun(intent=Intent(request_id=MASK, at=MASK, route=MASK, target=MASK))
    assert (request_of(body), time_of(body)) == (b"", b"")


@pytest.mark.parametrize("body", [b"", b"{}", b'{"request_id":"?","at":"?"}'], ids=range(3))
def test_a_body_without_an_id_or_a_time_has_none(body: bytes) -> None:
    assert (request_of(body), time_of(body)) == (b"", b"")
