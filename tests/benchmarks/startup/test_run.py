"""What is measured of fresh processes."""

import json
from pathlib import Path

import pytest

from benchmarks.startup.run import main, measure_guards, median_of


def test_the_median_lies_in_its_interval() -> None:
    found = median_of([{"load": float(ms)} for ms in range(1, 10)], "load")
    assert (found.value, found.n) == (5.0, 9)
    assert found.low is not None
    assert found.high is not None
    assert 1.0 <= found.low <= 5.0 <= found.high <= 9.0


def test_load_and_first_request_add_up_and_the_first_process_does_not_count() -> None:
    (runs,) = measure_guards(["rules"], 1).values()
    assert len(runs) == 1
    assert runs[0]["load"] + runs[0]["first"] == pytest.approx(runs[0]["both"])
    assert 0 < runs[0]["load_cpu"] < runs[0]["both_cpu"]


def test_figures_come_with_intervals(tmp_path: Path) -> None:
    main(["--systems", "rules", "--repetitions", "1", "--out", str(tmp_path / "out.json")])
    figures = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert figures["guards_ms"]["rules"]["both"]["n"] == 1
    assert set(figures["imports_ms"]) >= {"import privguard"}


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(SystemExit, match="no system is called nothing"):
        main(["--systems", "nothing"])
