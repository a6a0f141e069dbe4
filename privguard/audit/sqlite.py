"""Keep audit records in an SQLite database: one hash chain, appended to by any number of threads and processes."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from privguard.audit.chain import SALT_SIZE, Hasher, Head, Row, chain_id_of
from privguard.audit.checkpoints import Checkpoint, Notary, format_checkpoint, parse_checkpoint
from privguard.audit.codec import encode
from privguard.audit.erasing import Erasure, check_rows
from privguard.audit.files import AUDIT_LOG
from privguard.audit.lines import format_row, parse_row
from privguard.audit.ranges import Ranges
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from privguard.storage.connection import SharedConnection

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x50475541  # "PGUA", in the header of the file
SCHEMA_VERSION = 2
FIRST_SCHEMA_VERSION = 1  # without checkpoints

_CHECKPOINTS = "CREATE TABLE checkpoints (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)"
_SCHEMA = (
    # The line is the row as a JSONL file would hold it; `seq` repeats its number for the order.
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)",
    "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER, hash TEXT, seal TEXT)",
    _CHECKPOINTS,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_MIGRATION = (_CHECKPOINTS, f"PRAGMA user_version = {SCHEMA_VERSION}")
_CHUNK = 5000  # rows that are looked at in one transaction of an erasure: other writers come in between


class SqliteSink:
    """Append records to `path`; the head moves in the same transaction.

    WAL with `synchronous=NORMAL`: a killed process loses nothing that was written, a power cut may lose the last
    records, and the chain holds in both cases.

    Args:
        path: created with mode 0600, missing directories with 0700.
        key: at least 16 bytes; makes every hash an HMAC. A chain is written with one key or with none.
        notary: signs checkpoints.

    Raises:
        AuditError: the path cannot be opened, is no audit database, or does not end where its head says.
        ConfigError: the key is too short.
    """

    def __init__(self, path: str | Path, *, key: bytes | None = None, notary: Notary | None = None) -> None:
        self._closed = False
        self._chain = _Chain(Path(path).expanduser().absolute(), Hasher(key), notary)
        self._connection = SharedConnection(
            self._chain.path, kind=AUDIT_LOG, check=self._chain.check, prepare=self._chain.resume
        )

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        self.append((encode(record),))

    def append(self, bodies: Sequence[bytes]) -> None:
        """Append a row for each body, all or none."""
        with self._connection.transaction() as connection:
            self._chain.append(connection, bodies)

    def sign(self) -> Checkpoint | None:
        """Sign the end of the chain where it is not, and return its newest checkpoint."""
        with self._connection.transaction() as connection:
            return self._chain.sign(connection)

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        """Erase bodies, and return of how many rows.

        Raises:
            AuditError: a row does not verify, which erasing would hide; or the database cannot be used.
        """
        moment, erased = now or datetime.now(UTC), 0
        with self._connection.transaction() as connection:
            end = self._chain.end(connection)
        for start in range(0, end + 1, _CHUNK):
            with self._connection.transaction() as connection:
                erased += self._chain.erase(connection, erasure, range(start, min(start + _CHUNK, end + 1)), moment)
        with self._connection.reading() as connection:
            _overwrite(connection, self._chain.path, erased)
        return erased

    def close(self) -> None:
        """Sign and close the database; a second time does nothing."""
        try:
            if self._chain.signs and not self._closed:
                self.sign()
        finally:
            self._closed = True
            self._connection.close()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()


class _Chain:
    """The chain of one database. It knows no connection: in a cycle, a dropped sink would be closed too late."""

    def __init__(self, path: Path, hasher: Hasher, notary: Notary | None) -> None:
        self.path = path
        self._hasher, self._notary = hasher, notary
        self._signed = 0  # the row of the newest checkpoint of ours, as far as it is known

    @property
    def signs(self) -> bool:
        """Tell whether checkpoints are signed."""
        return self._notary is not None

    def append(self, connection: "sqlite3.Connection", bodies: Sequence[bytes]) -> None:
        """Add the rows that hold the bodies, and move the head to the last."""
        head = self._head(connection)
        row: Row | Head = head
        for body in bodies:
            row = self._hasher.follow(row, body, secrets.token_hex(SALT_SIZE))
            _insert(connection, row)
        if isinstance(row, Row):
            head = self._hasher.head(row)
            _store_head(connection, head)
            self._sign_when_due(connection, head)

    def sign(self, connection: "sqlite3.Connection") -> Checkpoint | None:
        """Sign the head where it is not, and return the newest checkpoint."""
        head = self._head(connection)
        last = _last_checkpoint(connection)
        if self._notary is None or (last is not None and (last.seq, last.hash) == (head.seq, head.hash)):
            return last
        return self._attest(connection, head, self._notary)

    def end(self, connection: "sqlite3.Connection") -> int:
        """Return the number of the last row."""
        return self._head(connection).seq

    def erase(self, connection: "sqlite3.Connection", erasure: Erasure, numbers: range, now: datetime) -> int:
        """Erase among the rows with these numbers, and return how many."""
        found = connection.execute(
            "SELECT line FROM rows WHERE seq >= ? AND seq < ? ORDER BY seq", (numbers.start, numbers.stop)
        )
        rows = tuple(check_rows(map(_parse, found), erasure, self._hasher))
        for row in rows:
            line = format_row(self._hasher.erase(row)).decode("ascii")
            connection.execute("UPDATE rows SET line = ? WHERE seq = ?", (line, row.seq))
        if rows:
            ranges = Ranges((row.seq, row.seq) for row in rows)
            self.append(connection, (erasure.entry(ranges, now),))
        return len(rows)

    def check(self, connection: "sqlite3.Connection") -> None:
        """Check that the database is an audit log, or empty."""
        if not _is_empty(connection):
            check_schema(connection, self.path)
        # What is erased is overwritten.
        connection.execute("PRAGMA secure_delete = ON").fetchone()

    def resume(self, connection: "sqlite3.Connection") -> None:
        """Start a chain in an empty database, or check that the last row is the one of the head."""
        if _is_empty(connection):
            for statement in _SCHEMA:
                connection.execute(statement)
            row = self._hasher.genesis(secrets.token_hex(16))
            _insert(connection, row)
            _store_head(connection, self._hasher.head(row))
            return
        if check_schema(connection, self.path) < SCHEMA_VERSION:
            for statement in _MIGRATION:
                connection.execute(statement)
        head = self._head(connection)
        found = connection.execute("SELECT line FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
        last = _parse(found)
        if last is None or (last.seq, last.hash) != (head.seq, head.hash):
            self._refuse("does not end where its head says")
        self._signed = _signed_row(connection)

    def _sign_when_due(self, connection: "sqlite3.Connection", head: Head) -> None:
        if self._notary is None or not self._notary.is_due(head, self._signed):
            return
        # Another process may have signed meanwhile.
        self._signed = max(self._signed, _signed_row(connection))
        if self._notary.is_due(head, self._signed):
            self._attest(connection, head, self._notary)

    def _attest(self, connection: "sqlite3.Connection", head: Head, notary: Notary) -> Checkpoint:
        genesis = _parse(connection.execute("SELECT line FROM rows WHERE seq = 0").fetchone())
        if genesis is None:
            self._refuse("has no first row")
        checkpoint = notary.sign(head, chain_id_of(genesis))
        connection.execute(
            "INSERT OR REPLACE INTO checkpoints (seq, line) VALUES (?, ?)",
            (checkpoint.seq, format_checkpoint(checkpoint).decode("ascii")),
        )
        self._signed = head.seq
        return checkpoint

    def _head(self, connection: "sqlite3.Connection") -> Head:
        head = load_head(connection)
        if head is None:
            self._refuse("has no head")
        if not self._hasher.vouches_for_head(head):
            self._refuse("has a head that was written with another key, or changed")
        return head

    def _refuse(self, fault: str) -> NoReturn:
        raise AuditError(
            f"the audit log {self.path} {fault}: run `privguard audit verify`, then move it away to start a new one"
        )


def check_schema(connection: "sqlite3.Connection", path: Path) -> int:
    """Check that the database is an audit log of a known version, and return that.

    Raises:
        AuditError: it is not.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID:
        raise AuditError(f"{path} is no audit database of privguard")
    if not isinstance(version, int) or not FIRST_SCHEMA_VERSION <= version <= SCHEMA_VERSION:
        raise AuditError(f"the audit log {path} has schema version {version}, this privguard knows {SCHEMA_VERSION}")
    return version


def load_head(connection: "sqlite3.Connection") -> Head | None:
    """Read the head as it is stored; None where there is none."""
    found = connection.execute("SELECT seq, hash, seal FROM head WHERE id = 1").fetchone()
    if found is None or not isinstance(found[0], int):
        return None
    return Head(seq=found[0], hash=str(found[1]), seal=str(found[2]))


def _is_empty(connection: "sqlite3.Connection") -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _parse(found: "tuple[object, ...] | None") -> Row | None:
    """Read the line of a row that was selected."""
    return parse_row(found[0].encode()) if found is not None and isinstance(found[0], str) else None


def _insert(connection: "sqlite3.Connection", row: Row) -> None:
    connection.execute("INSERT INTO rows (seq, line) VALUES (?, ?)", (row.seq, format_row(row).decode("ascii")))


def _store_head(connection: "sqlite3.Connection", head: Head) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO head (id, seq, hash, seal) VALUES (1, ?, ?, ?)", (head.seq, head.hash, head.seal)
    )


def _last_checkpoint(connection: "sqlite3.Connection") -> Checkpoint | None:
    for (line,) in connection.execute("SELECT line FROM checkpoints ORDER BY seq DESC"):
        checkpoint = parse_checkpoint(str(line).encode("ascii", "replace"))
        if checkpoint is not None:
            return checkpoint
    return None


def _signed_row(connection: "sqlite3.Connection") -> int:
    checkpoint = _last_checkpoint(connection)
    return 0 if checkpoint is None else checkpoint.seq


def _overwrite(connection: "sqlite3.Connection", path: Path, erased: int) -> None:
    """Write the database anew, so that nothing of what was erased is left on a page or in the WAL."""
    import sqlite3

    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    try:
        if erased or free:
            connection.execute("VACUUM")
        # Always: an earlier run may have come no further than here.
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        obstacle = "SQLITE_BUSY" if busy else ""
    except sqlite3.OperationalError as exc:
        obstacle = exc.sqlite_errorname
    if obstacle:
        raise AuditError(
            f"rows of the audit log {path} were erased ({erased} of them now), but the place where they stood could "
            f"not be overwritten ({obstacle}): run the command again, when nobody else uses the log"
        )
