"""One SQLite connection to one file: shared by threads, and never carried over a fork or to a replaced file.

SQLite keeps its locks by process and file. Hence three rules that are easy to break from outside: a connection is
closed before a fork; a connection to a file that has been replaced is never closed; and the file itself is never opened
and closed beside it.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakSet

from privguard.core.errors import PrivguardError
from privguard.storage.files import FileKind, inode, make_private

if TYPE_CHECKING:
    import sqlite3

BUSY_TIMEOUT_S = 10.0

# Closing a connection removes the WAL by its name. Where the file was replaced, or the connection is a parent's, that
# WAL is somebody else's: such connections are kept here, neither used nor closed.
_ABANDONED: list["sqlite3.Connection"] = []


class SharedConnection:
    """Run transactions on `path`, one at a time.

    Args:
        path: created with mode 0600, missing directories with 0700.
        kind: what the file is, and the error that is raised when it fails.
        check: is given each new connection before anything is changed; raises that error to refuse the file.
        prepare: runs in a transaction of its own on each new connection.
        durable: whether a transaction waits for the disk. Without, a power cut may lose the last ones.

    Raises:
        PrivguardError: that of the kind, where the file cannot be opened, or one of the two refuses it.
    """

    def __init__(
        self,
        path: Path,
        *,
        kind: FileKind,
        check: Callable[["sqlite3.Connection"], None],
        prepare: Callable[["sqlite3.Connection"], None],
        durable: bool = False,
    ) -> None:
        self.lock = Lock()
        self._path, self._kind, self._check, self._prepare = path, kind, check, prepare
        self._synchronous = "FULL" if durable else "NORMAL"
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._pid = os.getpid()
        self._closed = False
        self._inherited = False
        _FORKS.watch(self)
        with self.lock:
            self._open()

    @contextmanager
    def transaction(self) -> Iterator["sqlite3.Connection"]:
        """Hold the write lock of the database from the first read on, so that no other writer comes in between.

        Raises:
            PrivguardError: that of the kind: the database cannot be used; nothing of the transaction was kept.
        """
        with self._used("write to") as connection, _transaction(connection):
            yield connection

    @contextmanager
    def reading(self) -> Iterator["sqlite3.Connection"]:
        """Hold the connection for statements that only read: they wait for no writer of another process.

        Raises:
            PrivguardError: that of the kind: the database cannot be used.
        """
        with self._used("read") as connection:
            yield connection

    @contextmanager
    def _used(self, action: str) -> Iterator["sqlite3.Connection"]:
        import sqlite3

        self._notice_fork()
        with self.lock:
            try:
                yield self._current()
            except sqlite3.Error as exc:
                raise self._failed(action, exc) from None

    def close(self) -> None:
        """Close the connection for good; a second time does nothing."""
        self._notice_fork()
        with self.lock:
            self._closed = True
            self.let_go()

    def let_go(self) -> None:
        """Close the connection until the next transaction; the caller holds the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _notice_fork(self) -> None:
        """Arrive in a child. A connection that is still open came through a fork that ran no hooks.

        Locks that the parent held then look like locks of this process: the file cannot be opened safely any more.
        """
        if os.getpid() == self._pid:
            return
        self._pid = os.getpid()
        if self._connection is not None:
            self._inherited = True
            self.lock = Lock()  # a thread of the parent may have held the old one
            self._abandon()

    def _abandon(self) -> None:
        if self._connection is not None:
            _ABANDONED.append(self._connection)
        self._connection = None

    def _current(self) -> "sqlite3.Connection":
        """Return the connection to the file that `path` names now: a deleted file would swallow the records."""
        if self._closed:
            raise self._kind.error(f"{self._kind.name} {self._path} is closed")
        if self._inherited:
            raise self._kind.error(
                f"{self._kind.name} {self._path} was opened before a fork outside Python: open it after the fork"
            )
        if self._connection is not None and inode(self._path) != self._inode:
            self._abandon()
        return self._connection or self._open()

    def _open(self) -> "sqlite3.Connection":
        import sqlite3

        with _FORKS.opening:
            make_private(self._path, self._kind)
            connection: sqlite3.Connection | None = None
            try:
                connection = sqlite3.connect(
                    self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
                )
                self._check(connection)
                _set_wal(connection)
                connection.execute(f"PRAGMA synchronous = {self._synchronous}")
                with _transaction(connection):
                    self._prepare(connection)
            except BaseException as exc:
                if connection is not None:
                    connection.close()
                if isinstance(exc, sqlite3.Error):
                    raise self._failed("open", exc) from None
                raise
            self._connection, self._inode = connection, inode(self._path)
        return connection

    def _failed(self, action: str, exc: "sqlite3.Error") -> PrivguardError:
        # The name of the code alone: SQLite quotes values in some of its messages.
        return self._kind.cannot(action, self._path, getattr(exc, "sqlite_errorname", type(exc).__name__))


class _Forks:
    """Close all connections before a fork; parent and child open their own at the next transaction."""

    def __init__(self) -> None:
        self.opening = Lock()  # a new file is closed once before SQLite opens it: one at a time
        self._members: WeakSet[SharedConnection] = WeakSet()
        self._adding = Lock()
        self._forking = Lock()
        self._held: list[tuple[Lock, object]] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._before, after_in_parent=self._after, after_in_child=self._after)

    def watch(self, connection: SharedConnection) -> None:
        """Include a connection."""
        with self._adding:
            self._members.add(connection)

    def _before(self) -> None:
        self._hold(self._forking, self)
        quiet: set[int] = set()
        while self._hold(self._adding, self):
            fresh = [member for member in self._members if id(member) not in quiet]
            if not fresh:
                return  # `_adding` stays held: nobody joins until the fork is over
            self._release()
            for member in fresh:
                quiet.add(id(member))
                if self._hold(member.lock, member):
                    member.let_go()

    def _hold(self, lock: Lock, owner: object) -> bool:
        # The time limit is for a signal handler that forks in the middle of a transaction: it waits for itself.
        held = lock.acquire(timeout=BUSY_TIMEOUT_S)
        if held:
            # The owner is kept alive: on its way out it would wait for its own lock.
            self._held.append((lock, owner))
        return held

    def _release(self) -> None:
        lock, _ = self._held.pop()
        lock.release()

    def _after(self) -> None:
        while self._held:
            self._release()


@contextmanager
def _transaction(connection: "sqlite3.Connection") -> Iterator["sqlite3.Connection"]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
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


_FORKS = _Forks()
