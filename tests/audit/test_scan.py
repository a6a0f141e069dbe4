"""Chains of all that a log may hold: whatever is done to one row is found."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from privguard.audit.chain import Hasher, Row
from privguard.audit.faults import FaultKind, Verdict
from privguard.audit.verify import verify
from tests.audit.chains import KEY, Chain, mixed

CHAINS = st.builds(mixed, st.integers(4, 24), st.integers(0, 10**6), st.sampled_from([None, KEY]))


def check(chain: Chain, rows: list[Row]) -> Verdict:
    """Verify other rows in the place of those of the chain."""
    keyed = b'"keyed":true' in chain.rows[0].body
    return verify(rows, chain.head, key=KEY if keyed else None, checkpoints=chain.checkpoints)


@given(CHAINS)
def test_an_untouched_chain_has_no_fault(chain: Chain) -> None:
    verdict = check(chain, chain.rows)
    assert (verdict.faults, verdict.notes) == ((), ())
    assert verdict.rows == len(chain.rows)
    assert verdict.records + verdict.erased <= verdict.rows


@given(CHAINS, st.data())
def test_a_row_that_was_changed_is_found(chain: Chain, data: st.DataObject) -> None:
    seq = data.draw(st.integers(0, len(chain.rows) - 1))
    row = chain.rows[seq]
    changed = data.draw(
        st.sampled_from(
            [
                replace(row, body=b'{"at":"2031-04-05T06:07:08Z","request_id":"x"}', erased=None),
                replace(row, hash="ab" * 32),
                replace(row, previous="ab" * 32),
                replace(row, seq=row.seq + 1),
                replace(row, salt="ab" * 16, erased=None),
                replace(row, erased="ab" * 32, body=b"", salt=""),
                replace(row, body=b"", salt="", erased=row.hash),
            ]
        )
    )
    if changed == row:
        return
    rows = [*chain.rows[:seq], changed, *chain.rows[seq + 1 :]]
    assert not check(chain, rows).ok


@given(CHAINS, st.data())
def test_a_row_that_was_erased_without_an_entry_is_found_and_named(chain: Chain, data: st.DataObject) -> None:
    whole = [row.seq for row in chain.rows if row.can_be_erased]
    assume(whole)
    seq = data.draw(st.sampled_from(whole))
    keyed = b'"keyed":true' in chain.rows[0].body
    rows = list(chain.rows)
    rows[seq] = Hasher(KEY if keyed else None).erase(rows[seq])
    faults = check(chain, rows).faults
    # An entry that named erased rows takes its word back with it.
    named = {number for fault in faults for number in range(fault.first, fault.last + 1)}
    assert {fault.kind for fault in faults} == {FaultKind.ERASED}
    assert seq in named
    assert named == {seq} or chain.rows[seq].body.startswith(b'{"entry":"erased"')


@given(CHAINS, st.data())
def test_a_row_that_is_gone_is_found_whether_an_entry_names_it_or_not(chain: Chain, data: st.DataObject) -> None:
    seq = data.draw(st.integers(0, len(chain.rows) - 1))
    faults = check(chain, chain.rows[:seq] + chain.rows[seq + 1 :]).faults
    kind = FaultKind.TRUNCATED if seq == len(chain.rows) - 1 else FaultKind.REMOVED
    assert (kind, seq, seq) in [(fault.kind, fault.first, fault.last) for fault in faults]


@given(CHAINS, st.data())
def test_a_row_in_another_place_is_found(chain: Chain, data: st.DataObject) -> None:
    places = st.integers(0, len(chain.rows) - 1)
    seq, place = data.draw(places), data.draw(places)
    rows = list(chain.rows)
    rows.insert(place, rows.pop(seq))
    assert check(chain, rows).ok == (rows == chain.rows)


@given(CHAINS, st.data())
def test_a_chain_that_was_cut_at_its_end_is_found(chain: Chain, data: st.DataObject) -> None:
    kept = data.draw(st.integers(0, len(chain.rows) - 1))
    assert not check(chain, chain.rows[:kept]).ok
