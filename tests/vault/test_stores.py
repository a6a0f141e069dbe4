"""What every store promises, whichever it is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from privguard.vault import Store, Stored
from tests.vault.homes import Home, make_record

NOW_MS = 1_900_000_000_000
SOON_MS = NOW_MS + 60_000


@pytest.fixture
def other(home: Home) -> Iterator[Store]:
    """Return the same place, opened a second time."""
    opened = home.open()
    yield opened
    opened.close()


def put(store: Store, *records: Stored) -> None:
    for record in records:
        assert store.write(record, expects=None, now_ms=NOW_MS)


def test_what_is_written_is_there_wherever_the_place_is_opened(store: Store, other: Store) -> None:
    record = make_record()
    assert other.load(record.slot) is None
    put(store, record)
    assert (store.load(record.slot), other.load(record.slot)) == (record, record)


def test_a_record_is_replaced_only_where_it_is_the_expected_one(store: Store, other: Store) -> None:
    old, new, third = (make_record(sealed=sealed) for sealed in (b"old", b"new", b"third"))
    put(store, old)
    assert not store.write(new, expects=None, now_ms=NOW_MS)
    assert not store.write(new, expects=third, now_ms=NOW_MS)
    assert not store.write(new, expects=replace(old, expires_ms=old.expires_ms + 1), now_ms=NOW_MS)
    assert store.load(old.slot) == old
    assert other.write(new, expects=old, now_ms=NOW_MS)
    assert not store.write(third, expects=old, now_ms=NOW_MS)
    assert store.load(old.slot) == new


def test_a_record_moves_to_another_slot_or_stays(store: Store) -> None:
    old, taken, moved = make_record(1), make_record(2, sealed=b"taken"), make_record(3, key=2)
    put(store, old, taken)
    assert not store.write(make_record(2, key=2), expects=old, now_ms=NOW_MS)
    assert (store.load(old.slot), store.load(taken.slot)) == (old, taken)
    assert not store.write(moved, expects=make_record(4), now_ms=NOW_MS)
    assert store.load(moved.slot) is None
    assert store.write(moved, expects=old, now_ms=NOW_MS)
    assert (store.load(old.slot), store.load(moved.slot)) == (None, moved)


def test_what_has_expired_gives_way(store: Store) -> None:
    old, new = make_record(expires_ms=SOON_MS), make_record(sealed=b"new")
    put(store, old)
    assert not store.write(new, expects=None, now_ms=SOON_MS - 1)
    assert store.write(new, expects=None, now_ms=SOON_MS)
    assert store.load(old.slot) == new


def test_a_record_is_removed_once(store: Store, other: Store) -> None:
    record = make_record()
    put(store, record, make_record(2))
    assert store.delete(record.slot)
    assert not other.delete(record.slot)
    assert other.load(record.slot) is None
    assert other.load(make_record(2).slot) == make_record(2)


def test_purging_removes_what_has_expired_and_nothing_else(store: Store) -> None:
    put(store, make_record(1, expires_ms=SOON_MS), make_record(2))
    store.purge(SOON_MS - 1)
    assert store.load(make_record(1).slot) is not None
    store.purge(SOON_MS)
    assert store.load(make_record(2).slot) is not None


def test_all_records_of_other_keys_are_found(store: Store) -> None:
    records = [make_record(number, key=1 + number % 3) for number in range(700)]
    put(store, *records)
    found = {record.slot: record for record in store.stale(bytes([2]) * 8)}
    assert found == {record.slot: record for record in records if record.key_id != bytes([2]) * 8}


def test_records_may_go_while_the_others_are_looked_for(store: Store, other: Store) -> None:
    records = [make_record(number) for number in range(500)]
    put(store, *records)
    seen = set()
    for record in store.stale(b"none"):
        seen.add(record.slot)
        other.delete(record.slot)
    assert seen == {record.slot for record in records}


def test_of_many_that_write_one_slot_at_the_same_time_one_wins(home: Home) -> None:
    barrier = Barrier(8)
    stores = [home.open() for _ in range(8)]

    def create(number: int) -> bool:
        barrier.wait()
        record = make_record(sealed=bytes([number]))
        return stores[number].write(record, expects=None, now_ms=NOW_MS)

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(create, range(8)))
    kept = stores[0].load(make_record().slot)
    assert won.count(True) == 1
    assert kept is not None
    assert kept.sealed == bytes([won.index(True)])
    for store in stores:
        store.close()


def test_no_change_is_lost_when_many_write_one_slot(home: Home) -> None:
    stores = [home.open() for _ in range(4)]
    put(stores[0], make_record(sealed=b""))

    def grow(number: int) -> None:
        for _ in range(10):
            written = False
            while not written:
                kept = stores[number].load(make_record().slot)
                assert kept is not None
                longer = replace(kept, sealed=kept.sealed + bytes([number]))
                written = stores[number].write(longer, expects=kept, now_ms=NOW_MS)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(grow, range(4)))
    kept = stores[0].load(make_record().slot)
    assert kept is not None
    assert sorted(kept.sealed) == sorted([*range(4)] * 10)
    for store in stores:
        store.close()


def test_closing_twice_is_closing_once(home: Home) -> None:
    store = home.open()
    store.close()
    store.close()


def test_a_record_shows_nothing_of_itself() -> None:
    assert repr(make_record(sealed=b"sealed")) == "Stored(expires_ms=2000000000000)"
