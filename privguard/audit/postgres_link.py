"""A connection to PostgreSQL that survives forks and losses, and whose errors keep the password to themselves.

What the server or its client library says is never passed on: it may quote the URL. Errors are raised where no other is
handled, since the context of an exception keeps reachable what the one before it holds: the connection, for one.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, NoReturn, TypeVar

from privguard.core.errors import AuditError, ConfigError
from privguard.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

    Connection = psycopg.Connection[TupleRow]

PATIENCE_S = 10  # for a lock that somebody holds, and for a connection

_SCHEMES = ("postgresql://", "postgres://")
_DEFAULTS: dict[str, object] = {
    "application_name": "privguard",
    "connect_timeout": PATIENCE_S,
    # A server that is gone is noticed within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
_BEGIN = f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{PATIENCE_S}s'"
_URL = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_PLAIN = lazy_pattern(r"[A-Za-z0-9_.,:/\[\]-]*")
_COUNT = lazy_pattern(r"\D*(\d+)")
_Result = TypeVar("_Result")

# Connections of a parent. Closing one would tell the server that the parent is gone.
_ABANDONED: list["Connection"] = []


def is_postgres(spec: object) -> bool:
    """Tell whether a setting is the URL of a PostgreSQL database."""
    return isinstance(spec, str) and spec.startswith(_SCHEMES)


def is_url(spec: object) -> bool:
    """Tell whether a setting is a URL, of whatever: taken for a file, it would be shown with its password."""
    return _URL.match(str(spec)) is not None


class Address:
    """Where a database is, and how it is entered. Shows itself without user and password.

    Raises:
        ConfigError: the URL cannot be read, or the extra `postgres` is missing.
    """

    __slots__ = ("_url", "name")

    def __init__(self, url: str) -> None:
        try:
            from psycopg import Error
            from psycopg.conninfo import conninfo_to_dict
        except ImportError:
            raise ConfigError("an audit log in PostgreSQL needs an extra: pip install 'privguard[postgres]'") from None
        parts = None
        with suppress(Error):  # what it says may hold the password
            parts = conninfo_to_dict(url)
        if parts is None:
            raise ConfigError(
                "the URL of the audit log cannot be read: postgresql://[USER[:PASSWORD]@]HOST[:PORT]/NAME"
            )
        self._url = url
        host, port, name = (str(parts.get(key) or "") for key in ("host", "port", "dbname"))
        shown = f"{host}:{port}/{name}" if port.isdecimal() else f"{host}/{name}"
        # With an unescaped @ or / in the password, a part of it stands elsewhere.
        self.name = f"postgresql://{shown if _PLAIN.fullmatch(shown) else '…'}"

    def connect(self) -> "Connection":
        """Return a new connection, each of whose statements is a transaction.

        Raises:
            AuditError: the server cannot be reached, or refuses.
        """
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        given = conninfo_to_dict(self._url)
        options = {key: value for key, value in _DEFAULTS.items() if key not in given}
        try:
            # Statements that the server remembers would not be there behind a pool of connections.
            return psycopg.connect(
                self._url,
                autocommit=True,
                prepare_threshold=None,
                client_encoding="UTF8",
                **options,  # type: ignore[arg-type]
            )
        except psycopg.Error as exc:
            why = words(exc)
        raise self.failed("open", why)

    def failed(self, action: str, why: str) -> AuditError:
        """Return the error for something that could not be done."""
        return AuditError(f"cannot {action} the audit log {self.name}: {why}")

    def __repr__(self) -> str:
        return f"Address({self.name})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("the address of a database is not pickled")


def words(exc: "psycopg.Error") -> str:
    """Return the name of what went wrong: all that is passed on of an error of the client library."""
    name = type(exc).__name__
    return f"{name} ({exc.sqlstate})" if exc.sqlstate else name


class CommitLostError(AuditError):
    """The connection was lost before the server said whether it has committed."""


class PostgresLink:
    """Run transactions, one at a time.

    Args:
        address: of the database.
        prepare: runs in a transaction of its own on each new connection.

    Raises:
        AuditError: the server cannot be reached, or `prepare` refuses the database.
    """

    def __init__(self, address: Address, prepare: "Callable[[Connection], None]") -> None:
        self._address, self._prepare = address, prepare
        self._lock = Lock()
        self._connection: Connection | None = None
        self._pid = os.getpid()
        self._closed = False
        with self._lock:
            self._current()

    def transaction(self, work: "Callable[[Connection], _Result]") -> _Result:
        """Run `work` in a transaction, on a new connection where the old one turns out to be lost.

        Raises:
            CommitLostError: it is not known whether the transaction was kept.
            AuditError: the database cannot be used; nothing of the transaction was kept.
        """
        self._notice_fork()
        with self._lock:
            was_open = self._connection is not None
            try:
                return self._attempt(work)
            except _LostError:
                pass
            if was_open:
                with suppress(_LostError):
                    return self._attempt(work)
            raise self._address.failed("write to", "the connection was lost")

    def vacuum(self, table: str) -> str:
        """Write a table anew, without what was erased; return what stands against it, "" for nothing."""
        import psycopg

        self._notice_fork()
        with self._lock:
            found = _Notices()
            try:
                connection = self._current()
                connection.add_notice_handler(found.take)
                try:
                    connection.execute(f"SET lock_timeout = '{PATIENCE_S}s'")
                    connection.execute(f"VACUUM (FULL, VERBOSE) {table}".encode())
                finally:
                    connection.remove_notice_handler(found.take)
            except psycopg.Error as exc:
                self._let_go()
                return words(exc)
            return found.obstacle

    def close(self) -> None:
        """Close the connection for good; a second time does nothing."""
        self._notice_fork()
        with self._lock:
            self._closed = True
            self._let_go()

    def _attempt(self, work: "Callable[[Connection], _Result]") -> _Result:
        import psycopg

        connection = self._current()
        is_committing = False
        try:
            connection.execute(_BEGIN)
            result = work(connection)
            is_committing = True
            connection.execute("COMMIT")
        except psycopg.Error as exc:
            why, is_lost = words(exc), connection.broken or connection.closed
            self._roll_back(connection)
        except BaseException:
            self._roll_back(connection)
            raise
        else:
            return result
        if is_lost and is_committing:
            raise CommitLostError(f"the connection to the audit log {self._address.name} was lost while it was written")
        if is_lost:
            raise _LostError
        raise self._address.failed("write to", why)

    def _roll_back(self, connection: "Connection") -> None:
        import psycopg

        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            self._let_go()

    def _current(self) -> "Connection":
        if self._closed:
            raise AuditError(f"the audit log {self._address.name} is closed")
        if self._connection is not None and not self._connection.closed:
            return self._connection
        self._connection = self._address.connect()
        try:
            self._attempt(self._prepare)
        except BaseException as exc:
            self._let_go()
            if not isinstance(exc, _LostError):
                raise
        if self._connection is None:
            raise self._address.failed("open", "the connection was lost")
        return self._connection

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _notice_fork(self) -> None:
        if os.getpid() == self._pid:
            return
        self._pid = os.getpid()
        self._lock = Lock()  # a thread of the parent may have held the old one
        if self._connection is not None:
            _ABANDONED.append(self._connection)
        self._connection = None


class _LostError(Exception):
    """The connection was lost before anything was committed."""


class _Notices:
    """What the server says of a vacuum besides: that it was skipped, or could not remove all."""

    def __init__(self) -> None:
        self.obstacle = ""

    def take(self, notice: "psycopg.errors.Diagnostic") -> None:
        """Look at one notice. Its words are in the language of the server; the number comes first in all of them."""
        kept = _COUNT.match(notice.message_detail or "")
        if notice.severity_nonlocalized == "WARNING":
            self.obstacle = "it belongs to somebody else"
        elif kept is not None and int(kept[1]) > 0:
            self.obstacle = "somebody still reads an older state of the database"
