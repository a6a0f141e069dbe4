"""Read audit logs of both formats, row by row, and verify them."""

import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.audit.chain import Head, Row, Torn, parse_row, parse_torn
from privguard.audit.files import cannot
from privguard.audit.verify import Verdict, verify
from privguard.core.errors import AuditError

if TYPE_CHECKING:
    import sqlite3

_LONGEST_LINE = 1 << 26  # bytes; what is longer is read in pieces, none of which is a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """An audit log as it stood when it was opened."""

    head: Head | None
    rows: Iterator[Row | Torn | None]  # in stored order, genesis first; None for a line that is nothing of the kind
    lag: int  # how many rows the head may lie behind after a crash


def read_rows(path: str | Path) -> Iterator[Row | None]:
    """Yield the rows of a log in stored order, genesis first; None for a line that is no row.

    Raises:
        AuditError: the log cannot be read.
    """
    with open_log(path) as log:
        yield from (row if isinstance(row, Row) else None for row in log.rows)


def verify_file(path: str | Path, key: bytes | None = None) -> Verdict:
    """Check the log at `path`, in flat memory and while others write to it.

    Raises:
        AuditError: the log cannot be read, or it was written with a key and none is given.
        ConfigError: the key is too short.
    """
    with open_log(path) as log:
        return verify(log.rows, log.head, key=key, lag=log.lag)


@contextmanager
def open_log(path: str | Path) -> Iterator[Log]:
    """Open a log of either format for reading; nothing is created or changed.

    Raises:
        AuditError: the log cannot be read.
    """
    place = Path(path).expanduser().absolute()
    try:
        is_directory = stat.S_ISDIR(place.stat().st_mode)
    except FileNotFoundError:
        raise AuditError(f"there is no audit log at {place}") from None
    except OSError as exc:
        raise cannot("open", place, exc) from None
    if is_directory:
        raise AuditError(f"cannot open the audit log {place}: it is a directory")
    with _open_sqlite(place) if _is_sqlite(place) else _open_jsonl(place) as log:
        yield log


def _is_sqlite(path: Path) -> bool:
    """Let SQLite look: closing a database that we opened ourselves would drop the locks of a sink in this process."""
    import sqlite3

    if path.suffix.lower() == ".jsonl":
        return False
    try:
        with closing(_connect(path)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as exc:
        return getattr(exc, "sqlite_errorname", "") != "SQLITE_NOTADB"
    return True


@contextmanager
def _open_jsonl(path: Path) -> Iterator[Log]:
    from privguard.audit.jsonl import load_head, locked

    try:
        file = path.open("rb")
    except OSError as exc:
        raise cannot("open", path, exc) from None
    with file:
        try:
            with locked(file.fileno(), shared=True):
                size = os.fstat(file.fileno()).st_size
                head = load_head(path)
        except OSError as exc:
            raise cannot("open", path, exc) from None
        yield Log(head=head, rows=_lines(iter(lambda: file.readline(_LONGEST_LINE), b""), size), lag=1)


def _lines(lines: Iterator[bytes], size: int) -> Iterator[Row | Torn | None]:
    """Parse the lines of the first `size` bytes: what came later belongs to a later head."""
    for line in lines:
        if size <= 0:
            return
        whole = line[:size].removesuffix(b"\n")
        yield parse_row(whole) or parse_torn(whole)
        size -= len(line)


@contextmanager
def _open_sqlite(path: Path) -> Iterator[Log]:
    import sqlite3

    from privguard.audit.sqlite import check_schema, load_head

    try:
        with closing(_connect(path)) as connection:
            connection.execute("BEGIN")  # one snapshot for the head and the rows
            check_schema(connection, path)
            head = load_head(connection)
            connection.text_factory = bytes
            found = connection.execute("SELECT seq, line FROM rows ORDER BY seq")
            yield Log(head=head, rows=(_stored(seq, line) for seq, line in found), lag=0)
    except sqlite3.Error as exc:
        name = getattr(exc, "sqlite_errorname", type(exc).__name__)
        raise AuditError(f"cannot read the audit log {path}: {name}") from None


def _stored(seq: int, line: object) -> Row:
    """Parse a stored line; one that is no row keeps its number and loses its hash, so nothing vouches for it."""
    row = parse_row(line) if isinstance(line, bytes) else None
    return row if row is not None else Row(seq=max(seq, 0), previous="", body=b"", hash="")


def _connect(path: Path) -> "sqlite3.Connection":
    """Open the database read-only; on a medium that cannot be written, without its shared memory."""
    import sqlite3

    address = path.as_uri() + "?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.Error as exc:
        connection.close()
        if not isinstance(exc, sqlite3.OperationalError) or path.with_name(f"{path.name}-wal").exists():
            raise
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return connection
