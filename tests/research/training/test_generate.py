import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.research.training.generate import Example, ask, generate, main, write


@pytest.fixture(scope="module")
def examples(gazetteer_data: Path) -> list[Example]:
    return list(generate(gazetteer_data, n=800, seed=5))


def test_the_same_seed_gives_the_same_examples(gazetteer_data: Path, examples: list[Example]) -> None:
    assert list(generate(gazetteer_data, n=50, seed=5)) == examples[:50]
    assert list(generate(gazetteer_data, n=50, seed=6)) != examples[:50]


def test_all_types_occur(examples: list[Example]) -> None:
    assert {span.label for example in examples for span in example.spans} == set(EntityType.__members__)


def test_some_texts_hold_nothing_sensitive(examples: list[Example]) -> None:
    assert 0.03 < sum(not example.spans for example in examples) / len(examples) < 0.3


def test_spans_hug_their_values(examples: list[Example]) -> None:
    for example in examples:
        assert example.text == example.text.strip()
        for span in example.spans:
            value = example.text[span.start : span.end]
            assert value
            assert value == value.strip()


def test_the_command_writes_rows_of_the_common_schema(gazetteer_data: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    main(["--data", str(gazetteer_data), "--out", str(out), "--n", "20", "--asked", "9", "--seed", "2"])
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == 29
    assert all(row.keys() == {"id", "source", "lang", "text", "spans"} for row in rows)
    assert [row["source"] for row in rows] == ["generated"] * 20 + ["asked"] * 9


def test_whom_a_question_is_about_is_needed_as_it_is_and_whom_a_task_names_is_not(gazetteer_data: Path) -> None:
    examples = list(ask(gazetteer_data, n=200, seed=3))
    spans = [span for example in examples for span in cast("Any", example.row()["spans"])]
    people = [span for span in spans if span["label"] == "PERSON"]
    assert {(span["need"], span["owner"]) for span in people} == {(4, "person"), (0, "person")}
    assert not any("need" in span for span in spans if span["label"] != "PERSON")
    for example in examples:
        assert len({span["need"] for span in cast("Any", example.row()["spans"]) if "need" in span}) <= 1


def test_a_folder_without_gazetteers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        next(generate(tmp_path, n=1, seed=1))


def test_a_file_is_left_as_it_was_where_writing_fails(examples: list[Example], tmp_path: Path) -> None:
    def broken() -> Iterator[Example]:
        yield examples[0]
        raise ConfigError("no more")

    out = tmp_path / "rows.jsonl"
    out.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="no more"):
        write(broken(), out)
    assert out.read_text("utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("place", ["missing/rows.jsonl", "file/rows.jsonl", "folder"])
def test_a_place_that_cannot_be_written_to_is_named(place: str, examples: list[Example], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigError, match="cannot be written"):
        write(iter(examples[:2]), tmp_path / place)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder"}
