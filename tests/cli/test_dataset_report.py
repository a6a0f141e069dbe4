import json
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from privguard.api import load_guard
from privguard.cli.dataset import Job
from privguard.cli.dataset_report import Terminated, run_with_progress
from privguard.core.entities import EntityType
from privguard.guard import Guard
from privguard.testing import FakeDetector

MAKE = partial(load_guard, detector=FakeDetector({"Ada Roth": EntityType.PERSON}), profiles={}, audit="off")


def test_bad_rows_and_the_sum_are_told_on_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_text('{"id": 1, "text": "Ada Roth"}\n{"id": 2, "text": ["Ada Roth"]}\n{"id": 3, "text": "x"}\n')
    summary = run_with_progress(Job(source=source, out=out, target="m"), MAKE)
    told = capsys.readouterr()
    assert (summary.written, summary.failed, told.out) == (2, 1, "")
    assert told.err.splitlines() == ["line 2: text is not a string", "2 rows written, 1 lines failed"]
    run_with_progress(Job(source=source, out=out, target="m"), MAKE)
    again = capsys.readouterr().err
    assert "another random key" in again
    assert "0 rows written, 2 were there already, 1 lines failed" in again


def test_an_interrupt_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in"
    source.write_text(json.dumps({"id": 1, "text": "x"}))

    def interrupted() -> Guard:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_with_progress(Job(source=source, out=tmp_path / "out", target="m"), interrupted)
    assert "same command again" in capsys.readouterr().err


def test_a_request_to_end_stops_like_an_interrupt_and_leaves_the_handler_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, before = tmp_path / "in", signal.getsignal(signal.SIGTERM)
    source.write_text(json.dumps({"id": 1, "text": "x"}))

    def ended() -> Guard:
        os.kill(os.getpid(), signal.SIGTERM)
        return MAKE()

    with pytest.raises(Terminated):
        run_with_progress(Job(source=source, out=tmp_path / "out", target="m"), ended)
    assert "same command again" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is before
