"""An audit sink that tells the meters what it is given, and knows whether it can be written to."""

import time
from collections.abc import Callable

from privguard.core.audit import AuditRecord
from privguard.core.protocols import AuditSink
from privguard_adapters.gateway.meters import Meters

DOUBT_S = 30.0  # for so long a failure counts, since whoever is told sends nothing that would show the end of it


class MeteredSink:
    """Count each record, and pass it on."""

    def __init__(self, inner: AuditSink, meters: Meters, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner, self._meters, self._clock = inner, meters, clock
        self._failed_at: float | None = None

    @property
    def is_healthy(self) -> bool:
        """Tell whether no record was lost lately."""
        failed_at = self._failed_at
        return failed_at is None or self._clock() - failed_at > DOUBT_S

    def write(self, record: AuditRecord) -> None:
        """Append one record.

        Raises:
            AuditError: it could not be written.
        """
        self._meters.note_record(record)
        try:
            self._inner.write(record)
        except Exception:
            self._failed_at = self._clock()
            self._meters.note_audit_failure()
            raise
        self._failed_at = None

    def close(self) -> None:
        """Flush and release the sink behind."""
        self._inner.close()
