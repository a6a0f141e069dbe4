"""Checkpoints hold against somebody who computes the whole chain anew, and against an older copy of it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import Row
from privguard.audit.faults import FaultKind, Verdict
from privguard.audit.verify import verify
from tests.audit.chains import Chain, FakeSigner, Maker, mixed, rebuilt

SIGNER = FakeSigner()
CHAINS = st.builds(mixed, st.integers(4, 24), st.integers(0, 10**6))


def kinds(verdict: Verdict) -> list[tuple[FaultKind, int]]:
    """Return the faults, by their first rows."""
    return [(fault.kind, fault.first) for fault in verdict.faults]


def signed(length: int = 9, *at: int) -> Maker:
    """Return a chain that is signed at some rows."""
    maker = Maker()
    for seq in range(1, length + 1):
        maker.record()
        if seq in at:
            maker.sign()
    return maker


@given(CHAINS)
def test_a_signed_chain_is_proved_up_to_its_newest_checkpoint(chain: Chain) -> None:
    verdict = verify(chain.rows, chain.head, checkpoints=chain.checkpoints, public_keys=[SIGNER])
    assert verdict.faults == ()
    assert verdict.signed == chain.checkpoints[-1]


@given(CHAINS, st.data())
def test_a_chain_without_a_key_that_was_written_anew_is_found_by_its_signature(
    chain: Chain, data: st.DataObject
) -> None:
    seq = data.draw(st.integers(1, len(chain.rows) - 1))
    body = b'{"at":"2031-04-05T06:07:08Z","request_id":"forged"}'
    rows, head = rebuilt(chain.rows, seq, body)
    verdict = verify(rows, head, checkpoints=chain.checkpoints, public_keys=[SIGNER])
    assert FaultKind.REWRITTEN in {fault.kind for fault in verdict.faults}


@given(CHAINS, st.data())
def test_one_that_is_signed_anew_by_somebody_else_is_found_too(chain: Chain, data: st.DataObject) -> None:
    seq = data.draw(st.integers(1, len(chain.rows) - 1))
    rows, head = rebuilt(chain.rows, seq, b'{"at":"2031-04-05T06:07:08Z","request_id":"forged"}')
    forger = Maker(signer=FakeSigner("b"))
    forger.rows = rows
    forger.sign()
    forged = [replace(each, key_id=SIGNER.key_id) for each in forger.checkpoints]
    assert kinds(verify(rows, head, checkpoints=forger.checkpoints, public_keys=[SIGNER]))[0][0] is FaultKind.UNSIGNED
    found = {fault.kind for fault in verify(rows, head, checkpoints=forged, public_keys=[SIGNER]).faults}
    assert {FaultKind.FORGED, FaultKind.UNSIGNED} <= found


@given(st.integers(1, 9), st.integers(0, 8))
def test_an_older_copy_of_the_log_is_found_by_a_newer_checkpoint(at: int, kept: int) -> None:
    chain = signed(9, at).chain()
    rows = chain.rows[: kept + 1]
    older = Maker()
    older.rows = rows
    verdict = verify(rows, older.head, checkpoints=chain.checkpoints, public_keys=[SIGNER])
    if kept < at:
        assert [(fault.kind, fault.first, fault.last) for fault in verdict.faults] == [
            (FaultKind.UNSIGNED, 0, 0),
            (FaultKind.TRUNCATED, kept + 1, at),
        ]
    else:
        assert verdict.ok
        assert verdict.signed is not None


def test_rows_behind_the_newest_checkpoint_are_not_proved() -> None:
    chain = signed(9, 3, 6).chain()
    rows, head = rebuilt(chain.rows, 8, b"{}")
    verdict = verify(rows, head, checkpoints=chain.checkpoints, public_keys=[SIGNER])
    assert verdict.ok
    assert verdict.signed is not None
    assert verdict.signed.seq == 6


def test_without_a_public_key_the_rows_are_compared_and_nothing_is_proved() -> None:
    chain = signed(9, 3, 6).chain()
    assert verify(chain.rows, chain.head, checkpoints=chain.checkpoints).signed is None
    rows, head = rebuilt(chain.rows, 2, b"{}")
    assert kinds(verify(rows, head, checkpoints=chain.checkpoints)) == [
        (FaultKind.REWRITTEN, 3),
        (FaultKind.REWRITTEN, 6),
    ]


def test_a_checkpoint_of_another_log_is_told() -> None:
    chain = signed(9, 9).chain()
    other = Maker(chain_id="ee" * 16)
    for _ in range(9):
        other.record()
    other.sign()
    strange = [*chain.checkpoints, *other.checkpoints]
    assert kinds(verify(chain.rows, chain.head, checkpoints=strange, public_keys=[SIGNER])) == [
        (FaultKind.OTHER_CHAIN, 9)
    ]
    moved = [replace(other.checkpoints[0], seq=20)]
    moved[0] = replace(moved[0], signature=SIGNER.sign(moved[0].message))
    found = kinds(verify(chain.rows, chain.head, checkpoints=[*chain.checkpoints, *moved], public_keys=[SIGNER]))
    assert found == [(FaultKind.OTHER_CHAIN, 20)]


@pytest.mark.parametrize("field", ["chain", "seq", "hash", "at", "signature"])
def test_a_checkpoint_that_was_changed_does_not_count(field: str) -> None:
    chain = signed(9, 3, 6).chain()
    values = {
        "chain": "ee" * 16,
        "seq": 7,
        "hash": "ab" * 32,
        "at": "2031-04-05T00:00:00Z",
        "signature": "0" * 128,
    }
    changed = replace(chain.checkpoints[1], **{field: values[field]})  # type: ignore[arg-type] # one value per field type
    verdict = verify(chain.rows, chain.head, checkpoints=[chain.checkpoints[0], changed], public_keys=[SIGNER])
    assert [fault.kind for fault in verdict.faults] == [FaultKind.FORGED]
    assert verdict.signed == chain.checkpoints[0]


def test_a_key_that_was_replaced_is_known_by_its_id() -> None:
    maker = signed(5, 4)
    newer = FakeSigner("b")
    later = Maker(signer=newer)
    later.rows = maker.rows
    later.record()
    later.sign()
    checkpoints = [*maker.checkpoints, *later.checkpoints]
    both = verify(later.rows, later.head, checkpoints=checkpoints, public_keys=[SIGNER, newer])
    assert both.signed is not None
    assert (both.ok, both.signed.seq) == (True, 6)
    first = verify(later.rows, later.head, checkpoints=checkpoints, public_keys=[SIGNER])
    assert first.signed is not None
    assert (first.ok, first.signed.seq) == (True, 4)


def test_a_checkpoint_that_comes_late_is_passed_over() -> None:
    chain = signed(9, 3, 6).chain()
    verdict = verify(chain.rows, chain.head, checkpoints=chain.checkpoints[::-1], public_keys=[SIGNER])
    assert verdict.signed == chain.checkpoints[1]


def test_a_checkpoint_of_a_row_that_is_gone_does_not_hide_the_fault() -> None:
    chain = signed(9, 3, 6).chain()
    rows: list[Row] = [row for row in chain.rows if row.seq != 6]
    verdict = verify(rows, chain.head, checkpoints=chain.checkpoints, public_keys=[SIGNER])
    assert kinds(verdict) == [(FaultKind.REMOVED, 6)]
    assert verdict.signed == chain.checkpoints[0]
