"""The script writes a table that the need model reads, says how good it is, and repeats itself exactly."""

import json
from pathlib import Path

import numpy as np
import pytest

from privguard.core.entities import EntityType
from privguard.minimizer.cues import Cue, Task
from privguard.minimizer.need_table import TableNeedModel
from privguard.research import need_table
from privguard.research.need_table import auc


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(need_table, "REPLICATES", 20)


def run(folder: Path, out: Path) -> str:
    need_table.main(["--data", str(folder), "--out", str(out), "--seed", "3"])
    return out.read_text(encoding="utf-8")


def test_the_artifact_is_what_the_need_model_reads(need_folder: Path, tmp_path: Path) -> None:
    run(need_folder, tmp_path / "table.json")
    model = TableNeedModel(tmp_path / "table.json")
    name = model.row(EntityType.PERSON, Cue(Task.WRITE, False))
    place = model.row(EntityType.LOCATION, Cue(Task.PLAN, False))
    assert name.b_redact < place.b_redact


def test_same_data_and_seed_give_the_same_bytes(need_folder: Path, tmp_path: Path) -> None:
    assert run(need_folder, tmp_path / "a.json") == run(need_folder, tmp_path / "b.json")


def test_every_row_has_counts_distribution_and_intervals(need_folder: Path, tmp_path: Path) -> None:
    document = json.loads(run(need_folder, tmp_path / "table.json"))
    rows = [document["all"], *document["types"].values()]
    rows += [row for cells in document["cells"].values() for row in cells.values()]
    assert len(rows) == 1 + 26 + 26 * 20
    for row in rows:
        assert sum(row["need"]) == pytest.approx(1, abs=1e-3)
        for name in ("b_redact", "b_abstract"):
            low, high = row[f"{name}_95"]
            assert low <= high
    assert document["seed"] == 3
    assert set(document["data_sha256"]) == {"minimization", "pupa", "authored"}
    counted = sum(row["n"] for cells in document["cells"].values() for row in cells.values())
    assert counted == document["all"]["n"] > 0


def test_the_held_out_fold_is_scored_by_source(
    need_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(run(need_folder, tmp_path / "table.json"))
    scores = {row["source"]: row for row in document["test_fold"]}
    assert set(scores) == {"minimization", "pupa", "authored"}
    found = scores["minimization"]
    assert 0 < found["n_needed"] < found["n_spans"]
    assert found["auc"] > found["type_only_auc"]
    assert found["auc_95"][0] <= found["auc"] <= found["auc_95"][1]
    assert "held-out fold" in capsys.readouterr().out


def test_it_runs_without_the_invented_prompts(need_folder: Path, tmp_path: Path) -> None:
    (need_folder / "authored" / "train.jsonl").unlink()
    document = json.loads(run(need_folder, tmp_path / "table.json"))
    assert document["types"]["SEXUALITY"]["n"] == document["types"]["SEXUALITY"]["n_authored"] == 0


def test_the_area_counts_wins_and_half_of_ties() -> None:
    values = np.array([0.0, 1.0, 1.0, 2.0])
    positive = np.array([False, False, True, True])
    assert auc(values, positive) == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert auc(-values, positive) == pytest.approx(0.125)


@pytest.mark.parametrize("flag", [True, False])
def test_one_class_alone_is_unscored_and_not_zero(flag: bool) -> None:
    assert auc(np.array([1.0, 2.0]), np.array([flag, flag])) is None
