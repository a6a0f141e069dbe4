"""Rows and heads go to lines and back, and nothing else passes for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import ORIGIN, Head, Row
from privguard.audit.lines import format_head, format_row, parse_head, parse_row, parse_torn

SEQS = st.integers(0, 10**15)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
SALTS = st.binary(min_size=16, max_size=16).map(bytes.hex)
BODIES = st.binary(max_size=40).map(lambda noise: b'{"x":"%s"}' % noise.hex().encode())
WHOLE = st.builds(Row, seq=SEQS, previous=HASHES, body=BODIES, hash=HASHES, salt=st.just("") | SALTS)
ERASED = st.builds(Row, seq=SEQS.filter(bool), previous=HASHES, hash=HASHES, erased=HASHES)


@given(WHOLE | ERASED)
def test_a_row_comes_back_from_its_line(row: Row) -> None:
    assert parse_row(format_row(row)) == row


@given(st.builds(Head, seq=SEQS, hash=HASHES, seal=HASHES))
def test_a_head_comes_back_from_its_line(head: Head) -> None:
    assert parse_head(format_head(head)) == head


@given(st.binary(max_size=300))
def test_bytes_that_are_no_row_and_no_head_are_none(noise: bytes) -> None:
    assert parse_row(noise) is None
    assert parse_head(noise) is None


@given(WHOLE, st.data())
def test_every_proper_beginning_of_a_row_is_torn_and_no_other_line_is(row: Row, data: st.DataObject) -> None:
    line = format_row(row)
    size = data.draw(st.integers(1, len(line) - 1))
    torn = parse_torn(line[:size])
    assert torn is not None
    assert parse_torn(torn.lead) == torn
    assert torn.may_follow(row.seq, row.previous)
    assert parse_torn(line) is None
    place = data.draw(st.integers(0, size))
    assert parse_torn(line[:place] + b"# " + line[place:size]) is None or place > line.index(b'"record"')


@pytest.mark.parametrize(
    "line",
    [b"", b"anything at all", b'{"seq":-1', b'{"seq":1,"previous":"xy', b'{"seq":1 ,', b"\x00\x00"],
    ids=["empty", "prose", "negative", "no hash", "spaced", "zeros"],
)
def test_a_line_that_begins_no_row_is_not_torn(line: bytes) -> None:
    assert parse_torn(line) is None


@pytest.mark.parametrize(
    "body", [b'{"x":1} and more', b'{"x":1}}{', b"[1", b'{"x":"\xe9', b'{"x": what else fits here'], ids=range(5)
)
def test_a_record_with_something_else_in_it_is_not_torn(body: bytes) -> None:
    row = Row(seq=1, previous=ORIGIN, body=b"{}", hash=ORIGIN)
    assert parse_torn(format_row(row).removesuffix(b"{}}") + body) is None


@given(ERASED, st.data())
def test_an_erased_row_is_never_torn_behind_its_place(row: Row, data: st.DataObject) -> None:
    line = format_row(row)
    size = data.draw(st.integers(line.index(b'"erased"') + 2, len(line)))
    assert parse_torn(line[:size]) is None
