"""Keep audit records in PostgreSQL: one hash chain for the processes of several machines."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from privguard.audit.chain import Hasher, Head
from privguard.audit.checkpoints import Checkpoint, Notary
from privguard.audit.codec import encode
from privguard.audit.erasing import Erasure
from privguard.audit.postgres_link import Address, CommitLostError, PostgresLink
from privguard.audit.postgres_tables import ROWS, PostgresTables, are_there, check_version, make_tables
from privguard.audit.tables import TableChain
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError

if TYPE_CHECKING:
    from privguard.audit.postgres_link import Connection

_CREATION = 0x50475541  # the advisory lock of whoever makes the tables
_CHUNK = 5000  # rows that are looked at in one transaction of an erasure: other writers come in between


class PostgresSink:
    """Append records to the tables `privguard_audit_*` of a database; the head moves in the same transaction.

    A writer holds the row of the head until its transaction ends: all others wait for it, up to ten seconds.

    Args:
        url: `postgresql://HOST/NAME`. The tables are made where they are missing, in the first schema of the search
            path.
        key: at least 16 bytes; makes every hash an HMAC. A chain is written with one key or with none.
        notary: signs checkpoints.

    Raises:
        AuditError: the database cannot be used, or the chain does not end where its head says.
        ConfigError: the URL cannot be read, the key is too short, or the extra `postgres` is missing.
    """

    def __init__(self, url: str, *, key: bytes | None = None, notary: Notary | None = None) -> None:
        self._closed = True  # until it is open
        address = Address(url)
        self._chain = TableChain(address.name, Hasher(key), notary)
        self._doubts: list[tuple[Head, frozenset[bytes]]] = []
        self._link = PostgresLink(address, _Preparation(self._chain))
        self._closed = False

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        self.append((encode(record),))

    def append(self, bodies: Sequence[bytes]) -> None:
        """Append a row for each body, all or none: also where the connection is lost and nobody knows which."""
        tried = Head(seq=0, hash="", seal="")

        def work(connection: "Connection") -> None:
            nonlocal tried
            tables = _locked(connection)
            tried = self._chain.append(tables, self._missing(tables, bodies))

        # A second attempt finds them there, or writes them. When it fails too, the caller's next one does.
        for may_go_on in (True, False):
            try:
                self._link.transaction(work)
            except CommitLostError:
                self._doubts.append((tried, frozenset(bodies)))
                if not may_go_on:
                    raise
            else:
                self._doubts.clear()
                return

    def sign(self) -> Checkpoint | None:
        """Sign the end of the chain where it is not, and return its newest checkpoint."""
        return self._link.transaction(lambda connection: self._chain.sign(_locked(connection)))

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        """Erase bodies, and return of how many rows.

        Raises:
            AuditError: a row does not verify, which erasing would hide; or the database cannot be used.
        """
        moment, erased = now or datetime.now(UTC), 0
        end = self._link.transaction(lambda connection: self._chain.end(_locked(connection)))
        for start in range(0, end + 1, _CHUNK):
            numbers = range(start, min(start + _CHUNK, end + 1))

            def work(connection: "Connection", numbers: range = numbers) -> int:
                return self._chain.erase(_locked(connection), erasure, numbers, moment)

            erased += self._link.transaction(work)
        # Always: an earlier run may have come no further than here.
        obstacle = self._link.vacuum(ROWS)
        if obstacle:
            raise AuditError(
                f"rows of the audit log {self._chain.name} were erased ({erased} of them now), but the table could not "
                f"be written anew without them ({obstacle}): run the command again, when nobody else uses the log"
            )
        return erased

    def close(self) -> None:
        """Sign and close the connection; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._chain.signs:
                self.sign()
        finally:
            self._link.close()

    def _missing(self, tables: PostgresTables, bodies: Sequence[bytes]) -> Sequence[bytes]:
        """Return the bodies that have not arrived with a transaction whose end nobody knew."""
        there: set[bytes] = set()
        for head, sent in self._doubts:
            row = tables.row(head.seq)
            if row is not None and row.hash == head.hash:
                there |= sent
        return [body for body in bodies if body not in there]

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()


class _Preparation:
    """What is done with each new connection. It knows no sink: in a cycle, a dropped one would be closed too late."""

    def __init__(self, chain: TableChain) -> None:
        self._chain = chain

    def __call__(self, connection: "Connection") -> None:
        """Start a chain in an empty database, or check that the last row is the one of the head."""
        tables = PostgresTables(connection)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_CREATION,))
        if not are_there(connection):
            make_tables(connection)
            self._chain.begin(tables)
        check_version(connection, self._chain.name)
        self._chain.resume(tables)


def _locked(connection: "Connection") -> PostgresTables:
    """Wait until no other writer is at it, and return the tables."""
    tables = PostgresTables(connection)
    tables.head()
    return tables
