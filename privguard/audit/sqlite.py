"""Keep audit records in an SQLite database: one hash chain, appended to by any number of threads and processes."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NoReturn

from privguard.audit.chain import Hasher, Head, Row, format_row, parse_row
from privguard.audit.codec import encode
from privguard.audit.files import inode, make_private
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x50475541  # "PGUA", in the header of the file
SCHEMA_VERSION = 1
BUSY_TIMEOUT_S = 10.0

_SCHEMA = (
    # The line is the row as a JSONL file would hold it; `seq` repeats its number for the order.
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)",
    "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER, hash TEXT, seal TEXT)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

# Closing a connection removes the WAL by its name. After a fork, or when the file was replaced, that WAL is somebody
# else's: such connections are kept here, neither used nor closed.
_ABANDONED: list["sqlite3.Connection"] = []


class SqliteSink:
    """Append records to `path`, one transaction each; the head moves in the same transaction.

    WAL with `synchronous=NORMAL`: a killed process loses nothing that was written, a power cut may lose the last
    records, and the chain holds in both cases.

    Args:
        path: created with mode 0600, missing directories with 0700.
        key: at least 16 bytes; makes every hash an HMAC. A chain is written with one key or with none.

    Raises:
        AuditError: the path cannot be opened, is no audit database, or does not end where its head says.
        ConfigError: the key is too short.
    """

    def __init__(self, path: str | Path, *, key: bytes | None = None) -> None:
        self._path = Path(path).expanduser().absolute()
        self._hasher = Hasher(key)
        self._lock = Lock()
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._pid = os.getpid()
        self._open()

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        import sqlite3

        body = encode(record)
        if os.getpid() != self._pid:
            self._leave_parent()
        with self._lock:
            if self._closed:
                raise AuditError(f"the audit log {self._path} is closed")
            connection = self._current()
            try:
                with _transaction(connection):
                    self._append(connection, body)
            except sqlite3.Error as exc:
                raise _failed("write to", self._path, exc) from None

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        if os.getpid() != self._pid:
            self._leave_parent()
        with self._lock:
            self._closed = True
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()

    def _leave_parent(self) -> None:
        self._abandon()
        self._lock = Lock()  # a thread of the parent may have held the old one
        self._pid = os.getpid()

    def _abandon(self) -> None:
        if self._connection is not None:
            _ABANDONED.append(self._connection)
        self._connection = None

    def _current(self) -> "sqlite3.Connection":
        """Return the connection to the file that `path` names now: a deleted file would swallow the records."""
        if self._connection is not None and inode(self._path) != self._inode:
            self._abandon()
        return self._connection or self._open()

    def _open(self) -> "sqlite3.Connection":
        import sqlite3

        make_private(self._path)
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(
                self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            if not _is_empty(connection):
                check_schema(connection, self._path)
            _set_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            with _transaction(connection):
                self._resume(connection)
        except (sqlite3.Error, AuditError) as exc:
            if connection is not None:
                connection.close()
            if isinstance(exc, AuditError):
                raise
            raise _failed("open", self._path, exc) from None
        self._connection, self._inode = connection, inode(self._path)
        return connection

    def _resume(self, connection: "sqlite3.Connection") -> None:
        """Start a chain in an empty database, or check that the last row is the one of the head."""
        if _is_empty(connection):
            for statement in _SCHEMA:
                connection.execute(statement)
            row = self._hasher.genesis(secrets.token_hex(16))
            _insert(connection, row)
            _store_head(connection, self._hasher.head(row))
            return
        head = self._head(connection)
        found = connection.execute("SELECT line FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
        row_or_none = None if found is None or not isinstance(found[0], str) else parse_row(found[0].encode())
        if row_or_none is None or (row_or_none.seq, row_or_none.hash) != (head.seq, head.hash):
            self._refuse("does not end where its head says")

    def _append(self, connection: "sqlite3.Connection", body: bytes) -> None:
        row = self._hasher.follow(self._head(connection), body)
        _insert(connection, row)
        _store_head(connection, self._hasher.head(row))

    def _head(self, connection: "sqlite3.Connection") -> Head:
        head = load_head(connection)
        if head is None:
            self._refuse("has no head")
        if not self._hasher.vouches_for_head(head):
            self._refuse("has a head that was written with another key, or changed")
        return head

    def _refuse(self, fault: str) -> NoReturn:
        raise AuditError(
            f"the audit log {self._path} {fault}: run `privguard audit verify`, then move it away to start a new one"
        )


def check_schema(connection: "sqlite3.Connection", path: Path) -> None:
    """Check that the database is an audit log of this version.

    Raises:
        AuditError: it is not.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID:
        raise AuditError(f"{path} is no audit database of privguard")
    if version != SCHEMA_VERSION:
        raise AuditError(f"the audit log {path} has schema version {version}, this privguard knows {SCHEMA_VERSION}")


def load_head(connection: "sqlite3.Connection") -> Head | None:
    """Read the head as it is stored; None where there is none."""
    found = connection.execute("SELECT seq, hash, seal FROM head WHERE id = 1").fetchone()
    if found is None or not isinstance(found[0], int):
        return None
    return Head(seq=found[0], hash=str(found[1]), seal=str(found[2]))


def _is_empty(connection: "sqlite3.Connection") -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _insert(connection: "sqlite3.Connection", row: Row) -> None:
    connection.execute("INSERT INTO rows (seq, line) VALUES (?, ?)", (row.seq, format_row(row).decode("ascii")))


def _store_head(connection: "sqlite3.Connection", head: Head) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO head (id, seq, hash, seal) VALUES (1, ?, ?, ?)", (head.seq, head.hash, head.seal)
    )


@contextmanager
def _transaction(connection: "sqlite3.Connection") -> Iterator[None]:
    """Hold the write lock of the database from the first read on, so that no other writer comes in between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _set_wal(connection: "sqlite3.Connection") -> None:
    """Switch to WAL. SQLite does not wait for another process that switches at the same moment, so we do."""
    import sqlite3

    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorname not in {"SQLITE_BUSY", "SQLITE_LOCKED"} or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


def _failed(action: str, path: Path, exc: "sqlite3.Error") -> AuditError:
    # The name of the code alone: SQLite quotes values in some of its messages.
    return AuditError(f"cannot {action} the audit log {path}: {getattr(exc, 'sqlite_errorname', type(exc).__name__)}")
