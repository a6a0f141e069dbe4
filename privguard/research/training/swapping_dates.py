"""Other dates in the form of those of a text."""

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from privguard.research.training.lexicon import languages, load_lexicon

_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})((?::\d{2})?)(?!\d)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ORDINAL = re.compile(r"(?<!\d)(\d{1,2})(st|nd|rd|th)\b")
_SMALL = re.compile(r"(?<![\d:+])\d{1,2}(?![\d:]|st|nd|rd|th)")
_NAME = re.compile(r"[^\W\d_]+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CYCLES: tuple[tuple[str, ...], ...] = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"),
    ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
    ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ("spring", "summer", "autumn", "winter"),
    _MONTHS,
)


@cache
def _names() -> dict[str, Sequence[str]]:
    """Return for each name of a month or day the names that may take its place."""
    # English last: its names win over the same names of others.
    months = [load_lexicon(lang).months for lang in (*languages(), "en")]
    spelled = [cycle for cycle in months if cycle and all(name.isalpha() for name in cycle)]
    return {name.casefold(): cycle for cycle in (*spelled, *_CYCLES) for name in cycle}


def swap_date(value: str, rng: Random, years: int) -> str:
    """Draw another date of the same form; years move by `years`, so that their order stays."""
    held: list[str] = []

    def hold(text: str) -> str:
        # Letters of a private area keep what is done from being read as a number again.
        held.append(text)
        return chr(0xE000 + len(held) - 1)

    value = _TIME.sub(lambda m: hold(f"{_like(m[1], rng, 24)}:{rng.randrange(60):02d}{m[3]}"), value)
    value = _YEAR.sub(lambda m: hold(str(min(2099, max(1900, int(m[0]) + years)))), value)
    value = _ORDINAL.sub(lambda _: hold(_ordinal(rng.randrange(1, 29))), value)
    value = _SMALL.sub(lambda m: hold(_like(m[0], rng, 13 if int(m[0]) <= 12 else 29)), value)
    value = _NAME.sub(lambda m: _named(m[0], rng), value)
    for place in range(len(held) - 1, -1, -1):
        value = value.replace(chr(0xE000 + place), held[place])
    return value


def _like(digits: str, rng: Random, below: int) -> str:
    low = 0 if below == 24 else 1
    if digits[0] == "0":
        return f"{rng.randrange(low, min(10, below)):02d}"
    drawn = rng.randrange(10, below) if len(digits) > 1 and below > 10 else rng.randrange(max(low, 1), 10)
    return str(drawn)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number not in (11, 12, 13) else 0, "th")
    return f"{number}{ending}"


def _named(name: str, rng: Random) -> str:
    cycle = _names().get(name.casefold())
    if cycle is None:
        return name
    drawn = rng.choice(cycle)
    if name.isupper():
        return drawn.upper()
    return drawn.title() if name[:1].isupper() else drawn.lower()
