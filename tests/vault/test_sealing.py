"""A sealed record opens where and for whom it was sealed, and says nothing of its content."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import VaultError
from privguard.core.holding import Owner
from privguard.vault import sealing
from privguard.vault.keys import RingKey
from privguard.vault.sealing import Address, bucket, open_address, open_body, seal
from privguard.vault.stores import Stored

KEY, OTHER_KEY = RingKey(b"an invented key of the vault, no. 1"), RingKey(b"an invented key of the vault, no. 2")
ACME = Owner(tenant="acme", scope="chat \ud800")
ADDRESS = Address(owner=ACME, reference="resp_1")
EXPIRES_MS = 2_000_000_000_000


def flip(record: Stored, bit: int) -> Stored:
    """Return a record with one bit of its key id, its time or its content turned over."""
    time = record.expires_ms.to_bytes(8, "big")
    whole = bytearray(record.key_id + time + record.sealed)
    whole[bit // 8] ^= 1 << bit % 8
    return replace(
        record, key_id=bytes(whole[:8]), expires_ms=int.from_bytes(whole[8:16], "big"), sealed=bytes(whole[16:])
    )


@given(st.binary(max_size=3000))
def test_what_is_sealed_is_opened(body: bytes) -> None:
    record = seal(KEY, ADDRESS, body, EXPIRES_MS)
    assert open_body(KEY, record, ACME) == body
    assert open_address(KEY, record) == ADDRESS


@given(st.data())
def test_a_record_with_any_bit_turned_over_is_refused(data: st.DataObject) -> None:
    record = seal(KEY, ADDRESS, b"Ada Roth", EXPIRES_MS)
    turned = flip(record, data.draw(st.integers(0, 8 * (16 + len(record.sealed)) - 1)))
    with pytest.raises(VaultError):
        open_body(KEY, turned, ACME)


def test_each_bit_of_the_head_counts() -> None:
    record = seal(KEY, ADDRESS, b"Ada Roth", EXPIRES_MS)
    for bit in range(8 * (16 + 9)):  # key id, time, version, length of the address
        with pytest.raises(VaultError):
            open_body(KEY, flip(record, bit), ACME)
        with pytest.raises(VaultError):
            open_address(KEY, flip(record, bit))


@pytest.mark.parametrize(
    "changes",
    [{"slot": bytes(32)}, {"expires_ms": EXPIRES_MS + 1}, {"key_id": OTHER_KEY.id}, {"sealed": b""}, {"sealed": b"\1"}],
    ids=["moved", "prolonged", "another key", "empty", "cut"],
)
def test_a_record_is_bound_to_its_place_and_its_time(changes: dict[str, object]) -> None:
    record = replace(seal(KEY, ADDRESS, b"Ada Roth", EXPIRES_MS), **changes)  # type: ignore[arg-type] # of each field
    for key in (KEY, OTHER_KEY):
        with pytest.raises(VaultError):
            open_body(key, record, ACME)
        with pytest.raises(VaultError):
            open_address(key, record)


@pytest.mark.parametrize("owner", [Owner(), Owner(tenant="acme"), Owner(tenant="acme", scope="other")])
def test_a_record_is_bound_to_its_owner(owner: Owner) -> None:
    with pytest.raises(VaultError):
        open_body(KEY, seal(KEY, ADDRESS, b"Ada Roth", EXPIRES_MS), owner)


def test_the_address_of_another_record_does_not_fit() -> None:
    records = [seal(KEY, replace(ADDRESS, reference=reference), b"Ada Roth", EXPIRES_MS) for reference in ("a", "b")]
    cut = len(records[0].sealed) - (512 + 28)
    spliced = replace(records[0], sealed=records[1].sealed[:cut] + records[0].sealed[cut:])
    with pytest.raises(VaultError):
        open_body(KEY, spliced, ACME)


def test_short_tables_and_names_are_all_of_one_length() -> None:
    lengths = {
        len(seal(KEY, Address(owner=Owner(tenant="t" * size), reference="r" * size), b"b" * size, EXPIRES_MS).sealed)
        for size in (1, 10, 200)
    }
    assert len(lengths) == 1


@given(st.integers(1, 10_000_000))
def test_a_length_is_rounded_up_to_few_others(length: int) -> None:
    padded = bucket(length)
    assert length <= padded <= max(512, 2 * length, length + 64 * 1024)
    assert bucket(padded) == padded
    assert padded % 512 == 0


def test_a_table_beyond_all_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LARGEST", 100)
    seal(KEY, ADDRESS, b"x" * 100, EXPIRES_MS)
    with pytest.raises(VaultError, match="101 bytes"):
        seal(KEY, ADDRESS, b"x" * 101, EXPIRES_MS)


def test_an_address_shows_nothing() -> None:
    assert "acme" not in repr(ADDRESS)
    assert "resp_1" not in repr(ADDRESS)
