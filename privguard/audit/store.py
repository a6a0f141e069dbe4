"""What keeps a chain: a file, a database. Synchronous, and safe between threads; the queue in front is not its work.

A new kind of store implements `Store`, and `privguard.audit.read.open_log` learns to read it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from privguard.audit.checkpoints import Checkpoint
from privguard.audit.erasing import Erasure
from privguard.core.protocols import AuditSink


class Store(AuditSink, Protocol):
    """Append bodies to one hash chain. By itself it is a sink whose caller waits for the file."""

    def append(self, bodies: Sequence[bytes]) -> None:
        """Add a row for each body, in order: all of them or none.

        Raises:
            AuditError: they could not be written.
        """
        ...

    def sign(self) -> Checkpoint | None:
        """Sign where the chain ends, if there are rows behind the last checkpoint; None without a signing key.

        Raises:
            AuditError: the checkpoint could not be written.
        """
        ...

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        """Erase bodies, name their rows in an entry, and return how many they are.

        Raises:
            AuditError: a row does not verify, which erasing would hide; or the store cannot be used.
        """
        ...

    def close(self) -> None:
        """Sign, and release whatever is held; a second time does nothing."""
        ...
