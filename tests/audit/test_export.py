"""An export is the log in one file: it is read alike, and found to have the same faults."""

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privguard.audit.checkpoints import Notary
from privguard.audit.erasing import Erasure
from privguard.audit.export import open_export, write_export
from privguard.audit.faults import FaultKind, Verdict
from privguard.audit.jsonl import JsonlSink
from privguard.audit.jsonl_files import head_path
from privguard.audit.read import open_log, read_records, verify_file
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditRecord
from tests.audit.chains import FakeSigner

Make = Callable[..., AuditRecord]
SIGNER = FakeSigner()


def fill(path: Path, make_record: Make, count: int = 6) -> None:
    """Write a log with checkpoints and an erased row."""
    kind = JsonlSink if path.suffix == ".jsonl" else SqliteSink
    with closing(kind(path, notary=Notary(SIGNER, every=2))) as sink:
        for number in range(count):
            sink.write(make_record(number))
        sink.erase(Erasure(request="r0001"))


def export(path: Path, out: Path) -> int:
    """Write an export."""
    with open_log(path) as log, out.open("wb") as file:
        return write_export(log, file)


@pytest.mark.parametrize("name", ["audit.sqlite", "audit.jsonl"])
@pytest.mark.parametrize("suffix", ["jsonl", "export"])
def test_an_export_holds_rows_head_and_checkpoints(tmp_path: Path, make_record: Make, name: str, suffix: str) -> None:
    fill(tmp_path / name, make_record)
    out = tmp_path / f"out.{suffix}"
    assert export(tmp_path / name, out) == 8
    log = verify_file(tmp_path / name, public_keys=[SIGNER])
    exported = verify_file(out, public_keys=[SIGNER])
    assert exported == log
    assert log.ok
    assert log.signed is not None
    assert (log.signed.seq, log.records, log.erased) == (7, 5, 1)
    assert list(read_records(out)) == list(read_records(tmp_path / name))
    again = tmp_path / "again.jsonl"
    export(out, again)
    assert again.read_bytes() == out.read_bytes()


def test_an_export_without_its_first_line_has_no_head(tmp_path: Path, make_record: Make) -> None:
    fill(tmp_path / "audit.sqlite", make_record)
    export(tmp_path / "audit.sqlite", tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "out.jsonl").write_bytes(b"".join(lines[1:]))
    assert FaultKind.HEAD_MISSING in {fault.kind for fault in verify_file(tmp_path / "out.jsonl").faults}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.data())
def test_whatever_was_done_to_the_log_the_export_has_the_same_faults(
    tmp_path: Path, make_record: Make, data: st.DataObject
) -> None:
    path = tmp_path / "audit.jsonl"
    for file in tmp_path.iterdir():
        file.unlink()
    fill(path, make_record)
    lines = path.read_bytes().splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    damage = data.draw(st.sampled_from(["gone", "twice", "torn", "junk", "changed", "headless"]))
    match damage:
        case "gone":
            lines.pop(place)
        case "twice":
            lines.insert(place, lines[place])
        case "torn":
            lines.insert(place, lines[place][: data.draw(st.integers(1, 60))] + b"\n")
        case "junk":
            lines.insert(place, b"Ada Roth\n")
        case "changed":
            lines[place] = lines[place].replace(b"1", b"2", 1)
        case _:
            head_path(path).unlink()
    path.write_bytes(b"".join(lines))
    export(path, tmp_path / "out.jsonl")
    assert b"Ada Roth" not in (tmp_path / "out.jsonl").read_bytes()

    def short(verdict: Verdict) -> object:
        return verdict.faults, verdict.notes, verdict.records, verdict.erased

    assert short(verify_file(tmp_path / "out.jsonl")) == short(verify_file(path))


def test_rows_that_sqlite_cannot_give_back_leave_a_mark(tmp_path: Path, make_record: Make) -> None:
    import sqlite3

    path = tmp_path / "audit.sqlite"
    fill(path, make_record)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE rows SET line = 'Ada Roth' WHERE seq = 2")
        connection.execute(
            "UPDATE rows SET line = replace(line, '{\"artifact', '{' || char(10) || '\"artifact') WHERE seq = 4"
        )
    export(path, tmp_path / "out.jsonl")
    assert b"Ada Roth" not in (tmp_path / "out.jsonl").read_bytes()
    assert verify_file(tmp_path / "out.jsonl").faults == verify_file(path).faults != ()


def test_a_file_that_is_no_export_is_left_at_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"export":2,"head":null}\nrest')
    with (tmp_path / "a.jsonl").open("rb") as file:
        assert open_export(tmp_path / "a.jsonl", file) is None
        assert file.tell() == 0


def test_an_empty_log_exports_its_head(tmp_path: Path) -> None:
    SqliteSink(tmp_path / "audit.sqlite").close()
    out = io.BytesIO()
    with open_log(tmp_path / "audit.sqlite") as log:
        assert write_export(log, out) == 1
    (tmp_path / "out.jsonl").write_bytes(out.getvalue())
    assert verify_file(tmp_path / "out.jsonl").ok


@pytest.mark.parametrize("name", ["audit.sqlite", "audit.jsonl"])
def test_no_content_reaches_an_export(
    tmp_path: Path, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]], name: str
) -> None:
    with closing(JsonlSink(tmp_path / name) if name.endswith("jsonl") else SqliteSink(tmp_path / name)) as sink:
        sink.write(hostile_record)
    export(tmp_path / name, tmp_path / "out.jsonl")
    assert find_marks((tmp_path / "out.jsonl").read_bytes()) == []
    assert verify_file(tmp_path / "out.jsonl").records == 1
