from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.date_readings import FIRST_YEAR, LAST_YEAR
from privguard.replacements.ladders.dates import date_rungs, is_date_rung

DATES = st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31))


def phrases(value: str, *, months: bool = False) -> list[str]:
    return [rung.phrase for rung in date_rungs(value, months=months)]


@given(DATES, st.booleans())
def test_every_rung_is_recognised_and_wider_than_the_one_before(day: date, months: bool) -> None:
    rungs = date_rungs(day.isoformat(), months=months)
    assert len(rungs) == 4 + months
    assert all(is_date_rung(rung.phrase, months=months) for rung in rungs)
    populations = [rung.population or 0 for rung in rungs]
    assert populations == sorted(populations)
    assert populations[0] >= 28


@given(DATES)
def test_a_rung_never_holds_the_day(day: date) -> None:
    assert all(str(day.day) not in phrase.split() for phrase in phrases(day.isoformat(), months=True))


@given(DATES)
def test_the_ladder_of_a_rung_is_the_rest_of_the_ladder(day: date) -> None:
    ladder = phrases(day.isoformat(), months=True)
    for place, phrase in enumerate(ladder):
        assert phrases(phrase, months=True) == ladder[place + 1 :]


@given(DATES, st.booleans(), st.text(alphabet="XQZ@:[]\né", min_size=1), st.integers(0, 20))
def test_a_rung_with_anything_put_into_it_is_none(day: date, months: bool, more: str, place: int) -> None:
    for phrase in phrases(day.isoformat(), months=months):
        assert not is_date_rung(phrase[:place] + more + phrase[place:], months=months)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("14 March 1987", ["spring 1987", "the late 1980s", "the 1980s", "the 20th century"]),
        ("March 1987", ["spring 1987", "the late 1980s", "the 1980s", "the 20th century"]),
        ("03/04/1987", ["spring 1987", "the late 1980s", "the 1980s", "the 20th century"]),
        ("05/06/1987", ["the late 1980s", "the 1980s", "the 20th century"]),
        ("1980", ["the early 1980s", "the 1980s", "the 20th century"]),
        ("2000", ["the early 2000s", "the 2000s", "the 21st century"]),
        ("1980s", ["the 20th century"]),
        ("March 14th", ["a day in March", "a day in spring"]),
        ("3/4", ["a day in spring"]),
        ("5/6", []),
        ("09/15/35", ["a day in September", "a day in autumn"]),
        ("March", ["a day in spring"]),
        ("spring", []),
        ("next Friday", []),
    ],
)
def test_a_date_becomes_what_all_its_readings_share(value: str, expected: list[str]) -> None:
    assert phrases(value) == expected


def test_the_month_comes_first_where_it_is_wanted() -> None:
    assert phrases("14 March 1987", months=True)[:2] == ["March 1987", "spring 1987"]
    assert is_date_rung("March 1987", months=True)
    assert not is_date_rung("March 1987")


def test_the_population_counts_days() -> None:
    assert [rung.population for rung in date_rungs("1987-03-14", months=True)] == [31, 92, 1826, 3653, 36524]
    assert [rung.population for rung in date_rungs("29 February")] == [29, 91]


@pytest.mark.parametrize(
    "phrase",
    ["spring 9999", "the late 1985s", "the 23rd century", "Spring 1987", "a day in Ada", "spring 1987 ", "1987"],
)
def test_a_phrase_outside_the_grammar_is_no_rung(phrase: str) -> None:
    assert not is_date_rung(phrase)
