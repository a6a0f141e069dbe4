"""The slice of names."""

from pathlib import Path

from benchmarks.detection.sets import read_fairness


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
