"""The slice of names."""

import json
from pathlib import Path

import pytest

from benchmarks.detection.sets import read_fairness, read_sets
from privguard.core.errors import ConfigError


def write_names(folder: Path) -> None:
    (folder / "livePerson_bias").mkdir()
    (folder / "livePerson_bias" / "templates.csv").write_text("Hello {{Name}}, hi\nno slot here\n", encoding="utf-8")
    (folder / "livePerson_bias" / "congress.csv").write_text(
        'full_name,race_ethnic_group,gender\nAda Roth,WO,F\nBen Kole,"HA, AS",M\n', encoding="utf-8"
    )
    (folder / "livePerson_bias" / "names_aggregate_1960_2020.csv").write_text(
        "Name,Count,ProportionFemale\nAda,50000,0.99\nBen,5000,0.01\nKim,100,0.5\n", encoding="utf-8"
    )


def test_names_stand_in_the_slot_and_a_name_of_two_groups_in_both(tmp_path: Path) -> None:
    write_names(tmp_path)
    groups = read_fairness(tmp_path, seed=1, per_group=3)
    for items in groups.values():
        for item in items:
            (text,) = item.texts
            (gold,) = text.gold
            assert text.text == f"Hello {text.text[gold.start : gold.end]}, hi"
    assert groups["full name, hispanic"][0].texts == groups["full name, asian"][0].texts
    assert {"first name, women", "first name, men", "first name, rare", "first name, common"} <= set(groups)
    assert {len(items) for items in groups.values()} == {1}


def test_texts_and_messages_are_sets_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "authored").mkdir()
    rows = [
        {"id": "authored:1", "lang": "en", "text": "Ada", "spans": []},
        {"id": "authored:2", "lang": "en", "messages": [{"role": "user", "content": "Ada", "spans": []}]},
    ]
    (tmp_path / "authored" / "train.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = {each.name: len(each.items) for each in read_sets(tmp_path, ["authored-train"], 0)}
    assert found == {"authored-train, texts": 1, "authored-train, messages": 1}


@pytest.mark.parametrize(("name", "message"), [("autored", "no set is called"), ("public", "cannot be read")])
def test_a_set_that_is_not_there_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        list(read_sets(tmp_path, [name], 0))
