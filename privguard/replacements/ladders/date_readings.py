"""What a date may mean: every reading of a written date, without a guess."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum

from privguard.core.letters import unaccented
from privguard.core.patterns import lazy_pattern
from privguard.replacements.ladders.date_words import FILLERS, MONTHS, NEUTRAL, SEASON_WORDS, SEASONS
from privguard.replacements.ladders.naming import EN_DASH

FIRST_YEAR = 1500
LAST_YEAR = 2199
_LEAP_YEAR = 2000  # stands in for an unknown year, so that 29 February exists


class Grain(IntEnum):
    """How precise a date is, from fine to coarse."""

    DAY = 0
    MONTH = 1
    SEASON = 2
    YEAR = 3
    HALF = 4  # the early or the late half of a decade
    DECADE = 5
    CENTURY = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One meaning of a written date."""

    grain: Grain
    year: int | None = None  # for HALF and DECADE: any year in it
    month: int | None = None
    season: str | None = None
    day: int | None = field(default=None, compare=False)  # of no use to a ladder: it is what all rungs leave out


_PLAIN = str.maketrans({"\u2019": "'", EN_DASH: "-", "\N{MINUS SIGN}": "-"})
_TIME = lazy_pattern(
    r"""(?:[\s,]+|(?<=\d)t)?(?:\b(?:at|um|gegen|a\sles?|alle|as|om)\s+)?(?<![\d:.\-/])
    (?:\d{1,2}[:h]\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?!\d)|\d{1,2}(?=\s?(?:[ap]\.?m\b|uhr\b|h\b)))
    (?:\s?[ap]\.?m\b\.?|\s?uhr\b|\s?h\b)?
    (?:\s?(?:z|utc|gmt|bst|cest|cet|[ecmp][sd]t)\b)?(?:\s?[+-]\d{2}:?\d{2}\b)?""",
    re.VERBOSE,
)
_CLOCK_SIGN = lazy_pattern(r"\d:\d|\d\s?h\d|\d\s?(?:[ap]\.?m\b|uhr\b|h\b)")
_YEAR_FIRST = lazy_pattern(r"(\d{4})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})")
_YEAR_LAST = lazy_pattern(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?(\d{4}|\d{2})")
_COMPACT = lazy_pattern(r"(\d{4})(\d{2})(\d{2})")
_MONTH_YEAR = lazy_pattern(r"(\d{1,2})\s?[-/.]\s?(\d{4})")
_YEAR_MONTH = lazy_pattern(r"(\d{4})\s?[-/.]\s?(\d{1,2})")
_TWO_NUMBERS = lazy_pattern(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\.?")
_SPLIT = lazy_pattern(r"[\s,./\-()]+")
_NUMBER = lazy_pattern(r"(\d{1,4})(?:st|nd|rd|th|er|re|eme|e|a|o)?")
_DIGITS = lazy_pattern(r"\d+")
_DECADE = lazy_pattern(r"(\d{3}0)'?s")


def read_date(value: str) -> tuple[Reading, ...]:
    """Return every reading of a date, none where it is relative, a range, or not a date.

    Day and month in either order, and the century of a two-digit year, are separate readings.
    """
    text = _folded(value)
    if _CLOCK_SIGN.search(text):
        text = _TIME.sub(" ", text, count=1).strip(" ,.;")
    found = _numeric(text)
    return tuple(dict.fromkeys(found if found is not None else _worded(text)))


def exact_date(value: str) -> str:
    """Return the same text for every notation of one day, month or year; "" where it may be another, or says more."""
    text = _folded(value)
    readings = () if _CLOCK_SIGN.search(text) else read_date(value)
    if len(readings) != 1 or not all(token in NEUTRAL for token in _SPLIT.split(text) if token in FILLERS):
        return ""
    (reading,) = readings
    match reading.grain:
        case Grain.DAY if reading.year is not None:
            return f"{reading.year}-{reading.month:02}-{reading.day:02}"
        # A year of two digits whose century is not known is a year nevertheless.
        case Grain.DAY if len(_DIGITS.findall(text)) == (1 if any(map(str.isalpha, text)) else 2):
            return f"--{reading.month:02}-{reading.day:02}"
        case Grain.MONTH if reading.year is not None:
            return f"{reading.month:02}/{reading.year}"
        case Grain.YEAR if reading.year is not None and len(_DIGITS.findall(text)) == 1:
            return str(reading.year)
    return ""


def _folded(value: str) -> str:
    return unaccented(value).translate(_PLAIN).strip(" \t\r\n.,;")


def _numeric(text: str) -> Iterable[Reading] | None:
    """Read a date of digits alone; None where the text has another form."""
    if match := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        return _days(match[1], (match[2], match[3]))
    if match := _YEAR_LAST.fullmatch(text):
        return [reading for order in _orders(match) for reading in _days(match[4], order)]
    if match := _MONTH_YEAR.fullmatch(text):
        return _months(match[2], match[1])
    if match := _YEAR_MONTH.fullmatch(text):
        # 2011-12 is December 2011 or the two years 2011 and 2012.
        if int(match[2]) == int(match[1]) % 100 + 1:
            return [Reading(grain=Grain.YEAR, year=year) for year in _years(match[1])]
        return _months(match[1], match[2])
    return _two_numbers(text)


def _two_numbers(text: str) -> Iterable[Reading] | None:
    match = _TWO_NUMBERS.fullmatch(text)
    if match is None:
        return None
    if int(match[3]) > 31:
        return _months(match[3], match[1])
    return [reading for order in _orders(match) for reading in _days(None, order)]


def _orders(match: re.Match[str]) -> list[tuple[str, str]]:
    """Return month and day as they may be meant: dots stand between day and month alone."""
    day_first = (match[3], match[1])
    return [day_first] if match[2] == "." else [day_first, (match[1], match[3])]


def _worded(text: str) -> Iterable[Reading]:
    """Read a date with names of months, seasons or decades, or a bare year."""
    months: list[int] = []
    seasons: list[str] = []
    decades: list[int] = []
    numbers: list[str] = []
    tokens = [token for token in _SPLIT.split(text) if token]
    for token in tokens:
        if token in MONTHS:
            months.append(MONTHS[token])
        elif token in SEASON_WORDS:
            seasons.append(SEASON_WORDS[token])
        elif match := _DECADE.fullmatch(token):
            decades.append(int(match[1]))
        elif match := _NUMBER.fullmatch(token.lstrip("'")):
            numbers.append("'" * token.startswith("'") + match[1])
        elif token not in FILLERS:
            return []
    match len(months), len(seasons), len(decades):
        case 1, 0, 0:
            return _with_month(months[0], numbers)
        case 0, 1, 0:
            return _with_season(seasons[0], numbers)
        case 0, 0, 1 if not numbers and decades[0] in range(FIRST_YEAR, LAST_YEAR):
            half = {"early": 0, "late": 5}
            found = [half[token] for token in tokens if token in half]
            year = decades[0] + (found[0] if found else 0)
            return [Reading(grain=Grain.HALF if found else Grain.DECADE, year=year)]
        case 0, 0, 0 if len(numbers) == 1 and (len(numbers[0]) == 4 or numbers[0].startswith("'")):
            return [Reading(grain=Grain.YEAR, year=year) for year in _years(numbers[0])]
    return []


def _with_month(month: int, numbers: list[str]) -> Iterable[Reading]:
    match numbers:
        case []:
            return [Reading(grain=Grain.MONTH, month=month)]
        case [number] if _is_year(number):
            return _months(number, str(month))
        case [number]:
            return _days(None, (str(month), number))
        case [first, second] if _is_year(first):
            return _days(first, (str(month), second))
        case [first, second]:
            return _days(second, (str(month), first))
    return []


def _with_season(season: str, numbers: list[str]) -> Iterable[Reading]:
    match numbers:
        case []:
            return [Reading(grain=Grain.SEASON, season=season)]
        case [number] if _is_year(number):
            return [Reading(grain=Grain.SEASON, year=year, season=season) for year in _years(number)]
    return []


def _is_year(number: str) -> bool:
    return number.startswith("'") or len(number) == 4 or int(number) > 31


def _years(number: str) -> list[int | None]:
    """Return the years that a number may mean; None where only the century is missing."""
    digits = number.lstrip("'")
    year = int(digits)
    if len(digits) == 4:
        return [year] if FIRST_YEAR <= year <= LAST_YEAR else []
    if len(digits) > 2:
        return []
    # A clock would be needed to tell a birth in 1945 from a plan for 2045: both stay possible.
    if year >= 69:
        return [1900 + year]
    return [2000 + year] if year < 30 else [None]


def _months(year: str, month: str) -> list[Reading]:
    number = int(month)
    if not 1 <= number <= 12:
        return []
    return [Reading(grain=Grain.MONTH, year=each, month=number) for each in _years(year)]


def _days(year: str | None, month_and_day: tuple[str, str]) -> list[Reading]:
    month, day = (int(number.lstrip("'")) for number in month_and_day)
    readings = []
    for each in [None] if year is None else _years(year):
        try:
            date(each or _LEAP_YEAR, month, day)
        except ValueError:
            continue
        readings.append(Reading(grain=Grain.DAY, year=each, month=month, day=day))
    return readings


def season_of(month: int) -> str:
    """Return the meteorological season of a month on the northern half of the earth."""
    return SEASONS[month % 12 // 3]
