"""Checkpoints: signed statements that a chain had a certain hash at a certain row, and so everything up to it.

Whoever can write a chain without a key can compute it anew. They cannot sign it anew: a checkpoint holds against them,
the more so where a copy of the newest is kept elsewhere.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from privguard.audit.chain import Head, join_fields

_DOMAIN = b"privguard/audit/checkpoint/1"
_LINE = re.compile(
    rb'\{"chain":"([0-9a-f]{32})","seq":(0|[1-9][0-9]{0,17}),"hash":"([0-9a-f]{64})",'
    rb'"at":"([0-9T:.Z+-]{19,40})","key":"([0-9a-f]{16})","signature":"([0-9a-f]{128})"\}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a chain stood, signed."""

    chain: str  # the id of the chain, 32 hexadecimal digits
    seq: int
    hash: str  # of that row
    at: str  # UTC, ISO 8601
    key_id: str  # 16 hexadecimal digits that name the public key
    signature: str = field(default="", repr=False)  # Ed25519 over `message`, 128 hexadecimal digits

    @property
    def message(self) -> bytes:
        """Return the bytes that are signed."""
        fields = (self.chain, str(self.seq), self.hash, self.at, self.key_id)
        return join_fields((_DOMAIN, *(text.encode("ascii", "replace") for text in fields)))


class Signer(Protocol):
    """Sign messages with a private key."""

    @property
    def key_id(self) -> str:
        """Return the name of its public key."""
        ...

    def sign(self, message: bytes) -> str:
        """Return the signature, 128 hexadecimal digits."""
        ...


class PublicKey(Protocol):
    """Check what the private key signed."""

    @property
    def key_id(self) -> str:
        """Return its name."""
        ...

    def accepts(self, message: bytes, signature: str) -> bool:
        """Tell whether the signature is one of this message."""
        ...


class Notary:
    """Sign the end of a chain every so many rows.

    Args:
        signer: holds the private key.
        every: rows between two checkpoints, at least 1.
        now: tells the time.
    """

    def __init__(
        self, signer: Signer, *, every: int = 1000, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._signer, self._every, self._now = signer, every, now

    def is_due(self, head: Head, last: int) -> bool:
        """Tell whether the rows behind the checkpoint of row `last` ask for a new one."""
        return head.seq - last >= self._every

    def sign(self, head: Head, chain: str) -> Checkpoint:
        """Return a checkpoint of where the chain ends."""
        checkpoint = Checkpoint(
            chain=chain, seq=head.seq, hash=head.hash, at=self._now().isoformat(), key_id=self._signer.key_id
        )
        return replace(checkpoint, signature=self._signer.sign(checkpoint.message))


def format_checkpoint(checkpoint: Checkpoint) -> bytes:
    """Write a checkpoint as one line of JSON, without the line break."""
    return (
        f'{{"chain":"{checkpoint.chain}","seq":{checkpoint.seq},"hash":"{checkpoint.hash}",'
        f'"at":"{checkpoint.at}","key":"{checkpoint.key_id}","signature":"{checkpoint.signature}"}}'
    ).encode("ascii")


def parse_checkpoint(line: bytes) -> Checkpoint | None:
    """Read a checkpoint; None where the line is none."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    chain, seq, digest, at, key_id, signature = (group.decode("ascii") for group in found.groups())
    return Checkpoint(chain=chain, seq=int(seq), hash=digest, at=at, key_id=key_id, signature=signature)
