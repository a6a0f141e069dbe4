"""The SQLite store: private, durable, shared by processes, and empty of what was removed."""

import gc
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from privguard.core.errors import VaultError
from privguard.vault import SqliteStore, VaultKeys
from privguard.vault.sealed import SealedVault
from tests.open_files import needs_open_files, open_under
from tests.vault.conftest import MASTERS
from tests.vault.homes import make_entry, make_record, make_table

NOW_MS = 1_900_000_000_000
ROOT = Path(__file__).parents[2]


def execute(path: Path, *statements: str) -> None:
    """Change the database behind the store's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "vault.sqlite"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_no_file_of_the_database_is_readable_by_others(path: Path) -> None:
    store = SqliteStore(path)
    assert store.write(make_record(), expects=None, now_ms=NOW_MS)
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["vault.sqlite", "vault.sqlite-shm", "vault.sqlite-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()


def test_what_is_removed_is_overwritten(path: Path) -> None:
    store = SqliteStore(path)
    for number in range(20):
        marked = make_record(number, sealed=b"marked-bytes" * 400, expires_ms=NOW_MS + 1)
        assert store.write(marked, expects=None, now_ms=NOW_MS)
    assert store.delete(make_record(0).slot)
    assert store.purge(NOW_MS + 1) == 19
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"marked-bytes" not in left
    store.close()
    assert b"marked-bytes" not in path.read_bytes()


def test_a_write_waits_for_the_disk_and_overwrites(path: Path) -> None:
    store = SqliteStore(path)
    with store._connection.reading() as connection:
        settings = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        assert settings == ["wal", 2]
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
    store.close()


def test_what_has_expired_goes_with_the_next_write(path: Path) -> None:
    store = SqliteStore(path)
    assert store.write(make_record(1, expires_ms=NOW_MS + 1), expects=None, now_ms=NOW_MS)
    assert store.write(make_record(2), expects=None, now_ms=NOW_MS + 1)
    assert store.load(make_record(1).slot) is None
    assert store.purge(NOW_MS + 1) == 0
    store.close()


def test_a_closed_store_refuses(path: Path) -> None:
    store = SqliteStore(path)
    store.close()
    with pytest.raises(VaultError, match=r"the vault .* is closed"):
        store.load(make_record().slot)


@needs_open_files
def test_a_dropped_store_leaves_no_open_file(path: Path) -> None:
    store = SqliteStore(path)
    assert store.write(make_record(), expects=None, now_ms=NOW_MS)
    assert open_under(path.parent)
    del store
    gc.collect()
    assert open_under(path.parent) == []


def test_a_database_of_something_else_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    execute(path, "CREATE TABLE t (x)", "PRAGMA user_version = 1")
    before = path.read_bytes()
    with pytest.raises(VaultError, match="no vault of privguard"):
        SqliteStore(path)
    assert path.read_bytes() == before
    (tmp_path / "text.sqlite").write_text("no database, only some lines of text\n" * 40, encoding="utf-8")
    for name in ("text.sqlite", "."):
        with pytest.raises(VaultError):
            SqliteStore(tmp_path / name)


def test_a_later_schema_is_refused(path: Path) -> None:
    SqliteStore(path).close()
    execute(path, "PRAGMA user_version = 99")
    with pytest.raises(VaultError, match="schema version 99"):
        SqliteStore(path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET sealed = 'Ada Roth'",
        "UPDATE records SET sealed = NULL",
        "UPDATE records SET key_id = 5",
        "UPDATE records SET expires_ms = 'Ada Roth'",
    ],
    ids=["text", "null", "number", "no time"],
)
def test_a_row_that_is_none_is_an_error_without_content(path: Path, damage: str) -> None:
    store = SqliteStore(path)
    assert store.write(make_record(), expects=None, now_ms=NOW_MS)
    execute(path, damage)
    with pytest.raises(VaultError, match="altered") as caught:
        store.load(make_record().slot)
    assert "Ada" not in str(caught.value)
    store.close()


def test_a_store_that_fails_tells_no_content(path: Path) -> None:
    store = SqliteStore(path)
    execute(path, "DROP TABLE records")
    with pytest.raises(VaultError, match="SQLITE_ERROR"):
        store.load(make_record().slot)
    store.close()


WORKER = """
import sys
from privguard.core.holding import Owner
from privguard.vault import SealedVault, SqliteStore, VaultKeys
from tests.vault.homes import make_entry, make_table

path, master, letter = sys.argv[1:]
vault = SealedVault(SqliteStore(path), VaultKeys(master.encode()))
for digit in "23456789":
    vault.put(Owner(), "conv_1", make_table(make_entry(f"7Q{letter}{digit}", letter + digit)), join=True)
vault.close()
"""


def test_processes_share_a_vault_and_lose_nothing(path: Path) -> None:
    from privguard.core.holding import Owner

    SqliteStore(path).close()
    master = MASTERS[0].decode()
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(path), master, letter], cwd=ROOT) for letter in "ABCD"
    ]
    assert [worker.wait() for worker in workers] == [0] * 4
    vault = SealedVault(SqliteStore(path), VaultKeys(MASTERS[0]))
    kept = vault.get(Owner(), "conv_1")
    assert kept is not None
    wanted = [make_entry(f"7Q{letter}{digit}", letter + digit) for letter in "ABCD" for digit in "23456789"]
    assert kept.entries == make_table(*wanted).entries
    vault.close()
