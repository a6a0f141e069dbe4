"""The hash chain, pure: rows, the head, and what each of their hashes covers.

Row 0 is the genesis: its body carries a random chain id, so that no row of one chain fits into another. Each row names
the hash of the row before it. The head says where the chain ends; it is sealed, so that a chain that was cut short does
not pass. With a key every hash is an HMAC: without it, whoever can write the file can also write a whole new chain.
"""

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from typing import NoReturn

from privguard.core.errors import ConfigError

ORIGIN = "0" * 64  # what the genesis names as its predecessor
MIN_KEY = 16  # bytes

_ROW_DOMAIN = b"privguard/audit/row/1"
_HEAD_DOMAIN = b"privguard/audit/head/1"
_LINE = re.compile(
    rb'\{"seq":(0|[1-9][0-9]{0,17}),"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})","record":(\{.*\})\}', re.DOTALL
)
_HEX = re.compile(rb"[0-9a-f]{0,64}")
_FIELDS = (  # what stands before each field of a row, and the field as far as it was written
    (b'{"seq":', re.compile(rb"(?:0|[1-9][0-9]{0,17})?")),
    (b',"previous":"', _HEX),
    (b'","hash":"', _HEX),
)
_RECORD = b'","record":'
_LONGEST_SCRAP = 6  # bytes of an unfinished literal or escape sequence
_HEAD = re.compile(rb'\{"seq":(0|[1-9][0-9]{0,17}),"hash":"([0-9a-f]{64})","seal":"([0-9a-f]{64})"\}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row as it is stored. `previous` and `hash` are 64 hexadecimal digits in a sound row."""

    seq: int
    previous: str
    body: bytes  # canonical JSON, free of line breaks
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Torn:
    """The beginning of a row, as a killed writer leaves it: not empty, and cut off somewhere."""

    lead: bytes  # up to where its record begins

    def may_follow(self, seq: int, previous: str | None) -> bool:
        """Tell whether it may have become the row `seq` behind the hash `previous`, None where that is not known."""
        wanted = b'{"seq":%d,"previous":"' % seq
        if previous is not None:
            wanted += previous.encode("ascii", "replace") + b'"'
        return wanted.startswith(self.lead[: len(wanted)])


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

    def row_hash(self, seq: int, previous: str, body: bytes) -> str:
        """Return the hash of a row."""
        return self._digest(_ROW_DOMAIN, seq.to_bytes(8, "big"), previous.encode("ascii", "replace"), body)

    def vouches_for(self, row: Row) -> bool:
        """Tell whether the row holds together: its hash is the one of its fields."""
        return self.row_hash(row.seq, row.previous, row.body) == row.hash

    def head(self, row: Row) -> Head:
        """Return the sealed head of a chain that ends with `row`."""
        return Head(seq=row.seq, hash=row.hash, seal=self._seal(row.seq, row.hash))

    def vouches_for_head(self, head: Head) -> bool:
        """Tell whether the head was sealed with this key."""
        return self._seal(head.seq, head.hash) == head.seal

    def genesis(self, chain_id: str) -> Row:
        """Return row 0 of a new chain; `chain_id` is random."""
        body = json.dumps({"chain": chain_id, "keyed": self.keyed}, separators=(",", ":")).encode("ascii")
        return Row(seq=0, previous=ORIGIN, body=body, hash=self.row_hash(0, ORIGIN, body))

    def follow(self, head: Head, body: bytes) -> Row:
        """Return the row with `body` that comes after `head`."""
        seq = head.seq + 1
        return Row(seq=seq, previous=head.hash, body=body, hash=self.row_hash(seq, head.hash, body))

    def _seal(self, seq: int, row_hash: str) -> str:
        return self._digest(_HEAD_DOMAIN, seq.to_bytes(8, "big"), row_hash.encode("ascii", "replace"))

    def _digest(self, *fields: bytes) -> str:
        """Hash the fields, each after its length: no two different tuples give the same message."""
        message = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
        if self._key is None:
            return hashlib.sha256(message).hexdigest()
        return hmac.digest(self._key, message, "sha256").hex()

    def __reduce__(self) -> NoReturn:
        raise TypeError("the audit key is not pickled")


def is_keyed_genesis(row: Row) -> bool:
    """Tell whether the row is the genesis of a chain that was written with a key."""
    return row.seq == 0 and row.body.endswith(b'"keyed":true}')


def format_row(row: Row) -> bytes:
    """Write a row as one line of JSON, without the line break."""
    return b'{"seq":%d,"previous":"%s","hash":"%s","record":%s}' % (
        row.seq,
        row.previous.encode("ascii"),
        row.hash.encode("ascii"),
        row.body,
    )


def parse_row(line: bytes) -> Row | None:
    """Read one line without decoding its body; None where it is not a row."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    seq, previous, digest, body = found.groups()
    return Row(seq=int(seq), previous=previous.decode("ascii"), body=body, hash=digest.decode("ascii"))


def parse_torn(line: bytes) -> Torn | None:
    """Read what a killed writer left of a row; None where the line is empty, whole, or no beginning of a row."""
    rest = line
    for literal, field in _FIELDS:
        if len(rest) <= len(literal):
            return Torn(lead=line) if rest and literal.startswith(rest) else None
        found = field.match(rest, len(literal))
        if not rest.startswith(literal) or found is None:
            return None
        rest = rest[found.end() :]
        if not rest:
            return Torn(lead=line)
        if not found.group() or (field is _HEX and len(found.group()) < len(ORIGIN)):
            return None
    if len(rest) <= len(_RECORD):
        return Torn(lead=line) if _RECORD.startswith(rest) else None
    body = rest.removeprefix(_RECORD)
    return Torn(lead=line[: -len(body)]) if body != rest and _is_cut_off(body) else None


def _is_cut_off(body: bytes) -> bool:
    """Tell whether a record stops before its end, and holds nothing else until there."""
    if not body.isascii() or not body.startswith(b"{"):
        return False
    try:
        _, end = json.JSONDecoder().raw_decode(body.decode("ascii"))
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or len(body) - error.pos < _LONGEST_SCRAP
    except (ValueError, RecursionError):
        return False
    return end == len(body)  # only the last brace of the row is missing


def format_head(head: Head) -> bytes:
    """Write a head as one line of JSON, without the line break."""
    return b'{"seq":%d,"hash":"%s","seal":"%s"}' % (head.seq, head.hash.encode("ascii"), head.seal.encode("ascii"))


def parse_head(line: bytes) -> Head | None:
    """Read a head; None where it is not one."""
    found = _HEAD.fullmatch(line)
    if found is None:
        return None
    seq, digest, seal = found.groups()
    return Head(seq=int(seq), hash=digest.decode("ascii"), seal=seal.decode("ascii"))
