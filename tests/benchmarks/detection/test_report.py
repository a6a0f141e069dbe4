"""Tables."""

from rich.table import Table

from benchmarks.detection.report import as_json, markdown, overview, worst_gap
from benchmarks.detection.score import Scores, Tally


def test_the_gap_is_taken_among_groups_of_one_kind() -> None:
    tally = Tally()
    for key, hits in (("full name, a", 90), ("full name, b", 84), ("first name, c", 50), ("first name, d", 53)):
        tally.add_many(key, hits, 100)
    assert round(worst_gap(tally), 6) == 0.06


def test_a_figure_without_trials_is_shown_as_unscored() -> None:
    table = overview("a set", {"ours": Scores()})
    assert "unscored" in markdown(table)
    assert as_json(Scores())["precision"] == {"value": None, "ci95": None, "hits": 0, "n": 0}


def test_markdown_has_a_row_per_row() -> None:
    table = Table("a", "b", title="t")
    table.add_row("1", "2")
    assert markdown(table).splitlines() == ["**t**", "", "| a | b |", "|---|---|", "| 1 | 2 |"]
