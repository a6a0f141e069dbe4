"""Read an audit log in PostgreSQL, page by page, as it stood when it was opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from privguard.audit.chain import Head
from privguard.audit.jsonl_files import parse_checkpoints
from privguard.audit.postgres_link import Address, words
from privguard.audit.postgres_tables import CHECKPOINTS, ROWS, are_there, check_version, read_head
from privguard.audit.read import Log, stored

if TYPE_CHECKING:
    from privguard.audit.postgres_link import Connection

_PAGE = 500  # rows that are read at a time
_ALL = {
    ROWS: b"SELECT seq, line FROM privguard_audit_rows ORDER BY seq",
    CHECKPOINTS: b"SELECT seq, line FROM privguard_audit_checkpoints ORDER BY seq",
}


@contextmanager
def open_postgres(url: str) -> Iterator[Log]:
    """Open a log for reading; nothing is created or changed.

    Raises:
        AuditError: the log cannot be read.
        ConfigError: the URL cannot be read, or the extra `postgres` is missing.
    """
    address = Address(url)
    connection = address.connect()
    try:
        head = _open(connection, address)
        rows, signed = (_pages(connection, address, table) for table in (ROWS, CHECKPOINTS))
        yield Log(
            head=head,
            rows=(stored(seq, line) for seq, line in rows),
            lag=0,
            checkpoints=parse_checkpoints(line for _, line in signed if isinstance(line, bytes)),
        )
    finally:
        connection.close()


def _open(connection: "Connection", address: Address) -> Head | None:
    import psycopg

    try:
        connection.autocommit = False
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ  # one snapshot for the head and the rows
        connection.read_only = True
        is_there = are_there(connection)
        if is_there:
            check_version(connection, address.name)
            head = read_head(connection)
            _show_bytes(connection)
            return head
        why = "it has no tables of one"
    except psycopg.Error as exc:
        why = words(exc)
    raise address.failed("read", why)


def _show_bytes(connection: "Connection") -> None:
    """Read texts as bytes: what somebody else wrote need not be a text."""
    from psycopg.adapt import Buffer, Loader

    class Raw(Loader):
        def load(self, data: Buffer) -> bytes:
            return bytes(data)

    connection.adapters.register_loader("text", Raw)


def _pages(connection: "Connection", address: Address, table: str) -> Iterator[tuple[int, object]]:
    """Yield number and line of all rows of a table, with one page of them in memory."""
    import psycopg

    page: list[tuple[int, object]] = []
    why = ""
    with connection.cursor(name=table) as cursor:
        while True:
            try:
                if cursor.description is None:
                    cursor.execute(_ALL[table])
                page = cursor.fetchmany(_PAGE)
            except psycopg.Error as exc:
                why = words(exc)
            if why:
                raise address.failed("read", why)
            if not page:
                return
            yield from page
