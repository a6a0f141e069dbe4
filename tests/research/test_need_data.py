"""Labelled prompts are read into one shape, each once, with a fold that depends on the text alone."""

import json
from pathlib import Path

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.minimizer.cues import Cue, Task
from privguard.research.need_data import AUTHORED, OPEN_ENDED, TYPE_NAMES, read_need_data


def test_all_three_files_are_read_with_their_hashes(need_folder: Path) -> None:
    data = read_need_data(need_folder)
    counts = {source: sum(record.source == source for record in data.records) for source in data.sha256}
    assert counts == {OPEN_ENDED: 48, "pupa": 24, AUTHORED: 16}
    assert all(len(digest) == 64 for digest in data.sha256.values())


def test_types_cues_and_both_annotations_are_kept(need_folder: Path) -> None:
    first, second = read_need_data(need_folder).records[0].spans
    assert (first.kind, second.kind) == (EntityType.PERSON, EntityType.DATE)
    assert first.cue == Cue(Task.WRITE, False)
    assert second.labels == (0, 1)
    assert second.mean == 0.5


def test_an_authored_conversation_is_read_by_its_last_turn_and_its_blind_labels(need_folder: Path) -> None:
    single, talk = [record for record in read_need_data(need_folder).records if record.source == AUTHORED][:2]
    assert [(span.cue, span.labels) for span in single.spans] == [(Cue(Task.ADVISE, False), (0,))]
    assert [(span.cue, span.labels) for span in talk.spans] == [
        (Cue(Task.COMPUTE, False), (4,)),
        (Cue(Task.COMPUTE, True), (0,)),
    ]


def test_equal_prompts_count_once_and_share_a_fold(need_folder: Path) -> None:
    pupa = need_folder / "need" / "pupa_prompts.jsonl"
    pupa.write_text(pupa.read_text(encoding="utf-8") * 2, encoding="utf-8")
    data = read_need_data(need_folder)
    folds = {source: [record.test for record in data.records if record.source == source] for source in data.sha256}
    assert len(folds["pupa"]) == 24
    assert folds["pupa"] == folds[OPEN_ENDED][:24]
    assert 0 < sum(folds[OPEN_ENDED]) < len(folds[OPEN_ENDED])


def test_missing_files_are_left_out_and_none_at_all_is_an_error(need_folder: Path, tmp_path: Path) -> None:
    (need_folder / "authored" / "train.jsonl").unlink()
    assert set(read_need_data(need_folder).sha256) == {OPEN_ENDED, "pupa"}
    with pytest.raises(ConfigError, match="holds none of"):
        read_need_data(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "row", [{}, {"text": "Ada Roth", "spans": [{"type": "NO_SUCH", "need": [0]}]}, {"text": 3, "spans": []}]
)
def test_a_malformed_row_is_named_by_its_line_and_not_shown(need_folder: Path, row: dict[str, object]) -> None:
    with (need_folder / "need" / "pupa_prompts.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    with pytest.raises(ConfigError, match="line 25") as caught:
        read_need_data(need_folder)
    assert "Roth" not in str(caught.value)


def test_foreign_type_names_never_shadow_ours() -> None:
    assert not set(TYPE_NAMES) & set(EntityType)
