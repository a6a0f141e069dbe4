"""A chain that is kept in tables of a database: what is done with it, whatever the database.

All of it runs within a transaction that keeps other writers out. What a database has to do for it is `Tables`.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NoReturn, Protocol

from privguard.audit.chain import SALT_SIZE, Hasher, Head, Row, chain_id_of
from privguard.audit.checkpoints import Checkpoint, Notary
from privguard.audit.erasing import Erasure, check_rows
from privguard.audit.lines import parse_row
from privguard.audit.ranges import Ranges
from privguard.core.errors import AuditError


class Tables(Protocol):
    """The rows, the head and the checkpoints of a chain, within one transaction. What is no row reads as None."""

    def head(self) -> Head | None:
        """Return the head as it is stored; None where there is none."""
        ...

    def move_head(self, head: Head) -> None:
        """Store the head."""
        ...

    def insert(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        ...

    def row(self, seq: int) -> Row | None:
        """Return the row with this number."""
        ...

    def last_row(self) -> Row | None:
        """Return the row with the highest number."""
        ...

    def rows(self, numbers: range) -> Iterator[Row | None]:
        """Yield the rows with these numbers, in order."""
        ...

    def replace(self, rows: Sequence[Row]) -> None:
        """Write these rows over those with their numbers."""
        ...

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint of the highest row."""
        ...

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Add a checkpoint, in the place of one for the same row."""
        ...


class TableChain:
    """Go on with the chain of one database. It knows no connection: in a cycle, a dropped sink would close too late.

    Args:
        name: of the log, for errors.
        hasher: computes its hashes.
        notary: signs checkpoints.
    """

    def __init__(self, name: str, hasher: Hasher, notary: Notary | None) -> None:
        self.name = name
        self._hasher, self._notary = hasher, notary
        self._signed = 0  # the row of the newest checkpoint of ours, as far as it is known

    @property
    def signs(self) -> bool:
        """Tell whether checkpoints are signed."""
        return self._notary is not None

    def append(self, tables: Tables, bodies: Sequence[bytes]) -> Head:
        """Add the rows that hold the bodies, move the head to the last, and return it."""
        head = self._tip(tables)
        rows: list[Row] = []
        last: Row | Head = head
        for body in bodies:
            last = self._hasher.follow(last, body, secrets.token_hex(SALT_SIZE))
            rows.append(last)
        if rows:
            tables.insert(rows)
            head = self._hasher.head(rows[-1])
            tables.move_head(head)
            self._sign_when_due(tables, head)
        return head

    def sign(self, tables: Tables) -> Checkpoint | None:
        """Sign the head where it is not, and return the newest checkpoint."""
        head = self._tip(tables)
        last = tables.last_checkpoint()
        if self._notary is None or (last is not None and (last.seq, last.hash) == (head.seq, head.hash)):
            return last
        return self._attest(tables, head, self._notary)

    def end(self, tables: Tables) -> int:
        """Return the number of the last row."""
        return self._tip(tables).seq

    def erase(self, tables: Tables, erasure: Erasure, numbers: range, now: datetime) -> int:
        """Erase among the rows with these numbers, and return how many."""
        self._tip(tables)
        rows = tuple(check_rows(tables.rows(numbers), erasure, self._hasher))
        if rows:
            tables.replace([self._hasher.erase(row) for row in rows])
            ranges = Ranges((row.seq, row.seq) for row in rows)
            self.append(tables, (erasure.entry(ranges, now),))
        return len(rows)

    def begin(self, tables: Tables) -> None:
        """Start a chain in empty tables."""
        row = self._hasher.genesis(secrets.token_hex(16))
        tables.insert((row,))
        tables.move_head(self._hasher.head(row))

    def resume(self, tables: Tables) -> None:
        """Check that the last row is the one of the head."""
        self._tip(tables)
        self._signed = _signed_row(tables)

    def _sign_when_due(self, tables: Tables, head: Head) -> None:
        if self._notary is None or not self._notary.is_due(head, self._signed):
            return
        # Another process may have signed meanwhile.
        self._signed = max(self._signed, _signed_row(tables))
        if self._notary.is_due(head, self._signed):
            self._attest(tables, head, self._notary)

    def _attest(self, tables: Tables, head: Head, notary: Notary) -> Checkpoint:
        genesis = tables.row(0)
        if genesis is None:
            self._refuse("has no first row")
        checkpoint = notary.sign(head, chain_id_of(genesis))
        tables.add_checkpoint(checkpoint)
        self._signed = head.seq
        return checkpoint

    def _tip(self, tables: Tables) -> Head:
        """Return the head that the next row follows. Each time: somebody may remove rows while this process runs."""
        head = tables.head()
        if head is None:
            self._refuse("has no head")
        if not self._hasher.vouches_for_head(head):
            self._refuse("has a head that was written with another key, or changed")
        last = tables.last_row()
        if last is None or (last.seq, last.hash) != (head.seq, head.hash):
            self._refuse("does not end where its head says")
        return head

    def _refuse(self, fault: str) -> NoReturn:
        raise AuditError(
            f"the audit log {self.name} {fault}: run `privguard audit verify`, then move it away to start a new one"
        )


def parse_stored(line: object) -> Row | None:
    """Read the line of a row that was selected."""
    return parse_row(line.encode("utf-8", "replace")) if isinstance(line, str) else None


def newest(checkpoints: Iterable[Checkpoint | None]) -> Checkpoint | None:
    """Return the first that is one."""
    return next((each for each in checkpoints if each is not None), None)


def _signed_row(tables: Tables) -> int:
    checkpoint = tables.last_checkpoint()
    return 0 if checkpoint is None else checkpoint.seq
