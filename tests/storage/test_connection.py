"""A connection outlives threads, forks and replaced files, and nothing here drops its locks."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from privguard.core.errors import PrivguardError
from privguard.storage.connection import SharedConnection
from privguard.storage.files import FileKind, make_private

KIND = FileKind(name="the invented file", error=PrivguardError)

NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


def create(connection: sqlite3.Connection) -> None:
    """Prepare a table."""
    connection.execute("CREATE TABLE IF NOT EXISTS t (x INTEGER)")


def accept(connection: sqlite3.Connection) -> None:
    """Accept any file."""


def add(shared: SharedConnection, value: int) -> None:
    """Insert a value."""
    with shared.transaction() as connection:
        connection.execute("INSERT INTO t VALUES (?)", (value,))


def values(shared: SharedConnection) -> list[int]:
    """Return all values."""
    with shared.transaction() as connection:
        return [value for (value,) in connection.execute("SELECT x FROM t ORDER BY x")]


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[SharedConnection]:
    connection = SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=accept, prepare=create)
    yield connection
    connection.close()


def in_child(work: Callable[[], None]) -> int:
    """Run work in a forked child and return its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_failing_transaction_keeps_nothing(shared: SharedConnection) -> None:
    add(shared, 1)

    def insert_and_stumble() -> None:
        with shared.transaction() as connection:
            connection.execute("INSERT INTO t VALUES (2)")
            raise KeyError

    def insert_and_misspell() -> None:
        with shared.transaction() as connection:
            connection.execute("INSERT INTO t VALUES (3)")
            connection.execute("INSERT INTO nowhere VALUES ('Ada Roth')")

    with pytest.raises(KeyError):
        insert_and_stumble()
    with pytest.raises(PrivguardError, match="SQLITE_ERROR"):
        insert_and_misspell()
    assert values(shared) == [1]


def test_a_refused_file_is_released(tmp_path: Path) -> None:
    def refuse(connection: sqlite3.Connection) -> None:
        raise PrivguardError("refused")

    with pytest.raises(PrivguardError, match="refused"):
        SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=refuse, prepare=create)
    with pytest.raises(PrivguardError, match="refused"):
        SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=accept, prepare=refuse)
    SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=accept, prepare=create).close()


def test_a_connection_that_was_let_go_comes_back(shared: SharedConnection) -> None:
    add(shared, 1)
    with shared.lock:
        shared.let_go()
    add(shared, 2)
    assert values(shared) == [1, 2]


@NEEDS_FORK
def test_a_child_and_its_parent_both_go_on(shared: SharedConnection) -> None:
    add(shared, 1)
    assert in_child(lambda: add(shared, 2)) == 0
    add(shared, 3)
    assert values(shared) == [1, 2, 3]


@NEEDS_FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # what it warns of is what is tested
def test_forks_in_the_middle_of_transactions_of_other_threads_go_on(shared: SharedConnection) -> None:
    def work() -> None:
        for number in range(150):
            add(shared, number)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    statuses = [in_child(lambda: add(shared, 1000)) for _ in range(5)]
    for thread in threads:
        thread.join()
    assert statuses == [0] * 5
    assert values(shared) == sorted([*range(150), *range(150), *[1000] * 5])


@NEEDS_FORK
def test_a_fork_that_ran_no_hooks_is_refused(shared: SharedConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    add(shared, 1)
    # As in a child of a fork in C: another process id, and the connection still open.
    own = os.getpid()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: own + 1)
        for _ in range(2):
            with pytest.raises(PrivguardError, match="fork"):
                add(shared, 2)
        shared.close()


def test_looking_at_the_file_does_not_drop_the_locks_of_a_connection(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    shared = SharedConnection(path, kind=KIND, check=accept, prepare=create)
    add(shared, 1)
    make_private(path, KIND)
    SharedConnection(path, kind=KIND, check=accept, prepare=create).close()
    # Whoever closes the database last removes its WAL: another process must see that it is not the last.
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM t').fetchall(); c.close()"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.with_name("a.sqlite-wal").exists()
    add(shared, 2)
    assert values(shared) == [1, 2]
    shared.close()


def test_errors_speak_of_the_file_in_the_words_of_its_kind(shared: SharedConnection) -> None:
    shared.close()
    with pytest.raises(PrivguardError, match=r"the invented file .* is closed"):
        add(shared, 1)


def test_reading_waits_for_no_writer(tmp_path: Path, shared: SharedConnection) -> None:
    add(shared, 1)
    other = SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=accept, prepare=create)
    with other.transaction(), shared.reading() as connection:
        assert connection.execute("SELECT x FROM t").fetchall() == [(1,)]
    with pytest.raises(PrivguardError, match="cannot read the invented file"), shared.reading() as connection:
        connection.execute("SELECT x FROM nowhere")
    other.close()


@pytest.mark.parametrize(("durable", "level"), [(False, 1), (True, 2)])
def test_a_durable_connection_waits_for_the_disk(tmp_path: Path, level: int, *, durable: bool) -> None:
    shared = SharedConnection(tmp_path / "a.sqlite", kind=KIND, check=accept, prepare=create, durable=durable)
    with shared.reading() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
    shared.close()
