"""Sinks that write nothing to disk."""

from collections import deque
from threading import Lock

from privguard.audit.codec import clean
from privguard.core.audit import AuditRecord


class MemorySink:
    """Keep the last `limit` records, cleaned as any other sink would."""

    def __init__(self, limit: int = 10_000) -> None:
        self._records: deque[AuditRecord] = deque(maxlen=limit)
        self._lock = Lock()

    @property
    def records(self) -> tuple[AuditRecord, ...]:
        """Return what is kept, oldest first."""
        with self._lock:
            return tuple(self._records)

    @property
    def last(self) -> AuditRecord | None:
        """Return the newest record, None before the first."""
        with self._lock:
            return self._records[-1] if self._records else None

    def write(self, record: AuditRecord) -> None:
        """Append one record; the oldest goes when the limit is reached."""
        kept = clean(record)
        with self._lock:
            self._records.append(kept)

    def close(self) -> None:
        """Do nothing: the records can still be read."""


class NullSink:
    """Keep nothing: the audit is off."""

    def write(self, record: AuditRecord) -> None:
        """Drop the record."""

    def close(self) -> None:
        """Do nothing."""
