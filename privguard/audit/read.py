"""Read audit logs of every format, and exports of them, row by row, and verify them."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.audit.chain import Head, Row
from privguard.audit.checkpoints import Checkpoint, PublicKey
from privguard.audit.codec import decode
from privguard.audit.entries import is_entry
from privguard.audit.export import open_export
from privguard.audit.files import cannot
from privguard.audit.lines import Torn, parse_row, parse_torn
from privguard.audit.postgres_link import is_postgres, is_url
from privguard.audit.verify import Verdict, verify
from privguard.core.audit import AuditRecord
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
    checkpoints: Iterator[Checkpoint] = field(default_factory=lambda: iter(()))  # in the order of their rows


def read_rows(path: str | Path) -> Iterator[Row | None]:
    """Yield the rows of a log in stored order, genesis first; None for a line that is no row.

    Raises:
        AuditError: the log cannot be read.
    """
    with open_log(path) as log:
        yield from (row if isinstance(row, Row) else None for row in log.rows)


def read_records(path: str | Path) -> Iterator[AuditRecord]:
    """Yield the records of a log, oldest first; rows that are none, that were erased or cannot be read are left out.

    Raises:
        AuditError: the log cannot be read.
    """
    for row in read_rows(path):
        if row is not None and row.seq > 0 and row.body and not is_entry(row.body):
            with suppress(AuditError):
                yield decode(row.body)


def verify_file(
    path: str | Path,
    key: bytes | None = None,
    *,
    public_keys: Sequence[PublicKey] = (),
    checkpoints: Iterable[Checkpoint] = (),
) -> Verdict:
    """Check the log or the export at `path`, in flat memory and while others write to it.

    Args:
        path: of the log.
        key: the key that the chain was written with.
        public_keys: whose checkpoints count; with some, a log that none of them signed is a fault.
        checkpoints: some that were kept elsewhere. They tell when the log is an older copy.

    Raises:
        AuditError: the log cannot be read, or it was written with a key and none is given.
        ConfigError: the key is too short.
    """
    with open_log(path) as log:
        return verify_log(log, key, public_keys=public_keys, checkpoints=checkpoints)


def verify_log(
    log: Log,
    key: bytes | None = None,
    *,
    public_keys: Sequence[PublicKey] = (),
    checkpoints: Iterable[Checkpoint] = (),
) -> Verdict:
    """Check a log that is open, as `verify_file` does. It is read to its end.

    Raises:
        AuditError: the log cannot be read, or it was written with a key and none is given.
        ConfigError: the key is too short.
    """
    return verify(
        log.rows,
        log.head,
        key=key,
        lag=log.lag,
        checkpoints=merge(log.checkpoints, sorted(checkpoints, key=_place), key=_place),
        public_keys=public_keys,
    )


def _place(checkpoint: Checkpoint) -> int:
    return checkpoint.seq


@contextmanager
def open_log(path: str | Path) -> Iterator[Log]:
    """Open a log for reading; nothing is created or changed.

    Args:
        path: a file of either format, an export, or the URL of a PostgreSQL database.

    Raises:
        AuditError: the log cannot be read.
        ConfigError: the URL cannot be used, or the extra `postgres` is missing.
    """
    if is_postgres(path):
        from privguard.audit.postgres_read import open_postgres

        with open_postgres(str(path)) as log:
            yield log
        return
    if is_url(path):
        raise AuditError("the audit log is no file and no PostgreSQL database")
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
    from privguard.audit.jsonl_files import (
        MAX_LAG,
        checkpoints_path,
        checkpoints_size,
        load_head,
        locked,
        read_checkpoints,
    )

    try:
        file = path.open("rb")
    except OSError as exc:
        raise cannot("open", path, exc) from None
    with file:
        export = open_export(path, file)
        if export is not None:
            yield Log(head=export.head, rows=export.rows, lag=MAX_LAG, checkpoints=export.checkpoints)
            return
        try:
            with locked(file.fileno(), shared=True):
                size, signed = os.fstat(file.fileno()).st_size, checkpoints_size(path)
                head = load_head(path)
        except OSError as exc:
            raise cannot("open", path, exc) from None
        rows = _lines(iter(partial(file.readline, _LONGEST_LINE), b""), size)
        with closing(read_checkpoints(checkpoints_path(path), signed)) as checkpoints:
            yield Log(head=head, rows=rows, lag=MAX_LAG, checkpoints=checkpoints)


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

    from privguard.audit.jsonl_files import parse_checkpoints
    from privguard.audit.sqlite import FIRST_SCHEMA_VERSION, check_schema, load_head

    try:
        with closing(_connect(path)) as connection:
            connection.execute("BEGIN")  # one snapshot for the head and the rows
            version = check_schema(connection, path)
            head = load_head(connection)
            connection.text_factory = bytes
            found = connection.execute("SELECT seq, line FROM rows ORDER BY seq")
            signed: Iterable[tuple[object]] = ()
            if version > FIRST_SCHEMA_VERSION:
                signed = connection.execute("SELECT line FROM checkpoints ORDER BY seq")
            yield Log(
                head=head,
                rows=(stored(seq, line) for seq, line in found),
                lag=0,
                checkpoints=parse_checkpoints(line for (line,) in signed if isinstance(line, bytes)),
            )
    except sqlite3.Error as exc:
        name = getattr(exc, "sqlite_errorname", type(exc).__name__)
        raise AuditError(f"cannot read the audit log {path}: {name}") from None


def stored(seq: int, line: object) -> Row:
    """Parse a line of a table; one that is no row keeps its number and loses its hash, so nothing vouches for it."""
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
