"""The SQLite sink: one chain, whoever writes and however they end."""

import gc
import os
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from privguard.audit.codec import decode
from privguard.audit.faults import FaultKind
from privguard.audit.lines import parse_row
from privguard.audit.read import read_rows, verify_file
from privguard.audit.sqlite import SqliteSink, _overwrite
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.audit.chains import request_ids
from tests.open_files import needs_open_files, open_under

KEY = b"an invented audit key"
Make = Callable[..., AuditRecord]


def execute(path: Path, *statements: str) -> None:
    """Change the database behind the sink's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_records_come_back_in_order_over_several_openings(tmp_path: Path, make_record: Make, key: bytes | None) -> None:
    path = tmp_path / "audit.sqlite"
    for start in (0, 3):
        sink = SqliteSink(path, key=key)
        for number in range(start, start + 3):
            sink.write(make_record(number))
        sink.close()
        sink.close()
    rows = [row for row in read_rows(path) if row is not None]
    assert [decode(row.body) for row in rows[1:]] == [make_record(number) for number in range(6)]
    assert verify_file(path, key).ok


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_no_file_of_the_database_is_readable_by_others(tmp_path: Path, record: AuditRecord) -> None:
    sink = SqliteSink(tmp_path / "deep" / "audit.sqlite")
    sink.write(record)
    files = sorted((tmp_path / "deep").iterdir())
    assert [file.name for file in files] == ["audit.sqlite", "audit.sqlite-shm", "audit.sqlite-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700
    sink.close()


def test_a_closed_sink_refuses_to_write(tmp_path: Path, record: AuditRecord) -> None:
    sink = SqliteSink(tmp_path / "audit.sqlite")
    sink.close()
    with pytest.raises(AuditError, match="closed"):
        sink.write(record)


@needs_open_files
def test_a_dropped_sink_leaves_no_open_file(tmp_path: Path, record: AuditRecord) -> None:
    sink = SqliteSink(tmp_path / "audit.sqlite")
    sink.write(record)
    assert open_under(tmp_path)
    del sink
    gc.collect()
    assert open_under(tmp_path) == []
    with suppress(AuditError):
        SqliteSink(tmp_path)
    gc.collect()
    assert open_under(tmp_path) == []


@needs_open_files
def test_a_dropped_sink_is_closed_at_once_and_not_by_the_collector(tmp_path: Path, record: AuditRecord) -> None:
    gc.disable()
    try:
        sink = SqliteSink(tmp_path / "audit.sqlite")
        sink.write(record)
        del sink
        assert open_under(tmp_path) == []
    finally:
        gc.enable()


def test_a_broken_path_fails_at_construction(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "text.sqlite").write_text("this is no database, only some lines of text\n" * 40, encoding="utf-8")
    execute(tmp_path / "other.sqlite", "CREATE TABLE t (x)", "PRAGMA user_version = 1")
    for name in ("file/audit.sqlite", "text.sqlite", "other.sqlite", "."):
        with pytest.raises(AuditError):
            SqliteSink(tmp_path / name)


def test_a_database_of_something_else_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    execute(path, "CREATE TABLE t (x)")
    before = path.read_bytes()
    with pytest.raises(AuditError, match="no audit database"):
        SqliteSink(path)
    assert path.read_bytes() == before


def test_a_later_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    SqliteSink(path).close()
    execute(path, "PRAGMA user_version = 99")
    with pytest.raises(AuditError, match="schema version 99"):
        SqliteSink(path)


def test_a_chain_goes_on_with_its_own_key_only(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    SqliteSink(path, key=KEY).close()
    for other in (None, KEY + b"!"):
        with pytest.raises(AuditError, match="another key"):
            SqliteSink(path, key=other)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM rows WHERE seq = 3",
        "DELETE FROM head",
        "DELETE FROM rows",
        "UPDATE head SET seq = 2",
        "UPDATE rows SET line = x'00' WHERE seq = 3",
    ],
    ids=["cut", "headless", "empty", "moved-head", "binary"],
)
def test_a_chain_that_does_not_end_at_its_head_is_not_written_over(
    tmp_path: Path, make_record: Make, damage: str
) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path)
    for number in range(3):
        sink.write(make_record(number))
    sink.close()
    execute(path, damage)
    with pytest.raises(AuditError, match="privguard audit verify"):
        SqliteSink(path)
    assert not verify_file(path).ok


def test_a_head_that_is_moved_while_writing_stops_the_next_record(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path, key=KEY)
    sink.write(make_record(1))
    execute(path, "DELETE FROM rows WHERE seq = 1", "UPDATE head SET seq = 0")
    with pytest.raises(AuditError, match="head"):
        sink.write(make_record(2))
    sink.close()


@pytest.mark.parametrize(
    ("damage", "faults"),
    [
        ("UPDATE rows SET line = replace(line, 'REDACT', 'RETAIN') WHERE seq = 3", [(FaultKind.CHANGED, 3)]),
        ("UPDATE rows SET line = 'x' WHERE seq = 3", [(FaultKind.CHANGED, 3)]),
        ("DELETE FROM rows WHERE seq = 3", [(FaultKind.REMOVED, 3)]),
        ("DELETE FROM rows WHERE seq >= 6", [(FaultKind.TRUNCATED, 6)]),
        ("DELETE FROM head", [(FaultKind.HEAD_MISSING, 6)]),
        ("UPDATE head SET seq = 5", [(FaultKind.HEAD_CHANGED, 5)]),
        ("INSERT INTO rows SELECT 7, line FROM rows WHERE seq = 2", [(FaultKind.DUPLICATED, 2)]),
        ("UPDATE rows SET seq = CASE seq WHEN 2 THEN -5 WHEN 5 THEN -2 ELSE seq END", [(FaultKind.REORDERED, 2)]),
    ],
    ids=["changed", "unreadable", "removed", "truncated", "headless", "head", "duplicated", "swapped"],
)
def test_verify_names_what_was_done_to_the_database(
    tmp_path: Path, make_record: Make, damage: str, faults: list[tuple[FaultKind, int]]
) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path)
    for number in range(6):
        sink.write(make_record(number))
    sink.close()
    execute(path, damage)
    if faults[0][0] is FaultKind.REORDERED:
        execute(path, "UPDATE rows SET seq = -seq WHERE seq < 0")
        faults = [*faults, (FaultKind.REORDERED, 5)]
    assert [(fault.kind, fault.first) for fault in verify_file(path).faults] == faults


def test_threads_share_one_chain(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.sqlite"
    sinks = [SqliteSink(path), SqliteSink(path)]

    def work(start: int) -> None:
        for number in range(start, start + 20):
            sinks[number % 2].write(make_record(number))

    threads = [threading.Thread(target=work, args=(100 * index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sink in sinks:
        sink.close()
    assert verify_file(path).ok
    assert sorted(request_ids(path)) == [f"r{100 * index + number:04d}" for index in range(4) for number in range(20)]


def test_processes_share_one_chain_from_its_genesis_on(
    tmp_path: Path, start_writer: Callable[..., subprocess.Popen[bytes]]
) -> None:
    path = tmp_path / "audit.sqlite"
    writers = [start_writer(path, 15, name) for name in ("a", "b", "c")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert verify_file(path).ok
    assert sorted(request_ids(path)) == sorted(f"{name}-{number}" for name in "abc" for number in range(15))


def test_a_deleted_file_does_not_swallow_records(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path)
    sink.write(make_record(1))
    for file in tmp_path.iterdir():
        file.unlink()
    sink.write(make_record(2))
    sink.close()
    assert request_ids(path) == ["r0002"]
    assert verify_file(path).ok


def test_a_failing_write_leaves_the_chain_whole(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path)
    sink.write(make_record(1))
    execute(path, "CREATE TRIGGER no BEFORE INSERT ON head BEGIN SELECT RAISE(ABORT, 'Ada Roth'); END")
    with pytest.raises(AuditError, match="cannot write") as caught:
        sink.write(make_record(2))
    assert "Ada" not in str(caught.value)
    execute(path, "DROP TRIGGER no")
    sink.write(make_record(3))
    sink.close()
    assert verify_file(path).ok
    assert request_ids(path) == ["r0001", "r0003"]


@pytest.mark.parametrize("wanted", [1, 17, 43])
def test_after_a_kill_the_chain_holds_and_no_acknowledged_record_is_missing(
    tmp_path: Path, start_writer: Callable[..., subprocess.Popen[bytes]], wanted: int
) -> None:
    path = tmp_path / "audit.sqlite"
    writer = start_writer(path)
    assert writer.stdout is not None
    acknowledged = 0
    while acknowledged < wanted:
        acknowledged = int(writer.stdout.readline())
    writer.kill()
    writer.wait()
    acknowledged = max([acknowledged, *map(int, writer.stdout.read().splitlines()[:-1])])
    assert verify_file(path).ok
    assert len(request_ids(path)) >= acknowledged
    SqliteSink(path).close()
    assert verify_file(path).ok


def test_no_content_reaches_the_database_or_its_wal(
    tmp_path: Path, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    sink = SqliteSink(tmp_path / "audit.sqlite")
    sink.write(hostile_record)
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    assert [find_marks(file.read_bytes()) for file in files] == [[], [], []]
    sink.close()
    assert find_marks((tmp_path / "audit.sqlite").read_bytes()) == []


def test_the_stored_line_is_json_that_names_its_number(tmp_path: Path, record: AuditRecord) -> None:
    path = tmp_path / "audit.sqlite"
    sink = SqliteSink(path)
    sink.write(record)
    sink.close()
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT seq, line, json_extract(line, '$.record.target') FROM rows ORDER BY seq")
        stored = rows.fetchall()
    assert [target for _, _, target in stored] == [None, "gpt-5-mini"]
    for seq, line, _ in stored:
        row = parse_row(line.encode())
        assert row is not None
        assert row.seq == seq


def test_what_was_erased_is_overwritten_by_the_next_run_where_somebody_read_the_log_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with (
        closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as writer,
        closing(sqlite3.connect(path, isolation_level=None)) as reader,
    ):
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA secure_delete = ON", "CREATE TABLE t (x)"):
            writer.execute(statement).fetchone()
        writer.execute("INSERT INTO t VALUES (?)", ("canary " * 2000,))
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM t").fetchone() == (1,)
        writer.execute("UPDATE t SET x = ''")
        with pytest.raises(AuditError, match="run the command again"):
            _overwrite(writer, path, 1)
        reader.execute("ROLLBACK")
        _overwrite(writer, path, 0)
        assert b"canary" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
