"""The tables of an audit log in PostgreSQL, and what is read from them and written to them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from privguard.audit.chain import Head, Row
from privguard.audit.checkpoints import Checkpoint, format_checkpoint, parse_checkpoint
from privguard.audit.lines import format_row
from privguard.audit.tables import newest, parse_stored
from privguard.core.errors import AuditError

if TYPE_CHECKING:
    from privguard.audit.postgres_link import Connection

SCHEMA_VERSION = 1
ROWS = "privguard_audit_rows"
CHECKPOINTS = "privguard_audit_checkpoints"

_SCHEMA = (
    # The line is the row as a JSONL file would hold it; `seq` repeats its number for the order.
    b"CREATE TABLE privguard_audit_rows (seq bigint PRIMARY KEY, line text NOT NULL)",
    b"CREATE TABLE privguard_audit_head (id int PRIMARY KEY, version int, seq bigint, hash text, seal text)",
    b"CREATE TABLE privguard_audit_checkpoints (seq bigint PRIMARY KEY, line text NOT NULL)",
)
_HEAD = b"SELECT seq, hash, seal FROM privguard_audit_head WHERE id = 1"
_MOVE_HEAD = b"UPDATE privguard_audit_head SET seq = %s, hash = %s, seal = %s WHERE id = 1"
_FIRST_HEAD = b"INSERT INTO privguard_audit_head (id, version, seq, hash, seal) VALUES (1, %s, %s, %s, %s)"
_VERSION = b"SELECT version FROM privguard_audit_head WHERE id = 1"
_INSERT = b"INSERT INTO privguard_audit_rows (seq, line) VALUES (%s, %s)"
_REPLACE = b"UPDATE privguard_audit_rows SET line = %s WHERE seq = %s"
_ROW = b"SELECT line FROM privguard_audit_rows WHERE seq = %s"
_LAST_ROW = b"SELECT line FROM privguard_audit_rows ORDER BY seq DESC LIMIT 1"
_SOME_ROWS = b"SELECT line FROM privguard_audit_rows WHERE seq >= %s AND seq < %s ORDER BY seq"
_LAST_CHECKPOINTS = b"SELECT line FROM privguard_audit_checkpoints ORDER BY seq DESC LIMIT 100"
# Not over one that is there: a writer needs no right to change what it wrote.
_ADD_CHECKPOINT = b"INSERT INTO privguard_audit_checkpoints (seq, line) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_IS_THERE = "SELECT to_regclass(%s) IS NOT NULL"


class PostgresTables:
    """The tables within a transaction. Whoever has asked for the head keeps other writers out until its end."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection

    def head(self) -> Head | None:
        """Return the head as it is stored; None where there is none."""
        return _head(self._connection.execute(_HEAD + b" FOR UPDATE").fetchone())

    def move_head(self, head: Head) -> None:
        """Store the head."""
        place = (head.seq, head.hash, head.seal)
        if self._connection.execute(_MOVE_HEAD, place).rowcount == 0:
            self._connection.execute(_FIRST_HEAD, (SCHEMA_VERSION, *place))

    def insert(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_INSERT, [(row.seq, _line(row)) for row in rows])

    def row(self, seq: int) -> Row | None:
        """Return the row with this number."""
        return next(map(_parse, self._connection.execute(_ROW, (seq,))), None)

    def last_row(self) -> Row | None:
        """Return the row with the highest number."""
        return next(map(_parse, self._connection.execute(_LAST_ROW)), None)

    def rows(self, numbers: range) -> Iterator[Row | None]:
        """Yield the rows with these numbers, in order."""
        return map(_parse, self._connection.execute(_SOME_ROWS, (numbers.start, numbers.stop)))

    def replace(self, rows: Sequence[Row]) -> None:
        """Write these rows over those with their numbers."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_REPLACE, [(_line(row), row.seq) for row in rows])

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint of the highest row."""
        found = self._connection.execute(_LAST_CHECKPOINTS)
        return newest(parse_checkpoint(str(line).encode("ascii", "replace")) for (line,) in found)

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Add a checkpoint, if the row has none."""
        place = (checkpoint.seq, format_checkpoint(checkpoint).decode("ascii"))
        self._connection.execute(_ADD_CHECKPOINT, place)


def are_there(connection: "Connection") -> bool:
    """Tell whether the database has an audit log."""
    return connection.execute(_IS_THERE, (ROWS,)).fetchone() == (True,)


def make_tables(connection: "Connection") -> None:
    """Make the tables in the first schema of the search path."""
    for statement in _SCHEMA:
        connection.execute(statement)


def read_head(connection: "Connection") -> Head | None:
    """Return the head as it is stored, without a lock; None where there is none."""
    return _head(connection.execute(_HEAD).fetchone())


def check_version(connection: "Connection", name: str) -> None:
    """Check that the tables are of a version that is known.

    Raises:
        AuditError: they are not.
    """
    found = connection.execute(_VERSION).fetchone()
    # Without a head the chain says what is wrong.
    if found is not None and found[0] != SCHEMA_VERSION:
        raise AuditError(f"the audit log {name} has another schema version: this privguard knows {SCHEMA_VERSION}")


def _head(found: tuple[object, ...] | None) -> Head | None:
    if found is None or not isinstance(found[0], int):
        return None
    return Head(seq=found[0], hash=str(found[1]), seal=str(found[2]))


def _line(row: Row) -> str:
    return format_row(row).decode("ascii")


def _parse(found: Iterable[object]) -> Row | None:
    (line,) = found
    return parse_stored(line)
