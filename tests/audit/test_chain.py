"""Rows, heads and what their hashes cover."""

import copy
import hashlib
import hmac
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.chain import (
    ORIGIN,
    Hasher,
    Head,
    Row,
    format_head,
    format_row,
    is_keyed_genesis,
    parse_head,
    parse_row,
    parse_torn,
)
from privguard.core.errors import ConfigError

KEY = b"an invented audit key"
HASHERS = st.sampled_from([Hasher(), Hasher(KEY)])
SEQS = st.integers(0, 10**15)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
BODIES = st.binary(max_size=40).map(lambda noise: b'{"x":"%s"}' % noise.hex().encode())
ROWS = st.builds(Row, seq=SEQS, previous=HASHES, body=BODIES, hash=HASHES)


@given(ROWS)
def test_a_row_comes_back_from_its_line(row: Row) -> None:
    assert parse_row(format_row(row)) == row


@given(st.builds(Head, seq=SEQS, hash=HASHES, seal=HASHES))
def test_a_head_comes_back_from_its_line(head: Head) -> None:
    assert parse_head(format_head(head)) == head


@given(st.binary(max_size=300))
def test_bytes_that_are_no_row_and_no_head_are_none(noise: bytes) -> None:
    assert parse_row(noise) is None
    assert parse_head(noise) is None


@given(ROWS, st.data())
def test_every_proper_beginning_of_a_row_is_torn_and_no_other_line_is(row: Row, data: st.DataObject) -> None:
    line = format_row(row)
    size = data.draw(st.integers(1, len(line) - 1))
    assert parse_torn(line[:size]) is not None
    assert parse_torn(line) is None
    place = data.draw(st.integers(0, size))
    assert parse_torn(line[:place] + b"# " + line[place:size]) is None or place > line.index(b'"record"')


@pytest.mark.parametrize(
    "line",
    [b"", b"anything at all", b'{"seq":-1', b'{"seq":1,"previous":"xy', b'{"seq":1 ,', b"\x00\x00"],
    ids=["empty", "prose", "negative", "no hash", "spaced", "zeros"],
)
def test_a_line_that_begins_no_row_is_not_torn(line: bytes) -> None:
    assert parse_torn(line) is None


@pytest.mark.parametrize(
    "body", [b'{"x":1} and more', b'{"x":1}}{', b"[1", b'{"x":"\xe9', b'{"x": what else fits here'], ids=range(5)
)
def test_a_record_with_something_else_in_it_is_not_torn(body: bytes) -> None:
    row = Row(seq=1, previous=ORIGIN, body=b"{}", hash=ORIGIN)
    assert parse_torn(format_row(row).removesuffix(b"{}}") + body) is None


@given(HASHERS, ROWS, ROWS)
def test_the_hash_covers_every_field(hasher: Hasher, row: Row, other: Row) -> None:
    sound = replace(row, hash=hasher.row_hash(row.seq, row.previous, row.body))
    assert hasher.vouches_for(sound)
    for field in ("seq", "previous", "body", "hash"):
        changed = replace(sound, **{field: getattr(other, field)})
        assert hasher.vouches_for(changed) == (changed == sound)


@given(HASHERS, ROWS, ROWS)
def test_the_seal_covers_number_and_hash(hasher: Hasher, row: Row, other: Row) -> None:
    head = hasher.head(row)
    assert hasher.vouches_for_head(head)
    assert hasher.vouches_for_head(replace(head, seq=other.seq)) == (other.seq == row.seq)
    assert hasher.vouches_for_head(replace(head, hash=other.hash)) == (other.hash == row.hash)


def test_the_hash_is_the_documented_one() -> None:
    fields = (b"privguard/audit/row/1", (7).to_bytes(8, "big"), b"a" * 64, b"{}")
    message = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    assert Hasher().row_hash(7, "a" * 64, b"{}") == hashlib.sha256(message).hexdigest()
    assert Hasher(KEY).row_hash(7, "a" * 64, b"{}") == hmac.new(KEY, message, "sha256").hexdigest()


@given(HASHERS, st.binary(min_size=16, max_size=16).map(bytes.hex), BODIES)
def test_a_chain_starts_at_its_genesis_and_follows_its_head(hasher: Hasher, chain_id: str, body: bytes) -> None:
    genesis = hasher.genesis(chain_id)
    assert (genesis.seq, genesis.previous) == (0, ORIGIN)
    assert chain_id.encode() in genesis.body
    assert is_keyed_genesis(genesis) == hasher.keyed
    row = hasher.follow(hasher.head(genesis), body)
    assert (row.seq, row.previous, row.body) == (1, genesis.hash, body)
    assert hasher.vouches_for(genesis)
    assert hasher.vouches_for(row)


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
