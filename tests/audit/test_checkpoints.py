"""A checkpoint goes to a line and back, and its signature covers all it says."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import Hasher
from privguard.audit.checkpoints import Checkpoint, Notary, format_checkpoint, parse_checkpoint
from tests.audit.chains import CHAIN_ID, FakeSigner

HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)
CHECKPOINTS = st.builds(
    Checkpoint,
    chain=HEX.map(lambda text: text[:32]),
    seq=st.integers(0, 10**15),
    hash=HEX,
    at=st.datetimes(datetime(1970, 1, 1), datetime(2900, 1, 1), timezones=st.just(UTC)).map(datetime.isoformat),  # noqa: DTZ001 - the strategy adds the zone
    key_id=HEX.map(lambda text: text[:16]),
    signature=st.tuples(HEX, HEX).map("".join),
)


@given(CHECKPOINTS)
def test_a_checkpoint_comes_back_from_its_line(checkpoint: Checkpoint) -> None:
    assert parse_checkpoint(format_checkpoint(checkpoint)) == checkpoint


@given(st.binary(max_size=300))
def test_bytes_that_are_no_checkpoint_are_none(noise: bytes) -> None:
    assert parse_checkpoint(noise) is None


@given(CHECKPOINTS, CHECKPOINTS)
def test_the_message_covers_every_field_but_the_signature(one: Checkpoint, other: Checkpoint) -> None:
    for field in ("chain", "seq", "hash", "at", "key_id"):
        changed = replace(one, **{field: getattr(other, field)})
        assert (changed.message == one.message) == (changed == one)
    assert replace(one, signature=other.signature).message == one.message


def test_a_notary_signs_where_the_chain_ends_and_says_when_it_is_time() -> None:
    signer, hasher = FakeSigner(), Hasher()
    head = hasher.head(hasher.follow(hasher.genesis(CHAIN_ID), b"{}", "5a" * 16))
    notary = Notary(signer, every=3, now=lambda: datetime(2031, 4, 5, tzinfo=UTC))
    signed = notary.sign(head, CHAIN_ID)
    assert (signed.chain, signed.seq, signed.hash, signed.key_id) == (CHAIN_ID, 1, head.hash, signer.key_id)
    assert signer.accepts(signed.message, signed.signature)
    assert not signer.accepts(replace(signed, seq=2).message, signed.signature)
    assert [notary.is_due(replace(head, seq=seq), 4) for seq in (4, 6, 7, 8)] == [False, False, True, True]
