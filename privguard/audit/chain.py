"""The hash chain, pure: rows, the head, and what each of their hashes covers.

Row 0 is the genesis: its body carries a random chain id, so that no row of one chain fits into another. Each row names
the hash of the row before it. The head says where the chain ends; it is sealed, so that a chain that was cut short does
not pass. With a key every hash is an HMAC: without it, whoever can write the file can also write a whole new chain.

The hash of a row covers a hash of its body, so that the body may be erased and the chain still holds. That hash is
salted, and the salt goes with the body: what is left of an erased row tells nothing, not even to somebody who guesses
what stood there. In rows of the first version, and in the genesis, the hash covers the body itself: they stay.
"""

import hmac
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from struct import Struct
from typing import NoReturn

from privguard.core.errors import ConfigError

ORIGIN = "0" * 64  # what the genesis names as its predecessor
MIN_KEY = 16  # bytes
SALT_SIZE = 16  # bytes

_FIRST_ROW_DOMAIN = b"privguard/audit/row/1"
_ROW_DOMAIN = b"privguard/audit/row/2"
_BODY_DOMAIN = b"privguard/audit/body/1"
_HEAD_DOMAIN = b"privguard/audit/head/1"
_LENGTH = Struct(">Q").pack  # of a field, before it
_CHAIN = re.compile(rb'\{"chain":"([0-9a-f]{1,64})"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row as it is stored. `previous` and `hash` are 64 hexadecimal digits in a sound row."""

    seq: int
    previous: str
    hash: str
    body: bytes = b""  # canonical JSON, free of line breaks; nothing in an erased row
    salt: str = ""  # 32 hexadecimal digits; "" in an erased row and in a row of the first version
    erased: str | None = None  # the hash of the body that was erased, 64 hexadecimal digits; None while it is there

    @property
    def can_be_erased(self) -> bool:
        """Tell whether the chain still holds without its body. It does not where the hash covers the body itself."""
        return self.salt != ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where the chain ends."""

    seq: int
    hash: str
    seal: str


class Hasher:
    """Compute the hashes of a chain: SHA-256, or HMAC-SHA-256 with a key."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes | None = None) -> None:
        if key is not None and len(key) < MIN_KEY:
            raise ConfigError(f"the audit key has {len(key)} bytes: give at least {MIN_KEY}")
        self._key = key

    @property
    def keyed(self) -> bool:
        """Tell whether a key takes part."""
        return self._key is not None

    def row_hash(self, row: Row) -> str:
        """Return the hash that a row must have, whatever it has."""
        if row.salt or row.erased is not None:
            domain = _ROW_DOMAIN
            content = (self._body_hash(row) if row.erased is None else row.erased).encode("ascii", "replace")
        else:
            domain, content = _FIRST_ROW_DOMAIN, row.body
        return self._digest(domain, row.seq.to_bytes(8, "big"), row.previous.encode("ascii", "replace"), content)

    def vouches_for(self, row: Row) -> bool:
        """Tell whether the row holds together: its hash is the one of its fields."""
        return self.row_hash(row) == row.hash

    def head(self, row: Row) -> Head:
        """Return the sealed head of a chain that ends with `row`."""
        return Head(seq=row.seq, hash=row.hash, seal=self._seal(row.seq, row.hash))

    def vouches_for_head(self, head: Head) -> bool:
        """Tell whether the head was sealed with this key."""
        return self._seal(head.seq, head.hash) == head.seal

    def genesis(self, chain_id: str) -> Row:
        """Return row 0 of a new chain; `chain_id` is random."""
        body = json.dumps({"chain": chain_id, "keyed": self.keyed}, separators=(",", ":")).encode("ascii")
        return self._hashed(Row(seq=0, previous=ORIGIN, body=body, hash=""))

    def follow(self, last: Row | Head, body: bytes, salt: str) -> Row:
        """Return the row with `body` that comes after `last`; `salt` is random, 32 hexadecimal digits."""
        return self._hashed(Row(seq=last.seq + 1, previous=last.hash, body=body, salt=salt, hash=""))

    def erase(self, row: Row) -> Row:
        """Return a row that can be erased without its body. Its place and its hash stay as they are."""
        return replace(row, body=b"", salt="", erased=self._body_hash(row))

    def _hashed(self, row: Row) -> Row:
        return replace(row, hash=self.row_hash(row))

    def _body_hash(self, row: Row) -> str:
        return self._digest(_BODY_DOMAIN, row.salt.encode("ascii", "replace"), row.body)

    def _seal(self, seq: int, row_hash: str) -> str:
        return self._digest(_HEAD_DOMAIN, seq.to_bytes(8, "big"), row_hash.encode("ascii", "replace"))

    def _digest(self, *fields: bytes) -> str:
        """Hash the fields, each after its length: no two different tuples give the same message."""
        message = join_fields(fields)
        if self._key is None:
            return sha256(message).hexdigest()
        return hmac.digest(self._key, message, "sha256").hex()

    def __reduce__(self) -> NoReturn:
        raise TypeError("the audit key is not pickled")


def join_fields(fields: Iterable[bytes]) -> bytes:
    """Write the fields, each behind its length in 8 bytes: no two different tuples give the same bytes."""
    return b"".join([part for field in fields for part in (_LENGTH(len(field)), field)])


def is_keyed_genesis(row: Row) -> bool:
    """Tell whether the row is the genesis of a chain that was written with a key."""
    return row.seq == 0 and row.body.endswith(b'"keyed":true}')


def chain_id_of(genesis: Row) -> str:
    """Return the id of the chain that a genesis begins, "" where it has none."""
    found = _CHAIN.match(genesis.body)
    return found[1].decode("ascii") if found else ""
