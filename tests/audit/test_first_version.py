"""Logs that the first version wrote are read, verified and continued."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from privguard.audit.checkpoints import Notary
from privguard.audit.codec import decode
from privguard.audit.erasing import Erasure
from privguard.audit.jsonl import JsonlSink
from privguard.audit.jsonl_files import head_path, load_head
from privguard.audit.read import read_rows, verify_file
from privguard.audit.sqlite import APPLICATION_ID, SqliteSink
from privguard.core.audit import AuditRecord, Cause, Outcome
from privguard.core.errors import AuditError
from tests.audit.chains import FakeSigner

DATA = Path(__file__).parent / "data"
LOGS = pytest.mark.parametrize(
    ("name", "key"),
    [("first_version.jsonl", None), ("first_version_keyed.jsonl", b"an invented audit key")],
    ids=["plain", "keyed"],
)


def copy_of(name: str, folder: Path) -> Path:
    """Copy a log, with its head, to where it may be changed."""
    path = folder / name
    shutil.copy(DATA / name, path)
    shutil.copy(head_path(DATA / name), head_path(path))
    return path


def records(path: Path) -> list[AuditRecord]:
    """Return the records of a log."""
    return [decode(row.body) for row in read_rows(path) if row is not None and row.seq > 0 and row.body]


@LOGS
def test_its_records_are_read(tmp_path: Path, name: str, key: bytes | None) -> None:
    found = records(copy_of(name, tmp_path))
    assert [record.outcome for record in found] == list(Outcome)
    assert {event.cause for record in found for event in record.events} == {None, Cause.URL}
    assert {event.length for record in found for event in record.events} == {0}


@LOGS
def test_it_verifies_and_goes_on(tmp_path: Path, record: AuditRecord, name: str, key: bytes | None) -> None:
    path = copy_of(name, tmp_path)
    assert verify_file(path, key).ok
    sink = JsonlSink(path, key=key)
    sink.write(record)
    sink.close()
    assert verify_file(path, key).ok
    assert records(path)[-1] == record


@pytest.mark.parametrize("verified_first", [True, False], ids=["read-first", "written-first"])
def test_a_database_of_the_first_schema_is_read_as_it_is_and_brought_up_to_date_by_its_next_writer(
    tmp_path: Path, record: AuditRecord, verified_first: bool
) -> None:
    path = first_database(tmp_path / "audit.sqlite")
    if verified_first:
        before = path.read_bytes()
        assert verify_file(path).ok
        assert path.read_bytes() == before
    sink = SqliteSink(path, notary=Notary(FakeSigner()))
    sink.write(record)
    sink.close()
    verdict = verify_file(path, public_keys=[FakeSigner()])
    assert (verdict.ok, verdict.records) == (True, len(Outcome) + 1)
    assert records(path)[-1] == record


def test_its_rows_are_not_erased_one_by_one(tmp_path: Path, record: AuditRecord) -> None:
    for sink in (
        JsonlSink(copy_of("first_version.jsonl", tmp_path)),
        SqliteSink(first_database(tmp_path / "a.sqlite")),
    ):
        sink.write(replace(record, request_id="new"))
        with pytest.raises(AuditError, match="earlier version"):
            sink.erase(Erasure(request="r0001"))
        assert sink.erase(Erasure(request="new")) == 1
        sink.close()
    for path in (tmp_path / "first_version.jsonl", tmp_path / "a.sqlite"):
        assert (verify_file(path).ok, verify_file(path).erased) == (True, 1)


def first_database(path: Path) -> Path:
    """Write the rows of a log into a database of the first schema."""
    head = load_head(DATA / "first_version.jsonl")
    assert head is not None
    lines = (DATA / "first_version.jsonl").read_text(encoding="ascii").splitlines()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        connection.execute(
            "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER, hash TEXT, seal TEXT)"
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.executemany("INSERT INTO rows VALUES (?, ?)", enumerate(lines))
        connection.execute("INSERT INTO head VALUES (1, ?, ?, ?)", (head.seq, head.hash, head.seal))
    return path
