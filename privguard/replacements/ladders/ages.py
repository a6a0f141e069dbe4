"""The ladder of ages: 34, mid-thirties, the ten years from thirty, adult."""

import re
from functools import cache

from privguard.core.letters import unaccented
from privguard.core.patterns import lazy_pattern
from privguard.core.protocols import Rung
from privguard.replacements.ladders.naming import EN_DASH

_TENS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties")
_PARTS = {"early": range(4), "mid": range(4, 7), "late": range(7, 10)}
_CHILDREN = (
    (range(1), "an infant"),
    (range(1, 4), "a toddler"),
    (range(4, 6), "a preschool child"),
    (range(6, 13), "a school-age child"),
    (range(13, 20), "a teenager"),
)
_OLDEST = "ninety or older"  # in letters, so that it does not name 90
_MINOR = Rung(phrase="minor", population=18)
_ADULT = Rung(phrase="adult")
_LAST_AGE = 125
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_SPELLED = "twenty thirty forty fifty sixty seventy eighty ninety"
_SPELLED = {word: number for number, word in enumerate(_ONES.split())} | {
    word: 10 * number for number, word in enumerate(_TENS_SPELLED.split(), start=2)
}
_NUMBER = rf"\d{{1,3}}|(?:{'|'.join(_SPELLED)})(?:[- ](?:{'|'.join(_ONES.split())}))?"
_UNITS = {
    "years": r"years?|yrs?|y|jahren?|jahrige[rns]?|ans?|anos?|anni|jaar",
    "months": r"months?|mos?|monaten?|mois|mes(?:es)?|mesi|maanden",
    "weeks": r"weeks?|wks?|wochen?|semaines?|semanas?|settimane|weken",
    "days": r"days?|tagen?|jours?|dias?|giorni|dagen",
}
_PER_YEAR = {"years": 1, "months": 12, "weeks": 52, "days": 365}
_AGE = lazy_pattern(
    rf"(?:(?:aged?|an?|is|im alter von|agee? de|de|of)\s*[:=]?\s+)*(?P<number>{_NUMBER})"
    rf"(?:[\s-]*(?:{'|'.join(f'(?P<{unit}>{names})' for unit, names in _UNITS.items())})\b\.?)?"
    r"(?:[\s-]*(?:olds?|o|/o|of age|alt|oud|de edad|de idade|d'age))?"
)
_DECADE = lazy_pattern(
    rf"(?:in )?(?:his|her|their|my|our|your|the)? ?(?:early|mid|late)?[ -]?(?:{'|'.join(_TENS)}|[2-8]0'?s)"
)
_SHORT = lazy_pattern(r"(\d{1,3})\s?(?:yo|y/o|y\.o\.?|yrs?/o)")


def age_rungs(value: str) -> tuple[Rung, ...]:
    """Return the generalisations of an age, the most precise first."""
    text = _folded(value)
    if _DECADE.fullmatch(text):
        return (_ADULT,)
    read = _read(text)
    age = None if read is None else read[0] // _PER_YEAR[read[1]]
    if age is None or age > _LAST_AGE:
        return ()
    if age < 20:
        children = [Rung(phrase=phrase, population=len(ages)) for ages, phrase in _CHILDREN if age in ages]
        return (*children, _ADULT if age >= 18 else _MINOR)
    if age >= 90:
        return Rung(phrase=_OLDEST), _ADULT
    return (*_decade(age, bare=text.isdigit()), _ADULT)


def exact_age(value: str) -> str:
    """Return the same text for every notation of one age, "" where it is not read."""
    read = _read(_folded(value))
    if read is None or read[0] // _PER_YEAR[read[1]] > _LAST_AGE:
        return ""
    count, unit = read
    return str(count) if unit == "years" else f"{count} {unit}"


def is_age_rung(phrase: str) -> bool:
    """Tell whether the ladder of ages could have written `phrase`."""
    return phrase in _all_rungs()


def _folded(value: str) -> str:
    return unaccented(value).strip(" \t\r\n.,;()")


def _read(text: str) -> tuple[int, str] | None:
    """Return how many of which unit."""
    if short := _SHORT.fullmatch(text):
        return int(short[1]), "years"
    match = _AGE.fullmatch(text)
    if match is None:
        return None
    number = match["number"]
    if number.isdigit():
        count = int(number)
    else:
        parts = [_SPELLED[word] for word in re.split(r"[- ]", number)]
        if len(parts) == 2 and not (parts[0] >= 20 and 0 < parts[1] < 10):
            return None
        count = sum(parts)
    return count, next((unit for unit in _UNITS if match[unit]), "years")


def _decade(age: int, *, bare: bool) -> tuple[Rung, ...]:
    tens = age // 10 * 10
    name = _TENS[tens // 10 - 2]
    part, ages = next((part, ages) for part, ages in _PARTS.items() if age % 10 in ages)
    # From eighty on, three years are few people.
    fine = f"{part}-{name}" if age < 80 else name
    lead = "" if bare else "in their "
    return (
        Rung(phrase=lead + fine.replace("-", "-" if part == "mid" else " "), population=len(ages) if age < 80 else 10),
        Rung(phrase=f"{tens}{EN_DASH}{tens + 9}", population=10),
    )


@cache
def _all_rungs() -> frozenset[str]:
    ages = range(_LAST_AGE + 1)
    return frozenset(rung.phrase for age in ages for text in (f"{age}", f"aged {age}") for rung in age_rungs(text))
