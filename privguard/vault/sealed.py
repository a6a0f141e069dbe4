"""The vault: tables go in under a key, and come out for their owner and until they expire."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from privguard.core.errors import ConfigError, VaultError
from privguard.core.holding import Owner
from privguard.core.merging import merge_tables
from privguard.core.restoring import RestoreTable
from privguard.vault.codec import decode, encode
from privguard.vault.keys import RingKey, VaultKeys
from privguard.vault.sealing import Address, open_address, open_body, seal
from privguard.vault.stores import Store, Stored

DEFAULT_TTL_S = 7 * 24 * 3600.0
LONGEST_TTL_S = 10 * 365 * 24 * 3600.0

_TRIES = 100  # writers of one reference at the same moment


class _Kept(NamedTuple):
    """A record that was found, and what it holds."""

    stored: Stored
    table: RestoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """What `rotate` has done."""

    moved: int  # records that lie under the newest key now
    unreadable: int  # records under a key that is not in the ring, or altered: left as they are


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultStatus:
    """How many tables lie in a vault, and when they expire: all that can be told without reading one."""

    tables: int
    expired: int
    newest: int  # under the newest key, the expired ones included, as in the next two
    older: int  # under another key of the ring
    foreign: int  # under a key that is not in the ring
    first_expiry: float | None  # seconds since 1970, of those that have not expired; None where there are none
    last_expiry: float | None


class SealedVault:
    """Keep tables in a store, encrypted. Thread-safe; fulfils `privguard.core.protocols.Vault`.

    Args:
        store: where the records lie.
        keys: what they are encrypted with.
        ttl_s: how long a table is kept unless it is said with it, in seconds; default: seven days.
        now: the time in seconds since 1970.

    Raises:
        ConfigError: the time is not positive, or longer than ten years.
    """

    def __init__(
        self,
        store: Store,
        keys: VaultKeys,
        *,
        ttl_s: float = DEFAULT_TTL_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._keys, self._now = store, keys, now
        self._ttl_s = _checked_ttl(ttl_s)

    def put(
        self, owner: Owner, reference: str, table: RestoreTable, *, ttl_s: float | None = None, join: bool = False
    ) -> bool:
        """Keep a table; keeping the same one again makes its time the longer of both, and changes nothing else.

        Args:
            owner: whose it is.
            reference: where it is found again; not empty.
            table: what R needs.
            ttl_s: how long it is kept, in seconds; default: as the vault is set.
            join: whether it is added to what is kept there already, as by `merge_tables`, for the longer of both times.

        Returns:
            whether nothing was there: who put it there first may take it away, nobody else.

        Raises:
            VaultError: it could not be kept, or the reference has another table and `join` is not set.
            ConfigError: the time is not positive, or longer than ten years.
        """
        _check_reference(reference)
        wanted_ms = self._now_ms() + round(1000 * (self._ttl_s if ttl_s is None else _checked_ttl(ttl_s)))
        for _ in range(_TRIES):
            kept = self._find(owner, reference)
            merged, expires_ms = table, wanted_ms
            if kept is not None and join:
                merged, expires_ms = merge_tables(kept.table, table), max(wanted_ms, kept.stored.expires_ms)
            elif kept is not None and kept.table == table:
                if wanted_ms <= kept.stored.expires_ms:
                    return False
            elif kept is not None:
                raise VaultError("the reference has another table in the vault already: nothing was changed")
            record = seal(self._keys.newest, Address(owner=owner, reference=reference), encode(merged), expires_ms)
            if self._store.write(record, expects=kept.stored if kept else None, now_ms=self._now_ms()):
                return kept is None
        raise VaultError("the reference is written by too many at the same time: nothing was changed")

    def get(self, owner: Owner, reference: str) -> RestoreTable | None:
        """Return the table; None where there is none, where it has expired or where it is another owner's.

        Raises:
            VaultError: the store cannot be read, or the record was altered.
        """
        _check_reference(reference)
        kept = self._find(owner, reference)
        return kept.table if kept else None

    def delete(self, owner: Owner, reference: str) -> bool:
        """Forget a table, and tell whether there was one.

        Raises:
            VaultError: the store cannot be written.
        """
        _check_reference(reference)
        found = [self._store.delete(key.slot(owner, reference)) for key in self._keys.ring]
        return any(found)

    def purge(self) -> int:
        """Remove what has expired, and return how many tables that were; 0 where the store does it by itself."""
        return self._store.purge(self._now_ms())

    def status(self) -> VaultStatus:
        """Count what lies in the store. Where others write meanwhile, the counts are near.

        Raises:
            VaultError: the store cannot be read.
        """
        now_ms, newest = self._now_ms(), self._keys.newest.id
        older = {key.id for key in self._keys.ring} - {newest}
        # Every record lies under another key than none; Redis may name one twice.
        found = {stored.slot: (stored.key_id, stored.expires_ms) for stored in self._store.stale(b"")}
        keys = Counter(key_id for key_id, _ in found.values())
        times = [expires_ms for _, expires_ms in found.values() if expires_ms > now_ms]
        return VaultStatus(
            tables=len(found),
            expired=len(found) - len(times),
            newest=keys[newest],
            older=sum(keys[key_id] for key_id in older),
            foreign=sum(count for key_id, count in keys.items() if key_id != newest and key_id not in older),
            first_expiry=min(times) / 1000 if times else None,
            last_expiry=max(times) / 1000 if times else None,
        )

    def rotate(self, limit: int | None = None, *, seen: Callable[[], object] = lambda: None) -> Rotation:
        """Encrypt what lies under older keys with the newest.

        Each record is moved at once and by itself, so this may be stopped at any time and run again, also while the
        vault is in use. When nothing is unreadable and nothing was moved, the older keys may go.

        Args:
            limit: how many records are moved at most.
            seen: is called behind each record that lay under another key, moved or not.
        """
        moved = unreadable = 0
        by_id = {key.id: key for key in self._keys.ring}
        for stored in self._store.stale(self._keys.newest.id):
            if moved == limit:
                break
            fresh = self._moved(by_id.get(stored.key_id), stored)
            if fresh is None:
                unreadable += 1
            elif self._store.write(fresh, expects=stored, now_ms=self._now_ms()):
                moved += 1
            elif self._store.load(fresh.slot) is not None:
                # What lies under the newest key is found first: the older one is out of reach.
                self._store.delete(stored.slot)
            seen()
        return Rotation(moved=moved, unreadable=unreadable)

    def close(self) -> None:
        """Close the store; a second time does nothing."""
        self._store.close()

    def _find(self, owner: Owner, reference: str) -> _Kept | None:
        for key in self._keys.ring:
            stored = self._store.load(key.slot(owner, reference))
            if stored is not None:
                # Opened first: a time of expiry that somebody changed does not open.
                table = decode(open_body(key, stored, owner))
                if stored.expires_ms > self._now_ms():
                    return _Kept(stored, table)
        return None

    def _moved(self, key: RingKey | None, stored: Stored) -> Stored | None:
        """Return a record under the newest key, None where it cannot be read."""
        if key is None:
            return None
        try:
            address = open_address(key, stored)
            body = open_body(key, stored, address.owner)
        except VaultError:
            return None
        return seal(self._keys.newest, address, body, stored.expires_ms)

    def _now_ms(self) -> int:
        return int(1000 * self._now())


def _check_reference(reference: object) -> None:
    if not isinstance(reference, str) or not reference:
        raise VaultError("a reference is the id of a request, a response, a batch or a conversation, and not empty")


def _checked_ttl(ttl_s: object) -> float:
    if isinstance(ttl_s, bool) or not isinstance(ttl_s, int | float) or not 0 < ttl_s <= LONGEST_TTL_S:
        raise ConfigError("ttl_s is how long values are kept: more than 0 seconds, and at most ten years")
    return ttl_s
