"""Requests with gold spans."""

import json
from pathlib import Path

import pytest

from benchmarks.need.gold import NEED_FILES, read_folds
from privguard.core.errors import ConfigError


def write(path: Path, *rows: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")


def value(text: str, kind: str, need: object) -> dict[str, object]:
    return {"text": text, "type": kind, "need": need, "owner": "user"}


def fill(folder: Path) -> None:
    span = {"start": 0, "end": 8, "type": "PERSON", "need": [2, 1], "owner": ["user", "user"]}
    inner = {"start": 4, "end": 8, "type": "PERSON", "need": [0, 0], "owner": ["user", "user"]}
    said = {"role": "user", "content": "Ada Roth", "spans": [span, inner]}
    single = {"id": "authored:1", "lang": "en", "text": "Ada Roth asks", "spans": [span]}
    write(folder / "authored" / "test.jsonl", single, {"id": "authored:2", "lang": "en", "messages": [said]})
    write(folder / "authored" / "train.jsonl", single)
    prompts = [
        {"text": f"Ada met Ben in Oslo. {number} times, Ada says.", "spans": [value("Ada", "NAME", [4, 2])]}
        for number in range(40)
    ]
    write(folder / "need" / "minimization_prompts.jsonl", *prompts, prompts[0])
    write(folder / "need" / "pupa_prompts.jsonl", *prompts)


def test_a_value_is_one_row_with_all_its_mentions(tmp_path: Path) -> None:
    fill(tmp_path)
    for request in read_folds(tmp_path, test=True)["minimization prompts"]:
        (row,) = request.rows
        assert row.labels == (4, 2)
        assert len(row.mentions) == 2
        assert {request.spans[segment][place].length for segment, place in row.mentions} == {3}


def test_test_and_training_folds_share_no_prompt_and_equal_prompts_count_once(tmp_path: Path) -> None:
    fill(tmp_path)
    test, train = (
        [request.segments[0].text for request in read_folds(tmp_path, test=flag)["minimization prompts"]]
        for flag in (True, False)
    )
    assert len(set(test) | set(train)) == len(test) + len(train) == 40
    assert test


def test_dialogues_stand_apart_and_of_overlapping_spans_the_first_counts(tmp_path: Path) -> None:
    fill(tmp_path)
    sets = read_folds(tmp_path, test=True)
    assert len(sets["authored texts"]) == 1
    (dialogue,) = sets["authored dialogues"]
    assert [row.labels for row in dialogue.rows] == [(2, 1)]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / NEED_FILES["pupa"]).unlink()
    with pytest.raises(ConfigError, match=r"pupa_prompts\.jsonl cannot be read: FileNotFoundError"):
        read_folds(tmp_path, test=True)
