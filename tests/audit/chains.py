"""Chains as writers leave them, made in memory: records, requests that begin, erasures, checkpoints."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from privguard.audit.chain import Hasher, Head, Row, chain_id_of
from privguard.audit.checkpoints import Checkpoint, Notary
from privguard.audit.codec import decode
from privguard.audit.entries import Begun, Erased, EraseReason, encode_entry, request_of
from privguard.audit.read import read_rows
from privguard.core.audit import Intent

KEY = b"an invented audit key"
AT = "2031-04-05T06:07:08.250000+00:00"
CHAIN_ID = "c0" * 16


class FakeSigner:
    """Sign with a secret that both sides know, quickly."""

    def __init__(self, name: str = "a") -> None:
        self.key_id = name * 16
        self._hasher = Hasher(f"an invented signing key {name}".encode())

    def sign(self, message: bytes) -> str:
        """Return the signature."""
        return self._hasher.row_hash(Row(seq=0, previous="", body=message, hash="")) * 2

    def accepts(self, message: bytes, signature: str) -> bool:
        """Tell whether it is the signature of the message."""
        return self.sign(message) == signature


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A whole log."""

    rows: list[Row]
    head: Head
    checkpoints: list[Checkpoint]


class Maker:
    """Append to a chain."""

    def __init__(self, key: bytes | None = None, *, signer: FakeSigner | None = None, chain_id: str = CHAIN_ID) -> None:
        self.hasher = Hasher(key)
        self.rows = [self.hasher.genesis(chain_id)]
        self.checkpoints: list[Checkpoint] = []
        self._notary = Notary(signer or FakeSigner(), now=lambda: datetime(2031, 4, 5, tzinfo=UTC))

    @property
    def head(self) -> Head:
        """Return where the chain ends."""
        return self.hasher.head(self.rows[-1])

    def add(self, body: bytes, *, first_version: bool = False) -> int:
        """Add a row, and return its number."""
        row = self.hasher.follow(self.rows[-1], body, "" if first_version else f"{len(self.rows):032x}")
        self.rows.append(row)
        return row.seq

    def record(self, name: str = "", *, first_version: bool = False) -> int:
        """Add a record."""
        name = name or f"r{len(self.rows)}"
        return self.add(b'{"at":"%s","request_id":"%s"}' % (AT.encode(), name.encode()), first_version=first_version)

    def begin(self, name: str) -> int:
        """Add a request that begins."""
        return self.add(encode_entry(Begun(intent=Intent(request_id=name, at=AT, route="by-hand", target="m"))))

    def erase(self, *seqs: int, named: bool = True) -> None:
        """Erase rows, and add the entry that names them."""
        for seq in seqs:
            self.rows[seq] = self.hasher.erase(self.rows[seq])
        if named:
            ranges = tuple((seq, seq) for seq in sorted(seqs))
            self.add(encode_entry(Erased(at=AT, reason=EraseReason.AGE, before=AT[:19], rows=ranges)))

    def sign(self) -> None:
        """Sign the end."""
        self.checkpoints.append(self._notary.sign(self.head, chain_id_of(self.rows[0])))

    def chain(self) -> Chain:
        """Return what was made."""
        return Chain(rows=list(self.rows), head=self.head, checkpoints=list(self.checkpoints))


def mixed(length: int, seed: int, key: bytes | None = None) -> Chain:
    """Return a chain with a bit of everything: at least `length` rows, the last of them signed."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    maker = Maker(key)
    while len(maker.rows) < length:
        step = draw.randrange(6)
        if step == 0:
            name = f"q{len(maker.rows)}"
            maker.begin(name)
            maker.record(name)
        elif step == 1:
            names = sorted({request_of(row.body) for row in maker.rows if row.can_be_erased} - {b""})
            gone = draw.sample(names, min(len(names), draw.randrange(1, 4)))
            if gone:
                maker.erase(*(row.seq for row in maker.rows if row.can_be_erased and request_of(row.body) in gone))
        elif step == 2:
            maker.sign()
        else:
            maker.record(first_version=step == 3)
    maker.sign()
    return maker.chain()


def rebuilt(rows: Sequence[Row], seq: int, body: bytes) -> tuple[list[Row], Head]:
    """Change a row as somebody can who knows no key: all hashes from there on are computed anew."""
    hasher = Hasher()
    made = list(rows[:seq])
    for row in rows[seq:]:
        previous = made[-1].hash if made else row.previous
        changed = replace(row, previous=previous)
        if row.seq == seq:
            changed = replace(changed, body=body, salt="5a" * 16, erased=None)
        made.append(replace(changed, hash=hasher.row_hash(changed)))
    return made, hasher.head(made[-1])


def request_ids(path: Path | str) -> list[str]:
    """Return the request ids in the order of the chain."""
    return [decode(row.body).request_id for row in read_rows(path) if row is not None and row.seq > 0]
