"""The numbers of a writer, and when the log hears of them."""

from privguard.audit.entries import Opened, Tally, decode_entry
from privguard.audit.session import Session
from privguard.core.audit import AuditMode

AT = "2031-04-05T06:07:08+00:00"
BODY = b'{"request_id":"r"}'


def tallies(rows: tuple[bytes, ...]) -> list[Tally]:
    """Return the tallies among rows."""
    return [entry for entry in map(decode_entry, rows) if isinstance(entry, Tally)]


def written(
    session: Session, *bodies: bytes, tells: bool = False, opens: bool = False, ends: bool = False
) -> tuple[bytes, ...]:
    """Compose a batch of records, and say that it was written."""
    if tells:
        session.ask_for_tally()
    batch = session.compose(bodies, len(bodies), AT, opens=opens, ends=ends)
    session.learn(batch)
    return batch.rows


def test_a_session_begins_with_its_first_row_and_ends_with_its_numbers() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    first = written(session, BODY, BODY)
    assert decode_entry(first[0]) == Opened(session="a", at=AT, mode=AuditMode.BEST_EFFORT)
    assert first[1:] == (BODY, BODY)
    assert written(session, BODY) == (BODY,)
    last = written(session, BODY, ends=True)
    assert last[0] == BODY
    (tally,) = tallies(last)
    assert tally == Tally(session="a", at=AT, begun=0, open=0, recorded=4, dropped=0, final=True)


def test_a_session_in_which_nothing_happened_leaves_no_row() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    assert written(session, ends=True) == ()
    session.begin("r1")
    assert written(session) == ()
    (tally,) = tallies(written(session, ends=True))
    assert (tally.begun, tally.open, tally.recorded) == (1, 1, 0)


def test_a_session_can_be_told_of_before_anything_is_written() -> None:
    session = Session("a", AuditMode.REQUIRED)
    (row,) = written(session, opens=True)
    assert decode_entry(row) == Opened(session="a", at=AT, mode=AuditMode.REQUIRED)
    assert written(session, BODY) == (BODY,)
    (tally,) = tallies(written(session, ends=True))
    assert tally.recorded == 1


def test_a_gap_is_told_before_the_records_behind_it() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    written(session, BODY)
    session.drop(3)
    rows = written(session, BODY)
    assert [tally.dropped for tally in tallies(rows)] == [3]
    assert rows[-1] == BODY
    assert written(session, BODY) == (BODY,)
    session.drop()
    assert [tally.dropped for tally in tallies(written(session, ends=True))] == [4]


def test_what_was_not_written_is_told_again() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    session.drop()
    lost = session.compose((BODY,), 1, AT, opens=False, ends=False)
    again = session.compose((BODY,), 1, AT, opens=False, ends=False)
    assert lost == again
    assert len(again.rows) == 3


def test_open_requests_are_told_where_nothing_else_tells_them() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    wanted = [session.wants_tally]
    session.begin("r1")
    session.begin("r2")
    wanted.append(session.wants_tally)
    (tally,) = tallies(written(session, tells=True))
    assert (tally.begun, tally.open, tally.final) == (2, 2, False)
    wanted.append(session.wants_tally)
    session.end("r1")
    session.end("never begun")
    wanted.append(session.wants_tally)
    session.end("r2")
    (tally,) = tallies(written(session, tells=True))
    assert (tally.begun, tally.open) == (2, 0)
    session.begin("r3")
    session.end("r3")
    wanted.append(session.wants_tally)
    assert wanted == [False, True, False, True, False]


def test_where_the_audit_is_required_each_request_has_a_row_and_none_is_told() -> None:
    session = Session("a", AuditMode.REQUIRED)
    session.begin("r1")
    assert not session.wants_tally
    (tally,) = tallies(written(session, BODY, ends=True))
    assert (tally.begun, tally.open) == (1, 1)


def test_requests_that_never_end_take_no_more_room_than_many() -> None:
    session = Session("a", AuditMode.BEST_EFFORT)
    count = 70_000
    for number in range(count):
        session.begin(str(number))
    session.end(str(count - 1))
    (tally,) = tallies(written(session, tells=True))
    assert (tally.begun, tally.open) == (count, count - 1)
    assert len(session._open) == 65_535


def test_a_request_that_did_not_leave_was_never_begun() -> None:
    session = Session("a", AuditMode.REQUIRED)
    session.begin("r1")
    session.begin("r2")
    session.take_back("r1")
    session.take_back("r1")
    assert not session.end("r1")
    assert session.end("r2")
    (tally,) = tallies(written(session, BODY, ends=True))
    assert (tally.begun, tally.open) == (1, 0)
