"""What waits to be written to the log, and how long it may."""

import threading
from contextlib import suppress
from dataclasses import dataclass, field

from privguard.audit.codec import encode
from privguard.audit.entries import Begun, encode_entry
from privguard.core.audit import AuditRecord, Intent
from privguard.core.errors import AuditError


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How much is kept back, and for how long."""

    limit: int = 4096  # what waits to be written
    batch: int = 256  # what is written together
    patience_s: float = 10.0  # how long a request waits for the log, where the audit is required
    tally_s: float = 5.0  # how often the log hears of requests that are still open, where it is not
    retry_s: tuple[float, float] = (0.1, 5.0)  # between two attempts on a log that fails: at first, and at most
    rest_s: float = 60.0  # without a new row, until the last one is signed


@dataclass(slots=True, kw_only=True, eq=False)
class Item:
    """What waits to be written, and who waits for it."""

    content: AuditRecord | Intent = field(repr=False)
    body: bytes | None = field(default=None, repr=False)  # None until it is encoded
    done: threading.Event | None = None
    error: AuditError | None = None

    def encode(self) -> bool:
        """Encode the content once; tell whether it can be."""
        if self.body is None:
            content = self.content
            # Whatever somebody put into a record: it is counted, and never stops the others.
            with suppress(Exception):
                if isinstance(content, AuditRecord):
                    self.body = encode(content)
                else:
                    self.body = encode_entry(Begun(intent=content))
        return self.body is not None

    def settle(self, error: AuditError | None = None) -> None:
        """Tell who waits."""
        self.error = error
        if self.done is not None:
            self.done.set()
