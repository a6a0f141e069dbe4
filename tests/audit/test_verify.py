"""Every fault of a chain is found, named and placed; one fault is reported once."""

import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import Hasher, Head, Row
from privguard.audit.faults import Fault, FaultKind
from privguard.audit.lines import Torn, format_row, parse_torn
from privguard.audit.verify import verify
from privguard.core.errors import AuditError

KEY = b"an invented audit key"
SALT = "5a" * 16
LAST = 9  # the number of the last row of the chains below


def build(length: int = LAST, key: bytes | None = None, chain_id: str = "00") -> tuple[list[Row], Head]:
    """Return genesis and `length` rows, and their head."""
    return list(grow(length, Hasher(key), chain_id)), _head(length, Hasher(key), chain_id)


def grow(length: int, hasher: Hasher, chain_id: str = "00") -> Iterator[Row]:
    """Yield a chain."""
    row = hasher.genesis(chain_id)
    yield row
    for number in range(1, length + 1):
        row = hasher.follow(row, b'{"record":%d}' % number, f"{number:032x}")
        yield row


def _head(length: int, hasher: Hasher, chain_id: str) -> Head:
    *_, last = grow(length, hasher, chain_id)
    return hasher.head(last)


def found(
    rows: Sequence[Row | Torn | None], head: Head | None, key: bytes | None = None
) -> list[tuple[FaultKind, int, int]]:
    """Return the faults as short tuples."""
    return [(fault.kind, fault.first, fault.last) for fault in verify(rows, head, key=key).faults]


def numbers(faults: Sequence[Fault], kind: FaultKind) -> set[int]:
    """Return the numbers of the rows with one kind of fault."""
    return {seq for fault in faults if fault.kind is kind for seq in range(fault.first, fault.last + 1)}


KEYS = st.sampled_from([None, KEY])
SEQS = st.integers(0, LAST)


@given(KEYS, st.integers(0, 30))
def test_an_untouched_chain_has_no_fault(key: bytes | None, length: int) -> None:
    rows, head = build(length, key)
    verdict = verify(rows, head, key=key)
    assert verdict.ok
    assert (verdict.faults, verdict.notes, verdict.rows, verdict.head) == ((), (), length + 1, head)


@given(KEYS, SEQS, st.sampled_from(["body", "hash", "previous", "seq"]), st.integers(0, 2**40))
def test_one_changed_field_is_one_fault_at_its_row(key: bytes | None, seq: int, field: str, noise: int) -> None:
    rows, head = build(key=key)
    values = {"body": b'{"x":%d}' % noise, "hash": f"{noise:064x}", "previous": f"{noise:064x}", "seq": noise}
    changed = replace(rows[seq], **{field: values[field]})  # type: ignore[arg-type] # one value per field type
    if changed == rows[seq]:
        return
    rows[seq] = changed
    assert found(rows, head, key) == [(FaultKind.CHANGED, seq, seq)]


@given(KEYS, SEQS)
def test_a_row_that_cannot_be_read_is_a_changed_row(key: bytes | None, seq: int) -> None:
    rows, head = build(key=key)
    lines: list[Row | None] = [*rows]
    lines[seq] = None
    assert found(lines, head, key) == [(FaultKind.CHANGED, seq, seq)]


@given(SEQS, st.booleans(), st.booleans())
def test_a_changed_row_with_its_hash_computed_anew_is_found_by_its_links(seq: int, relink: bool, salted: bool) -> None:
    rows, head = build()
    previous = "ab" * 32 if relink else rows[seq].previous
    body = b'{"record":"other"}'
    forged = Row(seq=seq, previous=previous, body=body, hash="", salt=SALT if salted else "")
    rows[seq] = replace(forged, hash=Hasher().row_hash(forged))
    assert found(rows, head) == [(FaultKind.CHANGED, seq, seq)]


@given(KEYS, st.sets(SEQS, min_size=1))
def test_removed_rows_are_all_named(key: bytes | None, gone: set[int]) -> None:
    rows, head = build(key=key)
    kept = [row for row in rows if row.seq not in gone]
    last = max((row.seq for row in kept), default=-1)
    verdict = verify(kept, head, key=key)
    assert numbers(verdict.faults, FaultKind.REMOVED) == {seq for seq in gone if seq < last}
    assert numbers(verdict.faults, FaultKind.TRUNCATED) == {seq for seq in gone if seq > last}
    assert {fault.kind for fault in verdict.faults} <= {FaultKind.REMOVED, FaultKind.TRUNCATED}


@given(KEYS, st.integers(0, LAST - 1))
def test_two_neighbours_that_were_swapped_are_one_reordered_row(key: bytes | None, seq: int) -> None:
    rows, head = build(key=key)
    rows[seq], rows[seq + 1] = rows[seq + 1], rows[seq]
    ((kind, first, last),) = found(rows, head, key)
    assert kind is FaultKind.REORDERED
    assert first == last
    assert first in (seq, seq + 1)


@given(SEQS, SEQS)
def test_two_rows_far_apart_that_were_swapped_are_the_reordered_ones(left: int, right: int) -> None:
    rows, head = build()
    rows[left], rows[right] = rows[right], rows[left]
    verdict = verify(rows, head)
    assert {fault.kind for fault in verdict.faults} == ({FaultKind.REORDERED} if left != right else set())
    if abs(left - right) > 2:
        assert numbers(verdict.faults, FaultKind.REORDERED) == {left, right}


@given(SEQS, SEQS)
def test_one_row_that_was_moved_is_one_fault(seq: int, place: int) -> None:
    rows, head = build()
    rows.insert(place, rows.pop(seq))
    faults = verify(rows, head).faults
    if abs(seq - place) > 1:
        assert [(fault.kind, fault.first, fault.last) for fault in faults] == [(FaultKind.REORDERED, seq, seq)]
    else:
        assert len(faults) == abs(seq - place)


@given(st.permutations(range(LAST + 1)))
def test_in_any_order_the_rows_that_are_not_reported_stand_in_order(order: list[int]) -> None:
    rows, head = build()
    faults = verify([rows[seq] for seq in order], head).faults
    moved = numbers(faults, FaultKind.REORDERED)
    assert {fault.kind for fault in faults} <= {FaultKind.REORDERED}
    kept = [seq for seq in order if seq not in moved]
    assert kept == sorted(kept)
    assert bool(moved) == (order != sorted(order))


@given(KEYS, SEQS, st.integers(0, LAST + 1))
def test_a_row_that_stands_twice_is_named_once(key: bytes | None, seq: int, place: int) -> None:
    rows, head = build(key=key)
    rows.insert(place, rows[seq])
    assert found(rows, head, key) == [(FaultKind.DUPLICATED, seq, seq)]


@given(KEYS, st.integers(0, LAST))
def test_a_chain_cut_at_its_end_says_which_rows_are_missing(key: bytes | None, kept: int) -> None:
    rows, head = build(key=key)
    assert found(rows[:kept], head, key) == [(FaultKind.TRUNCATED, kept, LAST)]


@given(KEYS, st.integers(1, LAST))
def test_a_chain_cut_at_its_start_says_which_rows_are_missing(key: bytes | None, cut: int) -> None:
    rows, head = build(key=key)
    assert found(rows[cut:], head, key) == [(FaultKind.REMOVED, 0, cut - 1)]


@given(st.integers(0, LAST - 1))
def test_a_head_set_back_without_the_key_does_not_hide_the_cut(kept: int) -> None:
    rows, _ = build(key=KEY)
    forged = replace(Hasher().head(rows[kept]))
    assert (FaultKind.HEAD_CHANGED, kept, kept) in found(rows[: kept + 1], forged, KEY)


def test_a_missing_head_and_a_head_that_lies_behind_are_faults() -> None:
    rows, _ = build()
    early = Hasher().head(rows[LAST - 1])
    assert found(rows, None) == [(FaultKind.HEAD_MISSING, LAST, LAST)]
    assert found(rows, early) == [(FaultKind.HEAD_CHANGED, LAST - 1, LAST - 1)]
    assert verify(rows, early, lag=1).ok
    assert not verify(rows, Hasher().head(rows[LAST - 2]), lag=1).ok


def test_a_row_of_another_chain_is_found() -> None:
    rows, head = build()
    foreign, _ = build(chain_id="11")
    rows[4] = foreign[4]
    assert found(rows, head) == [(FaultKind.CHANGED, 4, 4)]


@given(KEYS, SEQS.filter(bool), st.integers(1, 400))
def test_what_a_killed_writer_left_of_the_next_row_is_noted_and_no_fault(
    key: bytes | None, place: int, size: int
) -> None:
    rows, head = build(key=key)
    line = format_row(replace(rows[place], body=b'{"other":"invented","n":1}'))
    torn = parse_torn(line[: min(size, len(line) - 1)])
    verdict = verify([*rows[:place], torn, *rows[place:]], head, key=key)
    assert verdict.ok
    assert verdict.notes == (Fault(kind=FaultKind.UNFINISHED, first=place, last=place),)


@given(SEQS.filter(bool))
def test_a_line_that_is_nothing_of_a_row_is_foreign(place: int) -> None:
    rows, head = build()
    verdict = verify([*rows[:place], None, *rows[place:]], head)
    assert verdict.faults == (Fault(kind=FaultKind.FOREIGN, first=place, last=place),)
    assert verdict.notes == ()


@pytest.mark.parametrize(("seq", "previous"), [(3, None), (5, "ab" * 32)], ids=["number", "link"])
def test_a_torn_row_that_could_not_have_come_next_is_foreign(seq: int, previous: str | None) -> None:
    rows, head = build()
    torn = Torn(lead=format_row(replace(rows[seq], previous=previous or rows[seq].previous))[:90])
    assert found([*rows[:5], torn, *rows[5:]], head) == [(FaultKind.FOREIGN, 5, 5)]


@given(st.integers(1, LAST + 1))
def test_a_forged_row_put_in_between_is_foreign(place: int) -> None:
    rows, head = build(key=KEY)
    forged = Row(seq=10**6, previous=rows[0].hash, body=b"{}", hash="cd" * 32)
    assert found([*rows[:place], forged, *rows[place:]], head, KEY) == [(FaultKind.FOREIGN, place, place)]


def test_all_faults_of_one_chain_are_reported_together() -> None:
    rows, head = build(30)
    rows[5] = replace(rows[5], body=b"{}")
    rows[12], rows[13] = rows[13], rows[12]
    kept = [row for row in rows if row.seq not in {8, 9, 29, 30}]
    kept.insert(20, rows[2])
    assert found(kept, head) == [
        (FaultKind.DUPLICATED, 2, 2),
        (FaultKind.CHANGED, 5, 5),
        (FaultKind.REMOVED, 8, 9),
        (FaultKind.REORDERED, 13, 13),
        (FaultKind.TRUNCATED, 29, 30),
    ]


@given(st.lists(st.tuples(st.sampled_from("crds"), SEQS), min_size=1, max_size=6), KEYS)
def test_no_damage_passes_and_none_breaks_the_scan(damage: list[tuple[str, int]], key: bytes | None) -> None:
    rows, head = build(key=key)
    before = list(rows)
    for kind, at in damage:
        place = min(at, len(rows) - 1)
        if kind == "c":
            rows[place] = replace(rows[place], body=b'{"x":1}')
        elif kind == "r" and len(rows) > 1:
            rows.pop(place)
        elif kind == "d":
            rows.insert(place, rows[place])
        else:
            rows.insert(0, rows.pop(place))
    assert verify(rows, head, key=key).ok == (rows == before)


def test_a_wrong_key_is_one_fault_over_all_rows_and_no_key_is_an_error() -> None:
    rows, head = build(key=KEY)
    faults = found(rows, head, b"another invented key")
    assert (FaultKind.CHANGED, 0, LAST) in faults
    assert len(faults) == 2
    with pytest.raises(AuditError, match="key"):
        verify(rows, head)


def test_a_key_does_not_accept_a_chain_that_was_written_without_one() -> None:
    rows, head = build()
    assert (FaultKind.CHANGED, 0, LAST) in found(rows, head, KEY)


def test_memory_does_not_grow_with_the_chain() -> None:
    def peak(length: int) -> int:
        head = _head(length, Hasher(), "00")
        tracemalloc.start()
        try:
            assert verify(grow(length, Hasher()), head).ok
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # What other threads hold at a moment is measured as well: never every time.
    assert any(peak(4000) <= peak(400) + 4096 for _ in range(3))
