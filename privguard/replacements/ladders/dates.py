"""The ladder of dates: 14 March 1987, spring 1987, the late 1980s, the 1980s, the 20th century."""

from datetime import date

from privguard.core.patterns import lazy_pattern
from privguard.core.protocols import Rung
from privguard.replacements.ladders.date_readings import FIRST_YEAR, LAST_YEAR, Grain, Reading, read_date, season_of
from privguard.replacements.ladders.date_words import MONTH_NAMES, SEASONS

_ANY_YEAR = 2000  # a leap year: 29 February is a day in February
_YEAR = r"(\d{4})"
_SEASON = f"(?:{'|'.join(SEASONS)})"
_MONTH = f"(?:{'|'.join(MONTH_NAMES)})"
_CENTURIES = {
    century: f"the {century}{({21: 'st', 22: 'nd'}).get(century, 'th')} century"
    for century in range(FIRST_YEAR // 100 + 1, LAST_YEAR // 100 + 2)
}
_RUNG = lazy_pattern(
    rf"{_SEASON} {_YEAR}|the (?:early |late )?(\d{{3}}0)s|a day in (?:{_MONTH}|{_SEASON})"
    rf"|{'|'.join(_CENTURIES.values())}"
)
_MONTH_RUNG = lazy_pattern(rf"{_MONTH} {_YEAR}")


def date_rungs(value: str, *, months: bool = False) -> tuple[Rung, ...]:
    """Return the generalisations that all readings of a date share, the most precise first.

    Args:
        value: a date as it is written.
        months: begin with the month and the year; otherwise with the season.
    """
    ladders = [_ladder(reading, months=months) for reading in read_date(value)]
    if not ladders:
        return ()
    return tuple(rung for rung in ladders[0] if all(rung in other for other in ladders[1:]))


def is_date_rung(phrase: str, *, months: bool = False) -> bool:
    """Tell whether the ladder of dates could have written `phrase`."""
    match = _RUNG.fullmatch(phrase) or (_MONTH_RUNG.fullmatch(phrase) if months else None)
    if match is None:
        return False
    return phrase.isascii() and all(FIRST_YEAR <= int(year) <= LAST_YEAR for year in match.groups() if year)


def _ladder(reading: Reading, *, months: bool) -> tuple[Rung, ...]:
    """Return all rungs that are coarser than the reading."""
    if reading.year is None:
        rungs = _yearless(reading)
    else:
        rungs = _in_season(reading.year, reading, months=months) + _in_century(reading.year)
    return tuple(rung for grain, rung in rungs if grain > reading.grain)


def _yearless(reading: Reading) -> list[tuple[Grain, Rung]]:
    if reading.month is None:
        return []
    month, season = MONTH_NAMES[reading.month - 1], season_of(reading.month)
    return [
        (Grain.MONTH, Rung(phrase=f"a day in {month}", population=_month_days(_ANY_YEAR, reading.month))),
        (Grain.SEASON, Rung(phrase=f"a day in {season}", population=_season_days(_ANY_YEAR, season))),
    ]


def _in_season(year: int, reading: Reading, *, months: bool) -> list[tuple[Grain, Rung]]:
    if reading.month is None:
        return []
    month, season = MONTH_NAMES[reading.month - 1], season_of(reading.month)
    fine = Rung(phrase=f"{month} {year}", population=_month_days(year, reading.month))
    coarse = Rung(phrase=f"{season} {year}", population=_season_days(year, season))
    return [(Grain.MONTH, fine)] * months + [(Grain.SEASON, coarse)]


def _in_century(year: int) -> list[tuple[Grain, Rung]]:
    decade = year // 10 * 10
    half, start = ("late", decade + 5) if year % 10 >= 5 else ("early", decade)
    century = year // 100 + 1
    return [
        (Grain.HALF, Rung(phrase=f"the {half} {decade}s", population=_year_days(start, 5))),
        (Grain.DECADE, Rung(phrase=f"the {decade}s", population=_year_days(decade, 10))),
        (Grain.CENTURY, Rung(phrase=_CENTURIES[century], population=_year_days(century * 100 - 100, 100))),
    ]


def _month_days(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - date(year, month, 1)).days


def _season_days(year: int, season: str) -> int:
    return sum(_month_days(year, month) for month in range(1, 13) if season_of(month) == season)


def _year_days(start: int, years: int) -> int:
    return (date(start + years, 1, 1) - date(start, 1, 1)).days
