from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.date_readings import FIRST_YEAR, LAST_YEAR, Grain, Reading, read_date, season_of

DATES = st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31))
NAMES = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
FORMS = (
    "{y}-{m:02}-{d:02}",
    "{y}/{m}/{d}",
    "{y}{m:02}{d:02}",
    "{d}.{m}.{y}",
    "{d:02}. {m:02}. {y}",
    "{d} {en} {y}",
    "{en} {d}, {y}",
    "the {d}th of {en}, {y}",
    "{y}-{m:02}-{d:02}T10:22:03Z",
    "{y}-{m:02}-{d:02}T10:22:03.123456+02:00",
    "{y}-{m:02}-{d:02} 10:00",
    "{en} {d}, {y} at 3:15 p.m.",
    "at 3pm on {d} {en} {y}",
    "den {d}. {de} {y} um 14 Uhr",
    "le {d} {fr} {y} à 15h30",
    "{d} de {es} de {y}",
    "Il {d} {it} {y}",
    "{d} de {pt} de {y}",
    "{d} {nl} {y}",
    "{d}-{short}-{y}",
)


@pytest.mark.parametrize("form", FORMS)
@given(day=DATES)
def test_a_day_is_read_in_every_form(form: str, day: date) -> None:
    names = {language: words.split()[day.month - 1] for language, words in NAMES.items()}
    text = form.format(y=day.year, m=day.month, d=day.day, short=names["en"][:3], **names)
    assert read_date(text) == (Reading(grain=Grain.DAY, year=day.year, month=day.month),)


@given(DATES)
def test_slashes_allow_both_orders(day: date) -> None:
    months = {day.month, day.day} if day.day <= 12 else {day.month}
    assert {reading.month for reading in read_date(f"{day.day}/{day.month}/{day.year}")} == months


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(isinstance(reading, Reading) for reading in read_date(text))


@given(st.text(alphabet="0123456789-/.:' tTzZhapm,–", max_size=24))
def test_nothing_but_true_months_is_read_from_digits(text: str) -> None:
    for reading in read_date(text):
        assert reading.month is None or 1 <= reading.month <= 12
        assert reading.year is None or FIRST_YEAR <= reading.year <= LAST_YEAR


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March 1987", Reading(grain=Grain.MONTH, year=1987, month=3)),
        ("03/1987", Reading(grain=Grain.MONTH, year=1987, month=3)),
        ("1987-03", Reading(grain=Grain.MONTH, year=1987, month=3)),
        ("03/87", Reading(grain=Grain.MONTH, year=1987, month=3)),
        ("March '12", Reading(grain=Grain.MONTH, year=2012, month=3)),
        ("Mar. 14 '87", Reading(grain=Grain.DAY, year=1987, month=3)),
        ("Saturday, March 14th", Reading(grain=Grain.DAY, month=3)),
        ("14.3.", Reading(grain=Grain.DAY, month=3)),
        ("29 February", Reading(grain=Grain.DAY, month=2)),
        ("August", Reading(grain=Grain.MONTH, month=8)),
        ("August 10:00", Reading(grain=Grain.MONTH, month=8)),
        ("Frühjahr 1987", Reading(grain=Grain.SEASON, year=1987, season="spring")),
        ("in the summer", Reading(grain=Grain.SEASON, season="summer")),
        ("in 1987", Reading(grain=Grain.YEAR, year=1987)),
        ("'87", Reading(grain=Grain.YEAR, year=1987)),
        ("mid-1987", Reading(grain=Grain.YEAR, year=1987)),
        ("2011-12", Reading(grain=Grain.YEAR, year=2011)),
        ("the late 1980s", Reading(grain=Grain.HALF, year=1985)),
        ("1980's", Reading(grain=Grain.DECADE, year=1980)),
    ],
)
def test_coarser_dates_keep_their_grain(text: str, expected: Reading) -> None:
    assert read_date(text) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "next Friday",
            "yesterday",
            "in 3 days",
            "two weeks ago",
            "Friday",
            "15:30",
            "1987–1991",
            "March to May 2020",
        ),
        *("31/02/1990", "2/29/2001", "1987-13-40", "99999", "0000", "2500", "1/2/3/4", "", "tomorrow at 3pm", "12"),
        *("13-14 March 1987", "March April 1987", "spring summer 1987"),
    ],
)
def test_what_is_relative_a_range_or_impossible_is_not_read(text: str) -> None:
    assert read_date(text) == ()


def test_a_two_digit_year_between_the_centuries_has_no_year() -> None:
    assert read_date("14.3.45") == (Reading(grain=Grain.DAY, month=3),)
    assert read_date("14.3.69") == (Reading(grain=Grain.DAY, year=1969, month=3),)
    assert read_date("14.3.29") == (Reading(grain=Grain.DAY, year=2029, month=3),)


def test_every_month_has_its_season() -> None:
    assert [season_of(month) for month in (1, 3, 6, 9, 12)] == ["winter", "spring", "summer", "autumn", "winter"]
