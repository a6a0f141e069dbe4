"""Keep records in this process. They are gone with it."""

from collections.abc import Iterator
from threading import Lock

from privguard.core.errors import VaultError
from privguard.vault.stores import Stored


class MemoryStore:
    """Keep records in a dictionary.

    Args:
        limit: how many at most. A full store takes no more until some have expired or are deleted: what is kept is
            needed, so none is thrown out.
    """

    def __init__(self, limit: int = 100_000) -> None:
        self._records: dict[bytes, Stored] = {}
        self._limit = limit
        self._lock = Lock()

    def load(self, slot: bytes) -> Stored | None:
        """Return the record in a slot, which may have expired."""
        with self._lock:
            return self._records.get(slot)

    def write(self, record: Stored, *, expects: Stored | None, now_ms: int) -> bool:
        """Put a record in the place of another one, and tell whether that was possible."""
        with self._lock:
            self._drop_expired(record.slot, now_ms)
            if expects is not None and self._records.get(expects.slot) != expects:
                return False
            if self._records.get(record.slot) not in (None, expects):
                return False
            if expects is None and len(self._records) >= self._limit and not self._purge(now_ms):
                raise VaultError(f"the vault in memory is full: it keeps {self._limit:,} tables")
            if expects is not None:
                del self._records[expects.slot]
            self._records[record.slot] = record
            return True

    def delete(self, slot: bytes) -> bool:
        """Remove the record in a slot, and tell whether there was one."""
        with self._lock:
            return self._records.pop(slot, None) is not None

    def purge(self, now_ms: int) -> int:
        """Remove what has expired, and return how many records that were."""
        with self._lock:
            return self._purge(now_ms)

    def stale(self, key_id: bytes) -> Iterator[Stored]:
        """Yield the records that are sealed under another key."""
        with self._lock:
            found = [record for record in self._records.values() if record.key_id != key_id]
        yield from found

    def close(self) -> None:
        """Do nothing: the records can still be read."""

    def _purge(self, now_ms: int) -> int:
        expired = [slot for slot, record in self._records.items() if record.expires_ms <= now_ms]
        for slot in expired:
            del self._records[slot]
        return len(expired)

    def _drop_expired(self, slot: bytes, now_ms: int) -> None:
        present = self._records.get(slot)
        if present is not None and present.expires_ms <= now_ms:
            del self._records[slot]
