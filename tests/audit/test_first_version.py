"""Logs that the first version wrote are read, verified and continued."""

import shutil
from pathlib import Path

import pytest

from privguard.audit.codec import decode
from privguard.audit.jsonl import JsonlSink, head_path
from privguard.audit.read import read_rows, verify_file
from privguard.core.audit import AuditRecord, Cause, Outcome

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
    return [decode(row.body) for row in read_rows(path) if row is not None and row.seq > 0]


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
