"""The benchmark of reports measures what it says, on a small log."""

from pathlib import Path

import pytest

from benchmarks.audit.report import BAR_MIB, Cost, measure, report


def test_a_report_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    cost = measure(tmp_path / "a.jsonl", 30)
    assert cost.records == 30
    assert cost.seconds > 0
    assert cost.peak_mib > 1


def test_what_is_above_the_bar_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    short = Cost(records=10, seconds=1.0, peak_mib=40.0)
    report(
        [short, Cost(records=100, seconds=1.0, peak_mib=40.0 + BAR_MIB), Cost(records=100, seconds=1.0, peak_mib=60)]
    )
    lines = capsys.readouterr().out.splitlines()
    assert ["above the bar" in line for line in lines] == [False, False, True]
