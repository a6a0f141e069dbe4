"""An audit sink that tells the meters what it is given, and knows whether it can be written to."""

import time
from collections.abc import Callable
from typing import TypeVar

from privguard.core.audit import AuditRecord, Intent
from privguard.core.protocols import AuditSink
from privguard_adapters.gateway.meters import Meters

Item = TypeVar("Item", AuditRecord, Intent)

DOUBT_S = 30.0  # for so long a failure counts, since whoever is told sends nothing that would show the end of it


class MeteredSink:
    """Count each record, and pass it on."""

    def __init__(self, inner: AuditSink, meters: Meters, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner, self._meters, self._clock = inner, meters, clock
        self._failed_at: dict[str, float] = {}  # by what was asked of the sink

    @property
    def is_healthy(self) -> bool:
        """Tell whether records are written: none failed lately, and none waits behind one that does."""
        now = self._clock()
        in_doubt = any(now - failed_at <= DOUBT_S for failed_at in tuple(self._failed_at.values()))
        return not in_doubt and not _is_failing(self._inner)

    def begin(self, intent: Intent) -> None:
        """Pass on that a request is about to leave.

        Raises:
            AuditError: the request cannot be recorded, and must be.
        """
        begin: Callable[[Intent], None] | None = getattr(self._inner, "begin", None)
        if begin is not None:
            self._pass_on("begin", begin, intent)

    def write(self, record: AuditRecord) -> None:
        """Append one record.

        Raises:
            AuditError: it could not be written.
        """
        self._meters.note_record(record)
        self._pass_on("write", self._inner.write, record)

    def close(self) -> None:
        """Flush and release the sink behind."""
        self._inner.close()

    def _pass_on(self, name: str, take: Callable[[Item], None], item: Item) -> None:
        try:
            take(item)
        except Exception:
            self._failed_at[name] = self._clock()
            self._meters.note_audit_failure()
            raise
        self._failed_at.pop(name, None)


def _is_failing(sink: object) -> bool:
    """Tell whether a sink that writes later says so of itself, or the one behind it."""
    while sink is not None:
        failing = getattr(sink, "is_failing", None)
        if failing is not None:
            return bool(failing)
        sink = getattr(sink, "sink", None)
    return False
