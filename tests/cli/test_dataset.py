import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from privguard.api import load_guard
from privguard.cli.dataset import Job, Summary, run_dataset
from privguard.cli.ledger import ledger_path
from privguard.cli.rows import Finished
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.guard import Guard
from privguard.testing import FakeDetector, FakeNeed

MAKE: Callable[[], Guard] = partial(
    load_guard,
    detector=FakeDetector({"Ada Roth": EntityType.PERSON}),
    need=FakeNeed(b_redact=-9, b_abstract=-9),
    profiles={},
    key=b"0123456789abcdef",
    audit="off",
)
BAD = {3: b"{", 10: b'{"id": 1}', 40: b"[]"}
COUNT = 100


class StopRun(Exception):  # noqa: N818 - no fault: it stands for the end of the process
    pass


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    lines = [
        BAD.get(number, b"" if number == 7 else json.dumps({"id": number, "text": f"{number} Ada Roth"}).encode())
        for number in range(1, COUNT + 1)
    ]
    path.write_bytes(b"\n".join(lines))
    return path


def job(source: Path | None, out: Path | None, **more: Any) -> Job:  # noqa: ANN401 - fields of a job
    return Job(**{"source": source, "out": out, "target": "m", "has_stable_key": True, **more})


def run(job: Job, make: Callable[[], Guard] = MAKE) -> tuple[Summary, list[Finished]]:
    seen: list[Finished] = []
    return run_dataset(job, make, report=seen.append), seen


def ids(path: Path) -> list[int]:
    return [json.loads(line)["id"] for line in path.read_bytes().splitlines()]


GOOD = [number for number in range(1, COUNT + 1) if number not in BAD and number != 7]


def test_order_is_kept_and_bad_rows_are_reported_by_line(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    summary, seen = run(job(source, out))
    assert ids(out) == GOOD
    assert [each.number for each in seen if each.problem] == list(BAD)
    assert summary == Summary(written=len(GOOD), failed=3)
    assert b"Ada Roth" not in out.read_bytes()
    assert b"Ada Roth" not in ledger_path(out).read_bytes()


def test_several_workers_write_the_same_bytes(source: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run(job(source, one))
    summary, seen = run(job(source, two, workers=2))
    assert two.read_bytes() == one.read_bytes()
    assert summary.failed == 3
    assert [each.number for each in seen if each.problem] == list(BAD)


@pytest.mark.parametrize("stop", [1, 3, 4, 33, 39, 40, 96])
@pytest.mark.parametrize("torn", [0, 5, 300])
def test_an_interrupted_run_ends_with_the_same_bytes(source: Path, tmp_path: Path, stop: int, torn: int) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    run(job(source, whole))
    seen = 0

    def report(_finished: Finished) -> None:
        nonlocal seen
        seen += 1
        if seen == stop:
            raise StopRun

    with pytest.raises(StopRun):
        run_dataset(job(source, out), MAKE, report=report)
    content = out.read_bytes()
    out.write_bytes(content[: max(0, len(content) - torn)])
    summary, _ = run(job(source, out))
    assert out.read_bytes() == whole.read_bytes()
    assert summary.failed == 3
    assert summary.written + summary.resumed == len(GOOD)


def test_a_finished_run_has_nothing_left_to_do(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(job(source, out))
    before = out.read_bytes()
    totals: list[int | None] = []
    summary = run_dataset(job(source, out), MAKE, report=lambda _each: None, begin=totals.append)
    assert (summary.written, summary.resumed, summary.failed) == (0, len(GOOD), 3)
    assert (totals, out.read_bytes()) == ([0], before)


def test_a_changed_input_is_not_resumed_unless_fresh(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(job(source, out))
    source.write_bytes(b'{"id": 5, "text": "x"}\n')
    with pytest.raises(ConfigError, match="another input"):
        run(job(source, out))
    run(job(source, out, fresh=True))
    assert ids(out) == [5]


def test_an_output_whose_last_row_is_foreign_is_refused(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(job(source, out))
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:9] + lines[20:21]))
    with pytest.raises(ConfigError, match="last row"):
        run(job(source, out))
    out.write_bytes(b"".join(lines * 2))
    with pytest.raises(ConfigError, match="more rows"):
        run(job(source, out))


def test_a_compressed_input_gives_the_same_rows(source: Path, tmp_path: Path) -> None:
    packed = tmp_path / "in.jsonl.gz"
    packed.write_bytes(gzip.compress(source.read_bytes()))
    plain, out = tmp_path / "plain", tmp_path / "out"
    run(job(source, plain))
    run(job(packed, out))
    assert out.read_bytes() == plain.read_bytes()


def test_settings_are_checked_before_anything_is_written(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(ConfigError):
        run(job(source, out, profile="missing"))
    with pytest.raises(ConfigError, match="input itself"):
        run(job(source, source))
    with pytest.raises(ConfigError, match="gz"):
        run(job(source, tmp_path / "out.gz"))
    with pytest.raises(ConfigError, match="workers"):
        run(job(source, out, workers=0))
    assert not out.exists()
    assert len(source.read_bytes().splitlines()) == COUNT


def test_a_guard_that_cannot_be_built_ends_the_run_before_anything_is_written(source: Path, tmp_path: Path) -> None:
    def broken() -> Guard:
        raise ConfigError("no such profile file")

    with pytest.raises(ConfigError, match="no such profile file"):
        run(job(source, tmp_path / "out"), broken)
    assert not (tmp_path / "out").exists()


def test_workers_end_when_their_parent_is_killed() -> None:
    code = (
        "import os, signal\n"
        "from functools import partial\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from privguard.api import load_guard\n"
        "from privguard.cli.dataset import _start_worker\n"
        "from privguard.testing import FakeDetector\n"
        "make = partial(load_guard, detector=FakeDetector({}), profiles={}, audit='off')\n"
        "pool = ProcessPoolExecutor(1, get_context('spawn'), _start_worker, (make,))\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # The worker holds the pipe open: reading it to its end waits for the worker.
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert int(done.stdout) > 0
