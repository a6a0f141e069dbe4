"""Records under encryption: the table, bound to whose it is and where it lies, and the address that rotation needs.

Both are encrypted with AES-256-GCM. Bound to the ciphertext without being in it are the version, the slot, the id of
the key, the time of expiry, and for a table its owner: a record that is moved, prolonged or given to another owner does
not open. The address (owner and reference) lies in front of the table and is bound to it. The slot does not tell it,
and another key needs it for a slot of its own.
"""

from dataclasses import dataclass, field, replace

from privguard.core.errors import VaultError
from privguard.core.holding import Owner
from privguard.vault.keys import RingKey, packed, text
from privguard.vault.stores import Stored

LARGEST = 64 * 1024 * 1024  # bytes of an encoded table

_VERSION = b"\x01"
_LENGTH = 8  # bytes, big-endian
_SMALLEST = 512  # bytes: what is shorter is not told from it
_STEP = 64 * 1024
_PARTS = 3  # of an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a table is found: whose it is, and its reference."""

    owner: Owner
    reference: str = field(repr=False)


def seal(key: RingKey, address: Address, body: bytes, expires_ms: int) -> Stored:
    """Encrypt an encoded table.

    Raises:
        VaultError: it is too large.
    """
    if len(body) > LARGEST:
        raise VaultError(f"the table has {len(body):,} bytes, and the vault keeps at most {LARGEST:,} in one record")
    owner = address.owner
    empty = Stored(slot=key.slot(owner, address.reference), key_id=key.id, expires_ms=expires_ms, sealed=b"")
    named = packed(text(owner.tenant), text(owner.scope), text(address.reference))
    sealed_address = key.encrypt(_pad(named), _bound_to_address(empty))
    sealed_body = key.encrypt(_pad(body), _bound_to_body(empty, owner, sealed_address))
    return replace(empty, sealed=_VERSION + packed(sealed_address) + sealed_body)


def open_body(key: RingKey, stored: Stored, owner: Owner) -> bytes:
    """Decrypt the encoded table of an owner.

    Raises:
        VaultError: the record is not what was written there for this owner.
    """
    sealed_address, sealed_body = _parts(stored)
    return _opened(key, stored, sealed_body, _bound_to_body(stored, owner, sealed_address))


def open_address(key: RingKey, stored: Stored) -> Address:
    """Decrypt where a record belongs.

    Raises:
        VaultError: the record is not what was written there.
    """
    sealed_address, _ = _parts(stored)
    named = _opened(key, stored, sealed_address, _bound_to_address(stored))
    tenant, scope, reference = [part.decode("utf-8", "surrogatepass") for part in _unpacked(named, _PARTS)]
    return Address(owner=Owner(tenant=tenant, scope=scope), reference=reference)


def bucket(length: int) -> int:
    """Return the padded length: a power of two from 512 bytes to 64 KiB, and then a multiple of 64 KiB."""
    if length > _STEP:
        return -(-length // _STEP) * _STEP
    return max(_SMALLEST, 1 << (length - 1).bit_length())


def _bound_to_address(stored: Stored) -> bytes:
    return packed(_VERSION, b"address", *_place(stored))


def _bound_to_body(stored: Stored, owner: Owner, sealed_address: bytes) -> bytes:
    return packed(_VERSION, b"table", *_place(stored), text(owner.tenant), text(owner.scope), sealed_address)


def _place(stored: Stored) -> tuple[bytes, bytes, bytes]:
    return stored.slot, stored.key_id, str(stored.expires_ms).encode("ascii")


def _opened(key: RingKey, stored: Stored, sealed: bytes, bound: bytes) -> bytes:
    plain = key.decrypt(sealed, bound) if stored.key_id == key.id else None
    if plain is None:
        raise VaultError("a record in the vault was altered, or moved from another place: it is not used")
    return _unpacked(plain, 1)[0]


def _parts(stored: Stored) -> tuple[bytes, bytes]:
    """Return the sealed address and the sealed table, cut where the record says."""
    version, rest = stored.sealed[:1], stored.sealed[1:]
    if version != _VERSION:
        raise VaultError("a record in the vault is of another version, or was altered: it is not used")
    (sealed_address,) = _unpacked(rest, 1)
    return sealed_address, rest[_LENGTH + len(sealed_address) :]


def _pad(plain: bytes) -> bytes:
    """Hide the length: put it in front, and fill up with zeros."""
    filled = packed(plain)
    return filled.ljust(bucket(len(filled)), b"\0")


def _unpacked(row: bytes, count: int) -> list[bytes]:
    """Return the first parts of a row that `packed` has joined."""
    found, at = [], 0
    for _ in range(count):
        start = at + _LENGTH
        at = start + int.from_bytes(row[at:start], "big")
        found.append(row[start:at])
    return found
