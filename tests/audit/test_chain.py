"""Rows, heads and what their hashes cover."""

import copy
import hashlib
import hmac
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import ORIGIN, Hasher, Row, chain_id_of, is_keyed_genesis
from privguard.core.errors import ConfigError

KEY = b"an invented audit key"
SALT = "5a" * 16
HASHERS = st.sampled_from([Hasher(), Hasher(KEY)])
SEQS = st.integers(0, 10**15)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
SALTS = st.binary(min_size=16, max_size=16).map(bytes.hex)
BODIES = st.binary(max_size=40).map(lambda noise: b'{"x":"%s"}' % noise.hex().encode())
FIRST_ROWS = st.builds(Row, seq=SEQS, previous=HASHES, body=BODIES, hash=HASHES)
ROWS = st.builds(Row, seq=SEQS, previous=HASHES, body=BODIES, hash=HASHES, salt=SALTS)
ERASED = st.builds(Row, seq=SEQS, previous=HASHES, hash=HASHES, erased=HASHES)


@given(HASHERS, st.sampled_from([FIRST_ROWS, ROWS, ERASED]), st.data())
def test_the_hash_covers_every_field(hasher: Hasher, kind: st.SearchStrategy[Row], data: st.DataObject) -> None:
    row, other = data.draw(kind), data.draw(kind)
    sound = replace(row, hash=hasher.row_hash(row))
    assert hasher.vouches_for(sound)
    for field in ("seq", "previous", "body", "hash", "salt", "erased"):
        changed = replace(sound, **{field: getattr(other, field)})
        assert hasher.vouches_for(changed) == (changed == sound)


@given(HASHERS, ROWS, ROWS)
def test_the_seal_covers_number_and_hash(hasher: Hasher, row: Row, other: Row) -> None:
    head = hasher.head(row)
    assert hasher.vouches_for_head(head)
    assert hasher.vouches_for_head(replace(head, seq=other.seq)) == (other.seq == row.seq)
    assert hasher.vouches_for_head(replace(head, hash=other.hash)) == (other.hash == row.hash)


def _message(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def test_the_hash_is_the_documented_one() -> None:
    row = Row(seq=7, previous="a" * 64, body=b"{}", salt=SALT, hash="")
    inner = hashlib.sha256(_message(b"privguard/audit/body/1", SALT.encode(), b"{}")).hexdigest()
    message = _message(b"privguard/audit/row/2", (7).to_bytes(8, "big"), b"a" * 64, inner.encode())
    assert Hasher().row_hash(row) == hashlib.sha256(message).hexdigest()
    inner = hmac.new(KEY, _message(b"privguard/audit/body/1", SALT.encode(), b"{}"), "sha256").hexdigest()
    message = _message(b"privguard/audit/row/2", (7).to_bytes(8, "big"), b"a" * 64, inner.encode())
    assert Hasher(KEY).row_hash(row) == hmac.new(KEY, message, "sha256").hexdigest()


def test_the_hash_of_a_row_of_the_first_version_covers_its_body_itself() -> None:
    row = Row(seq=7, previous="a" * 64, body=b"{}", hash="")
    message = _message(b"privguard/audit/row/1", (7).to_bytes(8, "big"), b"a" * 64, b"{}")
    assert Hasher().row_hash(row) == hashlib.sha256(message).hexdigest()
    assert Hasher(KEY).row_hash(row) == hmac.new(KEY, message, "sha256").hexdigest()


@given(HASHERS, SALTS, BODIES)
def test_a_chain_starts_at_its_genesis_and_follows_its_head(hasher: Hasher, chain_id: str, body: bytes) -> None:
    genesis = hasher.genesis(chain_id)
    assert (genesis.seq, genesis.previous) == (0, ORIGIN)
    assert chain_id_of(genesis) == chain_id
    assert is_keyed_genesis(genesis) == hasher.keyed
    row = hasher.follow(hasher.head(genesis), body, SALT)
    assert row == hasher.follow(genesis, body, SALT)
    assert (row.seq, row.previous, row.body) == (1, genesis.hash, body)
    assert hasher.vouches_for(genesis)
    assert hasher.vouches_for(row)


@given(HASHERS, ROWS)
def test_an_erased_row_keeps_its_place_and_its_hash_and_nothing_of_its_body(hasher: Hasher, row: Row) -> None:
    sound = replace(row, hash=hasher.row_hash(row))
    erased = hasher.erase(sound)
    assert hasher.vouches_for(erased)
    assert (erased.seq, erased.previous, erased.hash) == (sound.seq, sound.previous, sound.hash)
    assert (erased.body, erased.salt) == (b"", "")


@given(HASHERS, BODIES, SALTS, SALTS)
def test_what_is_left_of_a_body_depends_on_a_salt_that_is_gone(
    hasher: Hasher, body: bytes, salt: str, other: str
) -> None:
    head = hasher.head(hasher.genesis("00"))
    one, two = (hasher.erase(hasher.follow(head, body, each)) for each in (salt, other))
    assert (one.erased == two.erased) == (salt == other)


@given(FIRST_ROWS, ROWS, ERASED)
def test_only_a_row_whose_hash_does_not_cover_the_body_itself_can_be_erased(first: Row, row: Row, erased: Row) -> None:
    assert [each.can_be_erased for each in (first, row, erased, Hasher().genesis("00"))] == [False, True, False, False]


def test_another_key_vouches_for_nothing() -> None:
    row = Hasher(KEY).genesis("00")
    assert not Hasher(KEY + b"!").vouches_for(row)
    assert not Hasher().vouches_for(row)


def test_a_short_key_is_refused_without_being_shown() -> None:
    with pytest.raises(ConfigError) as caught:
        Hasher(b"hunter2")
    assert "hunter2" not in str(caught.value)


def test_the_key_is_neither_shown_nor_pickled() -> None:
    hasher = Hasher(KEY)
    assert "invented" not in repr(hasher)
    with pytest.raises(TypeError):
        pickle.dumps(hasher)
    with pytest.raises(TypeError):
        copy.copy(hasher)
