"""The store in memory is bounded, and throws nothing out that is needed."""

import pytest

from privguard.core.errors import VaultError
from privguard.vault import MemoryStore
from tests.vault.homes import make_record

NOW_MS = 1_900_000_000_000


def test_a_full_store_takes_no_more_until_something_has_expired() -> None:
    store = MemoryStore(limit=2)
    for number in (1, 2):
        assert store.write(make_record(number, expires_ms=NOW_MS + 1), expects=None, now_ms=NOW_MS)
    with pytest.raises(VaultError, match="full"):
        store.write(make_record(3), expects=None, now_ms=NOW_MS)
    assert store.load(make_record(1).slot) is not None
    assert store.write(make_record(3), expects=None, now_ms=NOW_MS + 1)
    assert store.load(make_record(1).slot) is None


def test_a_full_store_still_replaces() -> None:
    store = MemoryStore(limit=1)
    old, new = make_record(1), make_record(2, sealed=b"new")
    assert store.write(old, expects=None, now_ms=NOW_MS)
    assert store.write(new, expects=old, now_ms=NOW_MS)
    assert store.load(new.slot) == new
    assert store.load(old.slot) is None


def test_purging_says_how_much_went() -> None:
    store = MemoryStore()
    for number in range(5):
        assert store.write(make_record(number, expires_ms=NOW_MS + number), expects=None, now_ms=NOW_MS - 1)
    assert [store.purge(NOW_MS + 2), store.purge(NOW_MS + 2)] == [3, 0]
