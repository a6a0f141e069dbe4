"""Both formats are read alike, without a change to them."""

import os
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from privguard.audit.codec import decode
from privguard.audit.faults import Fault, FaultKind
from privguard.audit.read import open_log, read_rows, verify_file
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.open_files import needs_open_files, open_under

Make = Callable[..., AuditRecord]
NAMES = pytest.mark.parametrize("name", ["audit.sqlite", "audit.jsonl"])


def fill(path: Path, make_record: Make, count: int = 5) -> None:
    """Write records."""
    sink = open_store(path)
    for number in range(count):
        sink.write(make_record(number))
    sink.close()


@NAMES
def test_rows_come_genesis_first_and_in_order(tmp_path: Path, make_record: Make, name: str) -> None:
    fill(tmp_path / name, make_record)
    rows = [row for row in read_rows(tmp_path / name) if row is not None]
    assert [row.seq for row in rows] == [0, 1, 2, 3, 4, 5]
    assert [decode(row.body) for row in rows[1:]] == [make_record(number) for number in range(5)]


@NAMES
def test_reading_changes_neither_log_nor_mode(tmp_path: Path, make_record: Make, name: str) -> None:
    path = tmp_path / name
    fill(path, make_record)
    before = path.read_bytes(), path.stat().st_mode
    assert verify_file(str(path)).ok
    assert (path.read_bytes(), path.stat().st_mode) == before


@NAMES
def test_a_log_is_read_as_it_stood_while_others_write(tmp_path: Path, make_record: Make, name: str) -> None:
    path = tmp_path / name
    fill(path, make_record)
    sink = open_store(path)
    with open_log(path) as log:
        sink.write(make_record(6))
        rows = list(log.rows)
        assert log.head is not None
        assert log.head.seq == 5
    assert len(rows) == 6
    assert verify_file(path).rows == 7
    sink.close()


@NAMES
def test_a_log_of_a_writer_that_is_still_open_verifies(tmp_path: Path, make_record: Make, name: str) -> None:
    sink = open_store(tmp_path / name)
    sink.write(make_record())
    assert verify_file(tmp_path / name).ok
    sink.close()


def test_a_copy_of_the_database_without_its_wal_reads_in_a_directory_that_cannot_be_written(
    tmp_path: Path, make_record: Make
) -> None:
    fill(tmp_path / "audit.sqlite", make_record)
    locked = tmp_path / "locked"
    locked.mkdir()
    (tmp_path / "audit.sqlite").rename(locked / "audit.sqlite")
    locked.chmod(0o500)
    try:
        assert verify_file(locked / "audit.sqlite").rows == 6
    finally:
        locked.chmod(0o700)


def test_what_is_no_log_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="there is no audit log"):
        verify_file(tmp_path / "audit.sqlite")
    with pytest.raises(AuditError, match="cannot open"):
        verify_file(tmp_path)
    with closing(sqlite3.connect(tmp_path / "other.sqlite", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(AuditError, match="no audit database"):
        list(read_rows(tmp_path / "other.sqlite"))
    damaged = (tmp_path / "other.sqlite").read_bytes()[:1000]
    (tmp_path / "damaged.sqlite").write_bytes(damaged)
    with pytest.raises(AuditError, match="damaged"):
        list(read_rows(tmp_path / "damaged.sqlite"))
    assert not (tmp_path / "audit.sqlite").exists()


def test_a_file_without_a_row_is_no_chain(tmp_path: Path) -> None:
    for content in (b"", b'{"seq":0', b"\n\n", b"\xff" + os.urandom(64)):
        (tmp_path / "audit.jsonl").write_bytes(content)
        kinds = {fault.kind for fault in verify_file(tmp_path / "audit.jsonl").faults}
        assert kinds - {FaultKind.FOREIGN} == {FaultKind.HEAD_MISSING}


def test_an_error_of_the_reader_itself_stays_what_it_is(tmp_path: Path, make_record: Make) -> None:
    fill(tmp_path / "audit.jsonl", make_record)
    with pytest.raises(BrokenPipeError), open_log(tmp_path / "audit.jsonl"):
        raise BrokenPipeError


@NAMES
def test_memory_does_not_grow_with_the_log(tmp_path: Path, make_record: Make, name: str) -> None:
    def peak(path: Path) -> int:
        tracemalloc.start()
        try:
            assert verify_file(path).ok
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    fill(tmp_path / f"small-{name}", make_record, 50)
    fill(tmp_path / f"large-{name}", make_record, 500)
    peak(tmp_path / f"small-{name}")
    # What other threads hold at a moment is measured as well: never every time.
    assert any(peak(tmp_path / f"large-{name}") <= peak(tmp_path / f"small-{name}") + 50_000 for _ in range(3))


@NAMES
def test_one_changed_byte_of_a_row_is_one_changed_row(tmp_path: Path, make_record: Make, name: str) -> None:
    path = tmp_path / name
    fill(path, lambda number: replace(make_record(number), request_id=f"unique{number}"))
    content = path.read_bytes()
    assert content.count(b"unique3") == 1
    path.write_bytes(content.replace(b"unique3", b"unique8"))
    assert verify_file(path).faults == (Fault(kind=FaultKind.CHANGED, first=4, last=4),)


@needs_open_files
def test_a_file_that_cannot_be_read_is_not_left_open(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (x)")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(AuditError) as caught:
        verify_file(path)
    # The traceback keeps every frame alive, and with it whatever was left open.
    assert open_under(tmp_path) == []
    del caught


def test_a_foreign_line_between_the_rows_is_a_fault(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    fill(path, make_record)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"anything at all\n", *lines[2:]]))
    assert verify_file(path).faults == (Fault(kind=FaultKind.FOREIGN, first=2, last=2),)
