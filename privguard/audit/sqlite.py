"""Keep audit records in an SQLite database: one hash chain, appended to by any number of threads and processes."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.audit.chain import Hasher, Head, Row
from privguard.audit.checkpoints import Checkpoint, Notary, format_checkpoint, parse_checkpoint
from privguard.audit.codec import encode
from privguard.audit.erasing import Erasure
from privguard.audit.files import AUDIT_LOG
from privguard.audit.lines import format_row
from privguard.audit.tables import TableChain, newest, parse_stored
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
        self._path = Path(path).expanduser().absolute()
        self._chain = TableChain(str(self._path), Hasher(key), notary)
        database = _Database(self._path, self._chain)
        self._connection = SharedConnection(self._path, kind=AUDIT_LOG, check=database.check, prepare=database.prepare)

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        self.append((encode(record),))

    def append(self, bodies: Sequence[bytes]) -> None:
        """Append a row for each body, all or none."""
        with self._connection.transaction() as connection:
            self._chain.append(_Tables(connection), bodies)

    def sign(self) -> Checkpoint | None:
        """Sign the end of the chain where it is not, and return its newest checkpoint."""
        with self._connection.transaction() as connection:
            return self._chain.sign(_Tables(connection))

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        """Erase bodies, and return of how many rows.

        Raises:
            AuditError: a row does not verify, which erasing would hide; or the database cannot be used.
        """
        moment, erased = now or datetime.now(UTC), 0
        with self._connection.transaction() as connection:
            end = self._chain.end(_Tables(connection))
        for start in range(0, end + 1, _CHUNK):
            with self._connection.transaction() as connection:
                numbers = range(start, min(start + _CHUNK, end + 1))
                erased += self._chain.erase(_Tables(connection), erasure, numbers, moment)
        with self._connection.reading() as connection:
            _overwrite(connection, self._path, erased)
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


class _Tables:
    """The tables of a database, within a transaction."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self._connection = connection

    def head(self) -> Head | None:
        return load_head(self._connection)

    def move_head(self, head: Head) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO head (id, seq, hash, seal) VALUES (1, ?, ?, ?)", (head.seq, head.hash, head.seal)
        )

    def insert(self, rows: Sequence[Row]) -> None:
        self._connection.executemany(
            "INSERT INTO rows (seq, line) VALUES (?, ?)", ((row.seq, format_row(row).decode("ascii")) for row in rows)
        )

    def row(self, seq: int) -> Row | None:
        return self._first("SELECT line FROM rows WHERE seq = ?", seq)

    def last_row(self) -> Row | None:
        return self._first("SELECT line FROM rows ORDER BY seq DESC LIMIT 1")

    def rows(self, numbers: range) -> Iterator[Row | None]:
        found = self._connection.execute(
            "SELECT line FROM rows WHERE seq >= ? AND seq < ? ORDER BY seq", (numbers.start, numbers.stop)
        )
        return (parse_stored(line) for (line,) in found)

    def replace(self, rows: Sequence[Row]) -> None:
        self._connection.executemany(
            "UPDATE rows SET line = ? WHERE seq = ?", ((format_row(row).decode("ascii"), row.seq) for row in rows)
        )

    def last_checkpoint(self) -> Checkpoint | None:
        found = self._connection.execute("SELECT line FROM checkpoints ORDER BY seq DESC")
        return newest(parse_checkpoint(str(line).encode("ascii", "replace")) for (line,) in found)

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO checkpoints (seq, line) VALUES (?, ?)",
            (checkpoint.seq, format_checkpoint(checkpoint).decode("ascii")),
        )

    def _first(self, statement: str, *values: int) -> Row | None:
        found = self._connection.execute(statement, values).fetchone()
        return None if found is None else parse_stored(found[0])


class _Database:
    """What is done with each new connection to the database of one chain."""

    def __init__(self, path: Path, chain: TableChain) -> None:
        self._path, self._chain = path, chain

    def check(self, connection: "sqlite3.Connection") -> None:
        """Check that the database is an audit log, or empty."""
        if not _is_empty(connection):
            check_schema(connection, self._path)
        # What is erased is overwritten.
        connection.execute("PRAGMA secure_delete = ON").fetchone()

    def prepare(self, connection: "sqlite3.Connection") -> None:
        """Start a chain in an empty database, or check that the last row is the one of the head."""
        if _is_empty(connection):
            for statement in _SCHEMA:
                connection.execute(statement)
            self._chain.begin(_Tables(connection))
            return
        if check_schema(connection, self._path) < SCHEMA_VERSION:
            for statement in _MIGRATION:
                connection.execute(statement)
        self._chain.resume(_Tables(connection))


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
