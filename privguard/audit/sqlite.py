"""Keep audit records in an SQLite database: one hash chain, appended to by any number of threads and processes."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from privguard.audit.chain import Hasher, Head, Row, format_row, parse_row
from privguard.audit.codec import encode
from privguard.audit.files import AUDIT_LOG
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from privguard.storage.connection import SharedConnection

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x50475541  # "PGUA", in the header of the file
SCHEMA_VERSION = 1

_SCHEMA = (
    # The line is the row as a JSONL file would hold it; `seq` repeats its number for the order.
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)",
    "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER, hash TEXT, seal TEXT)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


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
        self._chain = _Chain(Path(path).expanduser().absolute(), Hasher(key))
        self._connection = SharedConnection(
            self._chain.path, kind=AUDIT_LOG, check=self._chain.check, prepare=self._chain.resume
        )

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        body = encode(record)
        with self._connection.transaction() as connection:
            self._chain.append(connection, body)

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        self._connection.close()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()


class _Chain:
    """The chain of one database. It knows no connection: in a cycle, a dropped sink would be closed too late."""

    def __init__(self, path: Path, hasher: Hasher) -> None:
        self.path = path
        self._hasher = hasher

    def append(self, connection: "sqlite3.Connection", body: bytes) -> None:
        """Add the row that holds `body`, and move the head to it."""
        row = self._hasher.follow(self._head(connection), body)
        _insert(connection, row)
        _store_head(connection, self._hasher.head(row))

    def check(self, connection: "sqlite3.Connection") -> None:
        """Check that the database is an audit log, or empty."""
        if not _is_empty(connection):
            check_schema(connection, self.path)

    def resume(self, connection: "sqlite3.Connection") -> None:
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
        last = parse_row(found[0].encode()) if found is not None and isinstance(found[0], str) else None
        if last is None or (last.seq, last.hash) != (head.seq, head.hash):
            self._refuse("does not end where its head says")

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
