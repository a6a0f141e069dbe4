"""The JSONL sink: one chain, whoever writes and however they end."""

import gc
import json
import os
import stat
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privguard.audit.chain import Hasher
from privguard.audit.codec import decode
from privguard.audit.faults import Fault, FaultKind
from privguard.audit.jsonl import JsonlSink
from privguard.audit.jsonl_files import MAX_LAG, head_path, load_head
from privguard.audit.lines import format_head, format_row, parse_head, parse_row
from privguard.audit.read import read_rows, verify_file
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.audit.chains import request_ids
from tests.open_files import needs_open_files, open_under

KEY = b"an invented audit key"
Make = Callable[..., AuditRecord]


def fill(path: Path, make_record: Make, count: int = 4, key: bytes | None = None) -> list[bytes]:
    """Write records, and return the lines of the file."""
    sink = JsonlSink(path, key=key)
    for number in range(count):
        sink.write(make_record(number))
    sink.close()
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_records_come_back_in_order_over_several_openings(tmp_path: Path, make_record: Make, key: bytes | None) -> None:
    path = tmp_path / "audit.jsonl"
    for start in (0, 3):
        sink = JsonlSink(path, key=key)
        for number in range(start, start + 3):
            sink.write(make_record(number))
        sink.close()
        sink.close()
    rows = [row for row in read_rows(path) if row is not None]
    assert [decode(row.body) for row in rows[1:]] == [make_record(number) for number in range(6)]
    assert verify_file(path, key).ok


def test_every_line_is_json(tmp_path: Path, make_record: Make) -> None:
    lines = fill(tmp_path / "audit.jsonl", make_record)
    assert [json.loads(line)["seq"] for line in lines] == [0, 1, 2, 3, 4]
    assert json.loads(head_path(tmp_path / "audit.jsonl").read_bytes())["seq"] == 4


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_log_and_head_are_private(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "deep" / "audit.jsonl"
    fill(path, make_record)
    assert {file.name for file in path.parent.iterdir()} == {"audit.jsonl", "audit.jsonl.head"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_closed_sink_refuses_to_write(tmp_path: Path, record: AuditRecord) -> None:
    sink = JsonlSink(tmp_path / "audit.jsonl")
    sink.close()
    with pytest.raises(AuditError, match="closed"):
        sink.write(record)


@needs_open_files
def test_a_dropped_sink_leaves_no_open_file(tmp_path: Path, record: AuditRecord) -> None:
    sink = JsonlSink(tmp_path / "audit.jsonl")
    sink.write(record)
    assert open_under(tmp_path)
    del sink
    gc.collect()
    assert open_under(tmp_path) == []
    with suppress(AuditError):
        JsonlSink(tmp_path)
    gc.collect()
    assert open_under(tmp_path) == []


def test_a_broken_path_and_a_file_of_something_else_fail_at_construction(tmp_path: Path) -> None:
    foreign = tmp_path / "data.jsonl"
    foreign.write_bytes(b'{"id": 1}\n')
    for path in (foreign / "audit.jsonl", tmp_path, foreign):
        with pytest.raises(AuditError):
            JsonlSink(path)
    assert foreign.read_bytes() == b'{"id": 1}\n'
    assert not head_path(foreign).exists()


@pytest.mark.parametrize("cut", [1, 2, 60, 200], ids=lambda _: "")
def test_an_unfinished_line_is_kept_and_noted_and_the_chain_goes_on(
    tmp_path: Path, make_record: Make, cut: int
) -> None:
    path = tmp_path / "audit.jsonl"
    lines = fill(path, make_record)
    # A killed writer: row 4 half written, the head still at row 3.
    row = parse_row(lines[3].rstrip(b"\n"))
    assert row is not None
    head_path(path).write_bytes(seal(path, row.seq, lines))
    torn = lines[4][:-1][:-cut]
    path.write_bytes(b"".join(lines[:4]) + torn)
    before = verify_file(path)
    assert (before.faults, before.notes) == ((), (Fault(kind=FaultKind.UNFINISHED, first=4, last=4),))
    sink = JsonlSink(path)
    sink.write(make_record(9))
    sink.close()
    after = verify_file(path)
    assert (after.faults, after.notes) == ((), before.notes)
    assert request_ids(path) == ["r0000", "r0001", "r0002", "r0009"]
    assert torn + b"\n" in path.read_bytes()


def seal(path: Path, seq: int, lines: list[bytes]) -> bytes:
    """Return the head as it was after row `seq`."""
    row = parse_row(lines[seq].rstrip(b"\n"))
    assert row is not None
    return format_head(Hasher().head(row)) + b"\n"


@pytest.mark.parametrize("ending", [b"", b"\n"], ids=["no-newline", "whole"])
def test_a_row_whose_head_was_not_moved_any_more_is_taken_over(
    tmp_path: Path, make_record: Make, ending: bytes
) -> None:
    path = tmp_path / "audit.jsonl"
    lines = fill(path, make_record)
    head_path(path).write_bytes(seal(path, 3, lines))
    path.write_bytes(b"".join(lines).removesuffix(b"\n") + ending)
    assert verify_file(path).ok
    sink = JsonlSink(path)
    sink.write(make_record(9))
    sink.close()
    assert (verify_file(path).faults, verify_file(path).notes) == ((), ())
    assert request_ids(path) == ["r0000", "r0001", "r0002", "r0003", "r0009"]


@pytest.mark.parametrize("length", [0, 1, 40, 10**6], ids=["empty", "one-byte", "torn", "whole"])
def test_a_log_that_was_killed_at_its_birth_is_taken_over(tmp_path: Path, make_record: Make, length: int) -> None:
    path = tmp_path / "audit.jsonl"
    genesis = fill(path, make_record, 0)[0]
    head_path(path).unlink()
    path.write_bytes(genesis[:length])
    sink = JsonlSink(path)
    sink.write(make_record(1))
    sink.close()
    assert verify_file(path).ok
    assert request_ids(path) == ["r0001"]


def test_a_log_that_does_not_end_at_its_head_is_not_written_over(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    lines = fill(path, make_record)
    head = head_path(path).read_bytes()
    far = fill(path, make_record, MAX_LAG)
    before = seal(path, len(far) - 2 - MAX_LAG, far)
    for kept, stored in ((lines[:4], head), ([], head), (lines, b""), (lines[1:], b"x"), (far, before)):
        path.write_bytes(b"".join(kept))
        head_path(path).write_bytes(stored)
        with pytest.raises(AuditError, match="privguard audit verify"):
            JsonlSink(path)
        assert path.read_bytes() == b"".join(kept)
        assert not verify_file(path).ok


def test_a_chain_goes_on_with_its_own_key_only(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    fill(path, make_record, key=KEY)
    for other in (None, KEY + b"!"):
        with pytest.raises(AuditError, match="another key"):
            JsonlSink(path, key=other)


def test_a_failing_write_leaves_no_half_row(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    sink = JsonlSink(path)
    sink.write(make_record(1))
    before = path.read_bytes()
    # A directory in the place of the head.
    head_path(path).rename(tmp_path / "aside")
    head_path(path).mkdir()
    with pytest.raises(AuditError):
        sink.write(make_record(2))
    assert path.read_bytes() == before
    head_path(path).rmdir()
    (tmp_path / "aside").rename(head_path(path))
    sink.write(make_record(3))
    sink.close()
    assert (verify_file(path).faults, verify_file(path).notes) == ((), ())
    assert request_ids(path) == ["r0001", "r0003"]


def test_threads_share_one_chain(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    sinks = [JsonlSink(path), JsonlSink(path)]

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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no flock")
def test_processes_share_one_chain_from_its_genesis_on(
    tmp_path: Path, start_writer: Callable[..., subprocess.Popen[bytes]]
) -> None:
    path = tmp_path / "audit.jsonl"
    writers = [start_writer(path, 15, name) for name in ("a", "b", "c")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert verify_file(path).ok
    assert sorted(request_ids(path)) == sorted(f"{name}-{number}" for name in "abc" for number in range(15))


def test_a_moved_log_does_not_swallow_records(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    sink = JsonlSink(path)
    sink.write(make_record(1))
    path.rename(tmp_path / "old.jsonl")
    head_path(path).rename(tmp_path / "old.jsonl.head")
    sink.write(make_record(2))
    sink.close()
    assert request_ids(path) == ["r0002"]
    assert verify_file(path).ok
    assert verify_file(tmp_path / "old.jsonl").ok


@pytest.mark.parametrize("wanted", [1, 17, 43])
def test_after_a_kill_the_chain_holds_and_no_acknowledged_record_is_missing(
    tmp_path: Path, start_writer: Callable[..., subprocess.Popen[bytes]], wanted: int
) -> None:
    path = tmp_path / "audit.jsonl"
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
    JsonlSink(path).close()
    assert verify_file(path).ok


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(st.data())
def test_a_writer_killed_at_any_byte_leaves_a_chain_that_holds_and_goes_on(
    tmp_path: Path, make_record: Make, data: st.DataObject
) -> None:
    path = tmp_path / "audit.jsonl"
    path.unlink(missing_ok=True)
    head_path(path).unlink(missing_ok=True)
    lines = fill(path, make_record, 3)
    cut = data.draw(st.integers(1, len(lines[3])))
    head_path(path).write_bytes(seal(path, 2, lines))
    path.write_bytes(b"".join(lines)[:-cut] if cut > 1 else b"".join(lines))
    assert verify_file(path).ok
    sink = JsonlSink(path)
    sink.write(make_record(9))
    sink.close()
    assert verify_file(path).ok
    assert request_ids(path) in (["r0000", "r0001", "r0009"], ["r0000", "r0001", "r0002", "r0009"])


def test_no_content_reaches_the_log_or_its_head(
    tmp_path: Path, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    sink = JsonlSink(tmp_path / "audit.jsonl")
    sink.write(hostile_record)
    sink.close()
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert [find_marks(file.read_bytes()) for file in files] == [[], []]


def test_a_head_is_written_in_place_within_one_sector(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    fill(path, make_record, 2)
    before = head_path(path).stat()
    fill(path, make_record, 9)
    after = head_path(path).stat()
    assert (before.st_ino, before.st_size) == (after.st_ino, after.st_size)
    assert after.st_size <= 512


def test_a_head_that_is_none_reads_as_missing(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    assert load_head(path) is None
    lines = fill(path, make_record)
    head = load_head(path)
    assert head is not None
    assert head == parse_head(head_path(path).read_bytes().rstrip())
    last = parse_row(lines[-1].rstrip(b"\n"))
    assert last is not None
    assert (head.seq, head.hash) == (last.seq, last.hash)
    assert format_row(last) + b"\n" == lines[-1]
    head_path(path).write_bytes(b"Ada Roth\n")
    assert load_head(path) is None


def test_the_end_is_found_behind_lines_longer_than_the_first_look(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "audit.jsonl"
    fill(path, make_record, 2)
    last = parse_row(path.read_bytes().splitlines()[-1])
    assert last is not None
    with path.open("ab") as file:
        file.write(format_row(Hasher().follow(last, b'{"x":"%s"}' % (b"x" * 400_000), "5a" * 16))[:-3])
    sink = JsonlSink(path)
    sink.write(make_record(7))
    sink.close()
    verdict = verify_file(path)
    assert verdict.ok
    assert [note.kind for note in verdict.notes] == [FaultKind.UNFINISHED]
    assert request_ids(path) == ["r0000", "r0001", "r0007"]
