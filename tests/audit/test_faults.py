"""What is found is reported in order, neighbours of one kind together, notes apart from faults."""

from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.faults import NOTES, Fault, FaultKind, FaultLog, Verdict


@given(st.lists(st.tuples(st.sampled_from(FaultKind), st.integers(0, 30)), max_size=20))
def test_every_row_is_reported_once_under_its_kind(found: list[tuple[FaultKind, int]]) -> None:
    log = FaultLog()
    for kind, seq in found:
        log.add(kind, seq)
    reported = [*log.take(notes=False), *log.take(notes=True)]
    rows = [(fault.kind, seq) for fault in reported for seq in range(fault.first, fault.last + 1)]
    assert sorted(rows) == sorted(set(found))
    assert {fault.kind for fault in log.take(notes=True)} <= NOTES
    assert not {fault.kind for fault in log.take(notes=False)} & NOTES


def test_counts_stand_apart() -> None:
    log = FaultLog()
    log.count(FaultKind.DROPPED, 5, 3)
    log.count(FaultKind.DROPPED, 6, 1)
    log.add_all(FaultKind.CHANGED, [(1, 2), (3, 4)])
    assert log.take(notes=True) == (
        Fault(kind=FaultKind.DROPPED, first=5, last=5, count=3),
        Fault(kind=FaultKind.DROPPED, first=6, last=6, count=1),
    )
    assert log.take(notes=False) == (Fault(kind=FaultKind.CHANGED, first=1, last=4),)
    assert list(log.rows(FaultKind.CHANGED, FaultKind.REMOVED)) == [(1, 4)]


def test_a_verdict_with_notes_alone_is_ok() -> None:
    note = Fault(kind=FaultKind.UNCLOSED, first=1, last=1)
    fault = Fault(kind=FaultKind.REMOVED, first=1, last=1)
    assert Verdict(rows=1, notes=(note,)).ok
    assert not Verdict(rows=1, faults=(fault,)).ok
