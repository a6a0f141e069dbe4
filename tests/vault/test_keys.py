"""Keys do their work and cannot be got at."""

import copy
import pickle
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import ConfigError
from privguard.core.holding import Owner
from privguard.vault.keys import NONCE, RingKey, VaultKeys, packed

MASTER = b"an invented key of the vault, no. 1"
OTHER = b"an invented key of the vault, no. 2"


def test_a_slot_tells_owner_reference_and_key_apart() -> None:
    owners = [
        Owner(),
        Owner(tenant="ab"),
        Owner(scope="ab"),
        Owner(tenant="a", scope="b"),
        Owner(tenant="b", scope="a"),
    ]
    slots = {
        RingKey(master).slot(owner, reference)
        for master in (MASTER, OTHER)
        for owner in owners
        for reference in ("resp_1", "resp_2", "ab")
    }
    assert len(slots) == 2 * len(owners) * 3
    assert {len(slot) for slot in slots} == {32}


def test_the_same_key_does_the_same_in_every_process() -> None:
    # Worked out with HKDF-SHA-256 and HMAC-SHA-256 of the standard library.
    key = RingKey(MASTER)
    assert key.id.hex() == "8d683a5f79812790"
    slot = "19a0c5ee542e2cec8e9b3ea0ac5181b18cfbc189a7daffac8755366ae5320777"
    assert key.slot(Owner(tenant="acme", scope="chat"), "resp_1").hex() == slot


def test_what_is_encrypted_opens_with_its_key_and_what_is_bound_to_it_alone() -> None:
    key = RingKey(MASTER)
    sealed = key.encrypt(b"Ada Roth", b"bound")
    assert RingKey(MASTER).decrypt(sealed, b"bound") == b"Ada Roth"
    assert key.decrypt(sealed, b"other") is None
    assert RingKey(OTHER).decrypt(sealed, b"bound") is None
    for cut in (b"", sealed[:NONCE], sealed[:-1]):
        assert key.decrypt(cut, b"bound") is None


def test_no_nonce_comes_twice() -> None:
    key = RingKey(MASTER)
    assert len({key.encrypt(b"", b"")[:NONCE] for _ in range(2000)}) == 2000


def test_the_newest_key_is_the_first() -> None:
    newest, older = "n" * 32, "o" * 43
    for written in (f"{newest},{older}", f" {newest}\t, {older}\n"):
        keys = VaultKeys.from_text(written)
        assert [key.id for key in keys.ring] == [RingKey(raw.encode()).id for raw in (newest, older)]
        assert keys.newest is keys.ring[0]


def test_random_keys_are_unlike() -> None:
    assert VaultKeys.random().newest.id != VaultKeys.random().newest.id


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (VaultKeys, "no key"),
        (lambda: VaultKeys.from_text(" , "), "no key"),
        (lambda: VaultKeys(b"short"), "5 bytes; give at least 32"),
        (lambda: VaultKeys(MASTER, MASTER[:31]), "31 bytes"),
        (lambda: VaultKeys(MASTER, MASTER), "twice"),
    ],
    ids=["none", "empty", "short", "second short", "twice"],
)
def test_a_key_that_is_none_is_refused_with_what_to_do(make: Callable[[], VaultKeys], told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        make()
    assert "short" not in str(caught.value)
    assert "token_urlsafe" in str(caught.value) or "once" in str(caught.value)


def test_keys_are_neither_shown_nor_pickled_nor_copied() -> None:
    for secret in (VaultKeys(MASTER), RingKey(MASTER)):
        assert MASTER.decode() not in repr(secret) + str(secret) + repr([secret])
        for take in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="never pickled"):
                take(secret)


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ConfigError, match=r"privguard\[crypto\]"):
        VaultKeys(MASTER)


@given(st.lists(st.binary(max_size=9), max_size=4), st.lists(st.binary(max_size=9), max_size=4))
def test_no_two_rows_of_parts_are_the_same_bytes(one: list[bytes], other: list[bytes]) -> None:
    assert (packed(*one) == packed(*other)) == (one == other)
