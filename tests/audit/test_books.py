"""What the entries of a log say is put together: who did not end, what was lost, what was erased."""

import pytest

from privguard.audit.entries import Erased, EraseReason, Opened, Tally, encode_entry
from privguard.audit.faults import Fault, FaultKind, Verdict
from privguard.audit.verify import verify
from privguard.core.audit import AuditMode
from tests.audit.chains import AT, Maker


def check(maker: Maker) -> Verdict:
    """Verify what was made."""
    return verify(maker.rows, maker.head)


def opened(session: str, mode: AuditMode = AuditMode.BEST_EFFORT) -> bytes:
    """Return the entry of a writer that begins."""
    return encode_entry(Opened(session=session, at=AT, mode=mode))


def tally(session: str, *, final: bool = False, dropped: int = 0, still_open: int = 0) -> bytes:
    """Return the entry that tells its numbers."""
    return encode_entry(
        Tally(session=session, at=AT, begun=9, open=still_open, recorded=5, dropped=dropped, final=final)
    )


def test_records_are_counted_apart_from_what_the_log_says_of_itself() -> None:
    maker = Maker()
    maker.add(opened("a"))
    maker.begin("q")
    maker.record("q")
    maker.add(tally("a", final=True))
    verdict = check(maker)
    assert (verdict.records, verdict.rows, verdict.faults, verdict.notes) == (1, 5, (), ())


def test_a_request_without_a_record_is_named_by_the_row_in_which_it_begins() -> None:
    maker = Maker()
    for name in ("q1", "q2", "q3", "q4"):
        maker.begin(name)
    maker.record("q2")
    maker.record("q4")
    verdict = check(maker)
    assert verdict.ok
    assert verdict.notes == (
        Fault(kind=FaultKind.UNRECORDED, first=1, last=1),
        Fault(kind=FaultKind.UNRECORDED, first=3, last=3),
    )


def test_a_writer_that_did_not_end_is_named_with_what_it_had_open() -> None:
    maker = Maker()
    maker.add(opened("a"))
    maker.add(opened("b"))
    maker.add(tally("a", still_open=3))
    maker.add(tally("b", final=True))
    assert check(maker).notes == (Fault(kind=FaultKind.UNCLOSED, first=1, last=1, count=3),)


@pytest.mark.parametrize(("mode", "notes"), [(AuditMode.BEST_EFFORT, 1), (AuditMode.REQUIRED, 0)])
def test_requests_that_never_ended_are_counted_where_no_row_of_their_own_tells(mode: AuditMode, notes: int) -> None:
    maker = Maker()
    maker.add(opened("a", mode))
    maker.add(tally("a", final=True, still_open=2))
    assert check(maker).notes == (Fault(kind=FaultKind.UNENDED, first=2, last=2, count=2),) * notes


def test_each_gap_is_told_once_with_what_was_lost_in_it() -> None:
    maker = Maker()
    maker.add(opened("a"))
    maker.add(tally("a", dropped=2))
    maker.add(tally("a", dropped=2))
    maker.add(tally("a", dropped=7, final=True))
    assert check(maker).notes == (
        Fault(kind=FaultKind.DROPPED, first=2, last=2, count=2),
        Fault(kind=FaultKind.DROPPED, first=4, last=4, count=5),
    )


def test_a_log_that_was_moved_away_under_its_writer_begins_with_its_tally() -> None:
    maker = Maker()
    maker.add(tally("a", dropped=1))
    maker.add(tally("a", final=True, dropped=1))
    assert check(maker).notes == (Fault(kind=FaultKind.DROPPED, first=1, last=1, count=1),)


def test_erased_rows_are_counted_and_those_that_came_back_are_noted() -> None:
    maker = Maker()
    for _ in range(6):
        maker.record()
    copy = maker.rows[4]
    maker.erase(2, 4, 5)
    verdict = check(maker)
    assert (verdict.ok, verdict.notes, verdict.erased, verdict.records) == (True, (), 3, 3)
    maker.rows[4] = copy
    back = check(maker)
    assert (back.ok, back.erased) == (True, 2)
    assert back.notes == (Fault(kind=FaultKind.UNERASED, first=4, last=4),)


def test_an_entry_speaks_only_of_what_stands_before_it() -> None:
    maker = Maker()
    maker.record()
    maker.add(encode_entry(Erased(at=AT, reason=EraseReason.AGE, rows=((1, 9),))))
    late = maker.record()
    maker.rows[1] = maker.hasher.erase(maker.rows[1])
    maker.rows[late] = maker.hasher.erase(maker.rows[late])
    assert check(maker).faults == (Fault(kind=FaultKind.ERASED, first=late, last=late),)


def test_an_erased_request_leaves_no_trace_of_a_missing_record() -> None:
    maker = Maker()
    begun = maker.begin("q")
    ended = maker.record("q")
    maker.erase(begun, ended)
    assert check(maker).notes == ()
