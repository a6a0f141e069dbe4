"""The sink of a guard: nothing is lost in forks, at the end of a process, or when it is dropped."""

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from privguard.audit.background import BackgroundSink
from privguard.audit.entries import Opened, decode_entry
from privguard.audit.faults import FaultKind
from privguard.audit.read import read_records, read_rows, verify_file
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode, AuditRecord, Intent
from privguard.core.errors import AuditError
from tests.open_files import needs_open_files, open_under

ROOT = Path(__file__).parents[2]
Make = Callable[..., AuditRecord]
NAMES = pytest.mark.parametrize("name", ["audit.sqlite", "audit.jsonl"])
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

_SCRIPT = """
import sys
from privguard.audit.background import BackgroundSink
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode, AuditRecord, Outcome

def record(name):
    return AuditRecord(request_id=name, at="2031-04-05T06:07:08+00:00", route="by-hand", target="m", theta=0.0,
                       target_provenance="assumed", profile_id="default:1", artifact_ids=(), outcome=Outcome.DONE)

sink = BackgroundSink(open_store(sys.argv[1]))
"""


def ids(path: Path) -> list[str]:
    """Return the request ids of the log."""
    return [record.request_id for record in read_records(path)]


def writing_threads() -> set[threading.Thread]:
    """Return the threads behind sinks."""
    return {each for each in threading.enumerate() if each.name == "privguard-audit"}


def run(path: Path, script: str) -> None:
    """Run a script with a sink in a process of its own."""
    code = _SCRIPT + textwrap.dedent(script)
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(path)], check=True, cwd=ROOT)


@NAMES
@pytest.mark.parametrize("mode", AuditMode)
def test_records_come_back_in_order(tmp_path: Path, make_record: Make, name: str, mode: AuditMode) -> None:
    path = tmp_path / name
    for start in (0, 5):
        sink = BackgroundSink(open_store(path), mode)
        assert sink.mode is mode
        for number in range(start, start + 5):
            record = make_record(number)
            sink.begin(Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target))
            sink.write(record)
        assert sink.flush(60)
        sink.close()
        sink.close()
    assert list(read_records(path)) == [make_record(number) for number in range(10)]
    verdict = verify_file(path)
    assert (verdict.faults, verdict.notes, verdict.records) == ((), (), 10)
    with pytest.raises(AuditError, match="closed"):
        sink.write(make_record(11))


@NAMES
@needs_open_files
def test_a_dropped_sink_writes_what_is_left_and_leaves_no_thread_and_no_file(
    tmp_path: Path, record: AuditRecord, name: str
) -> None:
    before = writing_threads()
    sink = BackgroundSink(open_store(tmp_path / name))
    sink.write(record)
    assert open_under(tmp_path)
    assert writing_threads() - before
    del sink
    assert open_under(tmp_path) == []
    assert not writing_threads() - before
    assert ids(tmp_path / name) == [record.request_id]
    assert verify_file(tmp_path / name).notes == ()


@NAMES
def test_a_process_that_ends_without_closing_loses_nothing(tmp_path: Path, name: str) -> None:
    run(tmp_path / name, 'for number in range(300): sink.write(record(f"r{number}"))')
    assert ids(tmp_path / name) == [f"r{number}" for number in range(300)]
    assert verify_file(tmp_path / name).notes == ()


@NEEDS_FORK
@NAMES
def test_a_forked_process_begins_a_session_of_its_own(tmp_path: Path, name: str) -> None:
    script = """
    import os
    for number in range(100):
        sink.write(record(f"a{number}"))
    child = os.fork()
    for number in range(100):
        sink.write(record(f"{'p' if child else 'c'}{number}"))
    if child == 0:
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    """
    run(tmp_path / name, script)
    found = ids(tmp_path / name)
    assert found[:100] == [f"a{number}" for number in range(100)]
    assert sorted(found[100:]) == sorted(f"{who}{number}" for who in "pc" for number in range(100))
    verdict = verify_file(tmp_path / name)
    assert (verdict.faults, verdict.notes) == ((), ())
    entries = [decode_entry(row.body) for row in read_rows(tmp_path / name) if row is not None]
    assert sum(isinstance(entry, Opened) for entry in entries) == 2


@NEEDS_FORK
@NAMES
def test_workers_of_multiprocessing_end_in_order(tmp_path: Path, name: str) -> None:
    script = """
    import multiprocessing

    def work(name):
        for number in range(50):
            sink.write(record(f"{name}{number}"))

    sink.write(record("first"))
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work, args=(name,)) for name in "xy"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    """
    run(tmp_path / name, script)
    assert sorted(ids(tmp_path / name)) == sorted(
        ["first", *(f"{who}{number}" for who in "xy" for number in range(50))]
    )
    assert verify_file(tmp_path / name).notes == ()


@NEEDS_FORK
def test_forks_in_the_middle_of_writing_lose_nothing_and_write_nothing_twice(tmp_path: Path) -> None:
    script = """
    import os, threading
    def work(name):
        for number in range(200):
            sink.write(record(f"{name}{number}"))
    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for number in range(5):
        child = os.fork()
        if child == 0:
            sink.write(record(f"child{number}"))
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
    for thread in threads:
        thread.join()
    """
    run(tmp_path / "audit.sqlite", script)
    wanted = [f"{who}{number}" for who in "ab" for number in range(200)] + [f"child{number}" for number in range(5)]
    assert sorted(ids(tmp_path / "audit.sqlite")) == sorted(wanted)
    verdict = verify_file(tmp_path / "audit.sqlite")
    assert (verdict.faults, verdict.notes) == ((), ())


@NEEDS_FORK
def test_a_fork_that_ran_no_hooks_is_noticed(
    tmp_path: Path, make_record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = BackgroundSink(open_store(tmp_path / "audit.jsonl"))
    sink.write(make_record(0))
    assert sink.flush(60)
    own = os.getpid()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: own + 1)
        sink.write(make_record(1))
        assert sink.flush(60)
    sink.close()
    assert ids(tmp_path / "audit.jsonl") == ["r0000", "r0001"]
    assert [note.kind for note in verify_file(tmp_path / "audit.jsonl").notes] == [FaultKind.UNCLOSED]


def test_no_content_reaches_any_file_of_the_log(
    tmp_path: Path, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    hostile = hostile_record
    for name in ("audit.sqlite", "audit.jsonl"):
        sink = BackgroundSink(open_store(tmp_path / name), AuditMode.REQUIRED)
        sink.begin(Intent(request_id=hostile.request_id, at=hostile.at, route=hostile.route, target=hostile.target))
        sink.write(hostile)
        assert sink.flush(60)
        assert not any(find_marks(file.read_bytes()) for file in tmp_path.iterdir())
        sink.close()
        assert verify_file(tmp_path / name).records == 1
    assert not any(find_marks(file.read_bytes()) for file in tmp_path.iterdir())


def test_a_sink_says_how_its_log_is(tmp_path: Path) -> None:
    sink = BackgroundSink(open_store(tmp_path / "audit.jsonl"))
    assert sink.is_failing is False
    sink.close()
