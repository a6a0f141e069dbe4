"""The vault over every store: an owner's own, for a time, and nobody else's."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import ConfigError, VaultError
from privguard.core.holding import Owner
from privguard.core.merging import merge_tables
from privguard.core.placeholders import ALPHABET
from privguard.core.protocols import Vault
from privguard.core.restoring import RestoreTable
from privguard.vault import MemoryStore, Rotation, SealedVault, Store, Stored, VaultKeys, VaultStatus
from privguard.vault.codec import encode
from privguard.vault.sealed import DEFAULT_TTL_S
from tests.vault.conftest import MASTERS
from tests.vault.homes import Clock, Home, full_table, make_entry, make_table

ACME = Owner(tenant="acme-tenant", scope="chat-scope")
REFERENCE = "resp_7f3a9c"
Make = Callable[..., SealedVault]


def records_of(store: Store) -> list[Stored]:
    """Return everything that lies in a store."""
    return list({record.slot: record for record in store.stale(b"")}.values())


def replace_all(store: Store, change: Callable[[Stored], Stored]) -> None:
    """Change every record behind the vault's back."""
    for record in records_of(store):
        changed = change(record)
        store.delete(record.slot)
        assert store.write(changed, expects=None, now_ms=0)


def test_a_table_comes_back_wherever_the_vault_is_opened(make_vault: Make) -> None:
    vault: Vault = make_vault()
    vault.put(ACME, REFERENCE, full_table())
    assert vault.get(ACME, REFERENCE) == full_table()
    assert make_vault().get(ACME, REFERENCE) == full_table()


@pytest.mark.parametrize(
    ("owner", "reference", "keys"),
    [
        (Owner(), REFERENCE, 0),
        (replace(ACME, tenant="other"), REFERENCE, 0),
        (replace(ACME, scope="other"), REFERENCE, 0),
        (Owner(tenant="chat-scope", scope="acme-tenant"), REFERENCE, 0),
        (ACME, REFERENCE + "0", 0),
        (ACME, REFERENCE, 1),
    ],
    ids=["nobody", "another tenant", "another scope", "swapped", "another reference", "another key"],
)
def test_what_is_another_ones_is_not_there(make_vault: Make, owner: Owner, reference: str, keys: int) -> None:
    make_vault(0).put(ACME, REFERENCE, full_table())
    stranger = make_vault(keys)
    assert stranger.get(owner, reference) is None
    assert not stranger.delete(owner, reference)
    stranger.put(owner, reference, make_table())
    assert make_vault(0).get(ACME, REFERENCE) == full_table()


def test_what_has_expired_is_not_there_although_it_lies_there(home: Home, make_vault: Make, clock: Clock) -> None:
    vault = make_vault(ttl_s=60)
    vault.put(ACME, REFERENCE, make_table())
    vault.put(ACME, "longer", make_table(), ttl_s=120)
    clock.at += 59.9
    assert vault.get(ACME, REFERENCE) is not None
    clock.at += 0.1
    store = home.open()
    assert len(records_of(store)) == 2
    store.close()
    assert vault.get(ACME, REFERENCE) is None
    assert vault.get(ACME, "longer") is not None
    vault.put(ACME, REFERENCE, full_table())
    assert vault.get(ACME, REFERENCE) == full_table()


def test_the_default_is_a_week(make_vault: Make, clock: Clock) -> None:
    vault = make_vault()
    vault.put(ACME, REFERENCE, make_table())
    clock.at += DEFAULT_TTL_S - 1
    assert vault.get(ACME, REFERENCE) is not None
    clock.at += 1
    assert vault.get(ACME, REFERENCE) is None


@pytest.mark.parametrize("ttl_s", [0, -1, float("nan"), float("inf"), 11 * 365 * 86400, True, "7d", None])
def test_a_time_that_is_none_is_told(ttl_s: float) -> None:
    with pytest.raises(ConfigError, match="ttl_s"):
        SealedVault(MemoryStore(), VaultKeys.random(), ttl_s=ttl_s)
    if ttl_s is not None:
        with pytest.raises(ConfigError, match="ttl_s"):
            SealedVault(MemoryStore(), VaultKeys.random()).put(ACME, REFERENCE, make_table(), ttl_s=ttl_s)


@pytest.mark.parametrize("reference", ["", None, 5])
def test_a_reference_that_is_none_is_told(vault: SealedVault, reference: str) -> None:
    with pytest.raises(VaultError, match="a reference is"):
        vault.put(ACME, reference, make_table())
    with pytest.raises(VaultError, match="a reference is"):
        vault.get(ACME, reference)


def test_a_reference_keeps_one_table(vault: SealedVault) -> None:
    vault.put(ACME, REFERENCE, make_table())
    vault.put(ACME, REFERENCE, make_table())
    with pytest.raises(VaultError, match="another table") as caught:
        vault.put(ACME, REFERENCE, full_table())
    assert vault.get(ACME, REFERENCE) == make_table()
    assert not any(word in str(caught.value) for word in ("acme", "resp", "Ada"))


def test_putting_tells_whether_there_was_nothing(vault: SealedVault, clock: Clock) -> None:
    assert vault.put(ACME, REFERENCE, make_table(), ttl_s=100) is True
    assert vault.put(ACME, REFERENCE, make_table(), ttl_s=100) is False
    assert vault.put(ACME, REFERENCE, make_table(), ttl_s=200) is False
    assert vault.put(ACME, REFERENCE, full_table(), ttl_s=200, join=True) is False
    clock.at += 200
    assert vault.put(ACME, REFERENCE, full_table()) is True


def test_tables_that_are_joined_become_one_for_the_longer_time(vault: SealedVault, clock: Clock) -> None:
    one, other = make_table(make_entry("7QK2", "Ada Roth")), make_table(make_entry("8ABC", "Ben Kole"))
    vault.put(ACME, REFERENCE, one, ttl_s=100, join=True)
    vault.put(ACME, REFERENCE, other, ttl_s=10, join=True)
    clock.at += 50
    assert vault.get(ACME, REFERENCE) == merge_tables(one, other)
    vault.put(ACME, REFERENCE, one, ttl_s=100, join=True)
    clock.at += 99
    assert vault.get(ACME, REFERENCE) == merge_tables(one, other)
    clock.at += 1
    assert vault.get(ACME, REFERENCE) is None


@pytest.mark.parametrize("keys", [(0,), (1, 0)], ids=["same key", "newer key"])
def test_keeping_a_table_again_takes_the_longer_time(make_vault: Make, clock: Clock, keys: tuple[int, ...]) -> None:
    make_vault(0).put(ACME, REFERENCE, make_table(), ttl_s=100)
    vault = make_vault(*keys)
    clock.at += 60
    vault.put(ACME, REFERENCE, make_table(), ttl_s=100)
    vault.put(ACME, REFERENCE, make_table(), ttl_s=1)
    clock.at += 99
    assert vault.get(ACME, REFERENCE) == make_table()
    clock.at += 1
    assert vault.get(ACME, REFERENCE) is None


def test_nothing_is_lost_when_many_join_at_the_same_time(make_vault: Make) -> None:
    vaults = [make_vault() for _ in range(4)]
    tables = [
        make_table(make_entry(f"7Q{first}{second}", f"{first}{second}")) for first in "ABCD" for second in "234567"
    ]

    def join(number: int) -> None:
        vaults[number % 4].put(ACME, REFERENCE, tables[number], join=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(join, range(len(tables))))
    kept = vaults[0].get(ACME, REFERENCE)
    assert kept is not None
    assert kept.entries == {each: entry for table in tables for each, entry in table.entries.items()}


def test_a_deleted_table_is_gone(home: Home, vault: SealedVault) -> None:
    vault.put(ACME, REFERENCE, full_table())
    assert vault.delete(ACME, REFERENCE)
    assert not vault.delete(ACME, REFERENCE)
    assert vault.get(ACME, REFERENCE) is None
    store = home.open()
    assert records_of(store) == []
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda record: replace(record, expires_ms=record.expires_ms + 86_400_000),
        lambda record: replace(record, sealed=record.sealed[:-1] + bytes([record.sealed[-1] ^ 1])),
        lambda record: replace(record, key_id=bytes(8)),
        lambda record: replace(record, sealed=b""),
    ],
    ids=["prolonged", "changed", "another key", "emptied"],
)
def test_a_record_that_was_altered_is_an_error_without_content(
    home: Home, make_vault: Make, change: Callable[[Stored], Stored]
) -> None:
    vault = make_vault()
    vault.put(ACME, REFERENCE, full_table())
    store = home.open()
    replace_all(store, change)
    uses: tuple[Callable[[], object], ...] = (
        lambda: vault.get(ACME, REFERENCE),
        lambda: vault.put(ACME, REFERENCE, make_table()),
        lambda: vault.put(ACME, REFERENCE, make_table(), join=True),
    )
    for use in uses:
        with pytest.raises(VaultError, match="altered") as caught:
            use()
        assert not any(word in str(caught.value) for word in ("Ada", "acme", "chat", "resp"))
        assert caught.value.__context__ is None
    assert vault.delete(ACME, REFERENCE)
    store.close()


def test_a_record_that_was_put_in_the_place_of_another_is_refused(home: Home, make_vault: Make) -> None:
    vault = make_vault()
    vault.put(ACME, REFERENCE, make_table())
    vault.put(Owner(tenant="other"), REFERENCE, full_table())
    store = home.open()
    one, other = records_of(store)
    slots = {one.slot: other.slot, other.slot: one.slot}
    for record in (one, other):
        store.delete(record.slot)
    for record in (one, other):
        assert store.write(replace(record, slot=slots[record.slot]), expects=None, now_ms=0)
    for owner in (ACME, Owner(tenant="other")):
        with pytest.raises(VaultError, match="moved"):
            vault.get(owner, REFERENCE)
    store.close()


@given(st.data())
def test_whatever_bit_is_turned_over_nobody_gets_another_table(data: st.DataObject) -> None:
    store = MemoryStore()
    vault = SealedVault(store, VaultKeys(*MASTERS), now=Clock())
    vault.put(ACME, REFERENCE, full_table())
    (record,) = records_of(store)
    whole = bytearray(record.slot + record.key_id + record.sealed)
    bit = data.draw(st.integers(0, 8 * len(whole) - 1))
    whole[bit // 8] ^= 1 << bit % 8
    turned = replace(record, slot=bytes(whole[:32]), key_id=bytes(whole[32:40]), sealed=bytes(whole[40:]))
    store.delete(record.slot)
    assert store.write(turned, expects=None, now_ms=0)
    if bit < 8 * 32:
        assert vault.get(ACME, REFERENCE) is None
    else:
        with pytest.raises(VaultError):
            vault.get(ACME, REFERENCE)


def test_nothing_readable_lies_in_the_store(home: Home, make_vault: Make) -> None:
    vault = make_vault(0, 1)
    ada = make_entry("7QK2MNPQRS", "Adalbertine Rothenfeld", forms=(("other spelling", "ADALBERTINE"),))
    table = make_table(ada, url_hosts=("hosts.example",))
    for number in range(20):
        vault.put(ACME, f"{REFERENCE}{number}", table)
        vault.put(ACME, REFERENCE, full_table(), join=True)
    vault.delete(ACME, f"{REFERENCE}7")
    raw = home.raw()
    assert len(raw) > 20 * 512
    # Long ones: among a million random bytes there is any short word.
    told = (
        "acme-tenant",
        "chat-scope",
        REFERENCE,
        "Adalbertine",
        "ADALBERTINE",
        "7QK2MNPQRS",
        "PERSON",
        "hosts.example",
    )
    for word in (*told, "other spelling", *(master.decode() for master in MASTERS)):
        for form in (word.encode(), word.encode().hex().encode(), word.encode("utf-16-le")):
            assert form not in raw
    assert encode(table)[:40] not in raw


def test_equal_tables_look_unlike(home: Home, vault: SealedVault) -> None:
    for number in range(10):
        vault.put(ACME, f"{REFERENCE}{number}", full_table())
    store = home.open()
    sealed = [record.sealed for record in records_of(store)]
    store.close()
    assert len({each[at : at + 16] for each in sealed for at in range(9, len(sealed[0]) - 16)}) == 10 * (
        len(sealed[0]) - 25
    )


class _Stopping:
    """A store that fails after some writes."""

    def __init__(self, inner: Store, writes: int) -> None:
        self._inner, self._left = inner, writes

    def write(self, record: Stored, *, expects: Stored | None, now_ms: int) -> bool:
        if self._left == 0:
            raise VaultError("stopped")
        self._left -= 1
        return self._inner.write(record, expects=expects, now_ms=now_ms)

    def load(self, slot: bytes) -> Stored | None:
        return self._inner.load(slot)

    def delete(self, slot: bytes) -> bool:
        return self._inner.delete(slot)

    def purge(self, now_ms: int) -> int:
        return self._inner.purge(now_ms)

    def stale(self, key_id: bytes) -> Iterator[Stored]:
        yield from self._inner.stale(key_id)

    def close(self) -> None:
        self._inner.close()


class TestRotation:
    """From one key to the next, at any time."""

    @staticmethod
    def fill(vault: SealedVault, count: int = 12) -> dict[str, RestoreTable]:
        """Put tables into a vault and return them by reference."""
        tables = {f"resp_{number}": make_table(make_entry(value=f"value {number}")) for number in range(count)}
        for reference, table in tables.items():
            vault.put(ACME, reference, table)
        return tables

    def test_the_newest_key_encrypts_and_all_decrypt(self, make_vault: Make) -> None:
        make_vault(0).put(ACME, "old", make_table())
        both = make_vault(1, 0)
        both.put(ACME, "new", full_table())
        assert (both.get(ACME, "old"), both.get(ACME, "new")) == (make_table(), full_table())
        assert (make_vault(1).get(ACME, "old"), make_vault(1).get(ACME, "new")) == (None, full_table())
        assert (make_vault(0).get(ACME, "old"), make_vault(0).get(ACME, "new")) == (make_table(), None)

    def test_after_rotating_the_older_key_may_go(self, make_vault: Make) -> None:
        tables = self.fill(make_vault(0))
        assert make_vault(1, 0).rotate() == Rotation(moved=12, unreadable=0)
        assert make_vault(1, 0).rotate() == Rotation(moved=0, unreadable=0)
        newest, oldest = make_vault(1), make_vault(0)
        assert {reference: newest.get(ACME, reference) for reference in tables} == tables
        assert not any(oldest.get(ACME, reference) for reference in tables)

    def test_rotating_keeps_the_time_of_expiry(self, make_vault: Make, clock: Clock) -> None:
        make_vault(0).put(ACME, REFERENCE, make_table(), ttl_s=100)
        clock.at += 60
        vault = make_vault(1, 0)
        assert vault.rotate().moved == 1
        clock.at += 39
        assert vault.get(ACME, REFERENCE) is not None
        clock.at += 1
        assert vault.get(ACME, REFERENCE) is None

    def test_rotating_goes_on_where_it_was_stopped(self, home: Home, make_vault: Make) -> None:
        tables = self.fill(make_vault(0))
        stopping = make_vault(1, 0, store=_Stopping(home.open(), 5))
        with pytest.raises(VaultError, match="stopped"):
            stopping.rotate()
        vault = make_vault(1, 0)
        assert {reference: vault.get(ACME, reference) for reference in tables} == tables
        assert vault.rotate(limit=3).moved == 3
        assert vault.rotate() == Rotation(moved=4, unreadable=0)
        newest = make_vault(1)
        assert {reference: newest.get(ACME, reference) for reference in tables} == tables

    def test_whoever_waits_sees_each_record_that_lay_under_another_key(self, make_vault: Make) -> None:
        self.fill(make_vault(0), count=3)
        make_vault(1).put(ACME, "new", make_table())
        seen: list[None] = []
        assert make_vault(1, 0).rotate(seen=lambda: seen.append(None)).moved == len(seen) == 3

    def test_what_lies_there_is_counted_by_its_keys_and_times(self, make_vault: Make, clock: Clock) -> None:
        nothing = VaultStatus(tables=0, expired=0, newest=0, older=0, foreign=0, first_expiry=None, last_expiry=None)
        assert make_vault(0).status() == nothing
        for number, ttl_s in ((2, 100), (1, 200), (1, 300), (0, 400)):
            make_vault(number).put(ACME, f"resp_{ttl_s}", make_table(), ttl_s=ttl_s)
        start = clock.at
        found = VaultStatus(
            tables=4, expired=0, newest=1, older=2, foreign=1, first_expiry=start + 100, last_expiry=start + 400
        )
        assert make_vault(0, 1).status() == found
        clock.at += 200
        assert make_vault(0, 1).status() == replace(found, expired=2, first_expiry=start + 300)
        assert make_vault(0, 1).get(ACME, "resp_300") == make_table()

    def test_what_cannot_be_read_is_counted_and_left(self, home: Home, make_vault: Make) -> None:
        make_vault(0).put(ACME, "foreign", make_table())
        vault = make_vault(1)
        assert vault.rotate() == Rotation(moved=0, unreadable=1)
        store = home.open()
        replace_all(store, lambda record: replace(record, sealed=record.sealed[:-1]))
        assert make_vault(1, 0).rotate() == Rotation(moved=0, unreadable=1)
        assert len(records_of(store)) == 1
        store.close()

    def test_a_table_that_is_joined_meanwhile_is_not_written_over(self, home: Home, make_vault: Make) -> None:
        one, other = make_table(make_entry("7QK2", "Ada Roth")), make_table(make_entry("8ABC", "Ben Kole"))
        make_vault(0).put(ACME, REFERENCE, one)
        writer = make_vault(1, 0)

        class Late(_Stopping):
            def stale(self, key_id: bytes) -> Iterator[Stored]:
                for record in super().stale(key_id):
                    writer.put(ACME, REFERENCE, other, join=True)
                    yield record

        assert make_vault(1, 0, store=Late(home.open(), -1)).rotate() == Rotation(moved=0, unreadable=0)
        assert make_vault(1).get(ACME, REFERENCE) == merge_tables(one, other)
        store = home.open()
        assert len(records_of(store)) == 1
        store.close()

    def test_what_lies_under_both_keys_is_found_and_removed_as_one(self, home: Home, make_vault: Make) -> None:
        make_vault(0).put(ACME, REFERENCE, make_table())
        make_vault(1).put(ACME, REFERENCE, full_table())
        vault = make_vault(1, 0)
        assert vault.get(ACME, REFERENCE) == full_table()
        assert vault.rotate() == Rotation(moved=0, unreadable=0)
        store = home.open()
        assert len(records_of(store)) == 1
        make_vault(0).put(ACME, REFERENCE, make_table())
        assert vault.delete(ACME, REFERENCE)
        assert records_of(store) == []
        store.close()


def test_threads_of_many_tenants_each_get_their_own(make_vault: Make) -> None:
    vaults = [make_vault() for _ in range(2)]

    def table_of(number: int) -> RestoreTable:
        letters = ALPHABET[number // 32] + ALPHABET[number % 32]
        return make_table(make_entry(f"7Q{letters}", f"canary-{number}"))

    def work(number: int) -> bool:
        owner = Owner(tenant=f"tenant-{number % 16}", scope=f"chat-{number % 3}")
        vaults[number % 2].put(owner, f"resp_{number}", table_of(number))
        own = vaults[(number + 1) % 2].get(owner, f"resp_{number}")
        stranger = Owner(tenant=f"tenant-{(number + 1) % 16}", scope=f"chat-{number % 3}")
        return own == table_of(number) and vaults[0].get(stranger, f"resp_{number}") is None

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(320)))
