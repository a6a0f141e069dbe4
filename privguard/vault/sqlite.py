"""Keep records in an SQLite database, for the threads and processes of one machine."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.errors import VaultError
from privguard.storage.connection import SharedConnection
from privguard.storage.files import FileKind
from privguard.vault.stores import Stored

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x50475641  # "PGVA", in the header of the file
SCHEMA_VERSION = 1
VAULT_FILE = FileKind(name="the vault", error=VaultError)

_SCHEMA = (
    "CREATE TABLE records (slot BLOB PRIMARY KEY, key_id BLOB NOT NULL, expires_ms INTEGER NOT NULL, sealed BLOB)",
    "CREATE INDEX expiry ON records (expires_ms)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_COLUMNS = "slot, key_id, expires_ms, sealed"
_PAGE = 100  # records that are read at a time


class SqliteStore:
    """Keep records in the database at `path`, one transaction each; what has expired goes with the next write.

    A record is on disk when `write` returns (WAL with `synchronous=FULL`): neither a killed process nor a power cut
    loses it. What is removed is overwritten with zeros.

    Args:
        path: created with mode 0600, missing directories with 0700.

    Raises:
        VaultError: the path cannot be opened, or is no vault.
    """

    def __init__(self, path: str | Path) -> None:
        file = Path(path).expanduser().absolute()
        self._connection = SharedConnection(
            file, kind=VAULT_FILE, check=lambda connection: _check(connection, file), prepare=_prepare, durable=True
        )

    def load(self, slot: bytes) -> Stored | None:
        """Return the record in a slot, which may have expired."""
        with self._connection.reading() as connection:
            return _load(connection, slot)

    def write(self, record: Stored, *, expects: Stored | None, now_ms: int) -> bool:
        """Put a record in the place of another one, and tell whether that was possible."""
        with self._connection.transaction() as connection:
            _purge(connection, now_ms)
            if expects is not None and _load(connection, expects.slot) != expects:
                return False
            if _load(connection, record.slot) not in (None, expects):
                return False
            if expects is not None:
                connection.execute("DELETE FROM records WHERE slot = ?", (expects.slot,))
            connection.execute(
                f"INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?)",  # noqa: S608 - constant
                (record.slot, record.key_id, record.expires_ms, record.sealed),
            )
            return True

    def delete(self, slot: bytes) -> bool:
        """Remove the record in a slot, and tell whether there was one."""
        with self._connection.transaction() as connection:
            return connection.execute("DELETE FROM records WHERE slot = ?", (slot,)).rowcount > 0

    def purge(self, now_ms: int) -> int:
        """Remove what has expired, also from the log of changes, and return how many records that were."""
        with self._connection.transaction() as connection:
            purged = _purge(connection, now_ms)
        with self._connection.reading() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return purged

    def stale(self, key_id: bytes) -> Iterator[Stored]:
        """Yield the records that are sealed under another key, page by page: writers come in between."""
        last = b""
        while True:
            with self._connection.reading() as connection:
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM records WHERE slot > ? AND key_id <> ? ORDER BY slot LIMIT ?",  # noqa: S608 - constant
                    (last, key_id, _PAGE),
                ).fetchall()
            for row in rows:
                yield _stored(row)
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        self._connection.close()

    def __del__(self) -> None:
        # Nobody closes the vault of a guard that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()


def _check(connection: "sqlite3.Connection", path: Path) -> None:
    """Check that the database is a vault of this version, or empty."""
    if not _is_empty(connection):
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application_id != APPLICATION_ID:
            raise VaultError(f"{path} is no vault of privguard")
        if version != SCHEMA_VERSION:
            raise VaultError(f"the vault {path} has schema version {version}, this privguard knows {SCHEMA_VERSION}")
    connection.execute("PRAGMA secure_delete = ON").fetchone()


def _prepare(connection: "sqlite3.Connection") -> None:
    if _is_empty(connection):
        for statement in _SCHEMA:
            connection.execute(statement)


def _is_empty(connection: "sqlite3.Connection") -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _load(connection: "sqlite3.Connection", slot: bytes) -> Stored | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM records WHERE slot = ?", (slot,)).fetchone()  # noqa: S608 - constant
    return None if row is None else _stored(row)


def _purge(connection: "sqlite3.Connection", now_ms: int) -> int:
    return connection.execute("DELETE FROM records WHERE expires_ms <= ?", (now_ms,)).rowcount


def _stored(row: tuple[object, object, object, object]) -> Stored:
    slot, key_id, expires_ms, sealed = row
    if not (isinstance(slot, bytes) and isinstance(key_id, bytes) and isinstance(sealed, bytes)):
        raise VaultError("a record in the vault holds something that is no bytes: it was altered")
    if not isinstance(expires_ms, int):
        raise VaultError("a record in the vault has no time of expiry: it was altered")
    return Stored(slot=slot, key_id=key_id, expires_ms=expires_ms, sealed=sealed)
