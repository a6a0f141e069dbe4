"""The ladder of amounts: 83,250 dollars, 80 to 90 thousand dollars, 10 to 100 thousand dollars.

Below a thousand the range is written in letters, so that it never names a value on its own edge.
"""

from decimal import Decimal, InvalidOperation
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from privguard.core.patterns import lazy_pattern
from privguard.core.protocols import Rung
from privguard.replacements.ladders.naming import EN_DASH

_DIGITS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TENS = ("", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "a hundred")
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand"))
_END = 10**15
_UNITS = {
    "dollars": r"us\$|\$us|usd|\$|us dollars?|dollars?|bucks?",
    "euros": r"eur|€|euros?",
    "pounds": r"gbp|£|pounds?|pounds? sterling|quid",
    "yen": r"jpy|¥|yen",
    "yuan": r"cny|rmb|yuan",
    "rupees": r"inr|₹|rs\.?|rupees?|rupien",
    "francs": r"chf|sfr\.?|fr\.|francs?|franken|swiss francs?|schweizer franken",
    "zloty": r"pln|zł|zl|zloty|zlotych",
    "kronor": r"sek|nok|dkk|kr\.?|kronor|kroner|kronen",
    "reais": r"brl|r\$|reais|real",
    "Canadian dollars": r"cad|ca\$|c\$|canadian dollars?",
    "Australian dollars": r"aud|au\$|a\$|australian dollars?",
    "percent": r"%|percent|per cent|prozent|pct|pour cent|por ciento|per cento|procent",
}
_MAGNITUDES = {
    10**3: r"k|thousand|grand|tsd\.?|tausend|mille|mil|mila|duizend",
    10**5: r"lakhs?",
    10**6: r"m|mm|mn|mio\.?|mill\.?|millions?|millionen|millones|milioni|milhoes|miljoen",
    10**7: r"crores?",
    10**9: r"b|bn|mrd\.?|billions?|milliarden?|milliards?|miliardi|miljard",
    10**12: r"trn|trillions?",
}
_UNIT = "|".join(f"(?P<{{side}}{number}>{names})" for number, names in enumerate(_UNITS.values()))
_AMOUNT = lazy_pattern(
    rf"(?P<open>\()?(?P<sign>[+-])?\s?(?:(?:{_UNIT.format(side='before')})\s?)?(?P<inner>[+-])?"
    r"(?P<number>\d[\d.,' ]*)"
    rf"(?:\s?(?:{'|'.join(f'(?P<magnitude{number}>{names})' for number, names in enumerate(_MAGNITUDES.values()))})"
    r"(?![a-z]))?"
    rf"(?:\s?(?:{_UNIT.format(side='after')})(?![a-z]))?(?P<close>\))?"
    r"(?P<rate>\s?(?:p\.a\.|/ ?(?:yr|year|month|mo|hour|hr|h|day)|gross|net|brutto|netto"
    r"|(?:per|a|an|pro|par|por|im) (?:annum|year|month|hour|day|jahr|monat|an|mois)))?"
)
_GROUPED = lazy_pattern(r"\d{1,3}(?P<mark>[., '])\d{2,3}(?:(?P=mark)\d{2,3})*(?<=(?P=mark)\d{3})")


_AMBIGUOUS = ("kronor",)  # of several countries


class _Amount(NamedTuple):
    """What an amount says."""

    number: Decimal
    negative: bool
    unit: str  # "" where none is named
    is_rate: bool  # by the month, before tax


def amount_rungs(value: str, *, money: bool = True) -> tuple[Rung, ...]:
    """Return the ranges around a number, the most precise first; the population counts whole units.

    Args:
        value: one number with an optional currency, magnitude or percent sign.
        money: read one dot before three digits as a mark of thousands; otherwise it may be a decimal point too, and
            the number is not read.
    """
    amount = _read(value, money=money)
    return _ranges(int(amount.number), negative=amount.negative, unit=amount.unit) if amount else ()


def exact_amount(value: str, *, money: bool = True) -> str:
    """Return the same text for every notation of one amount of a unit, "" where it is not read.

    Args:
        value: as for `amount_rungs`.
        money: whether it is money; otherwise only percentages are read.
    """
    amount = _read(value, money=money)
    if amount is None or amount.is_rate or not amount.unit or (amount.unit == "percent") is money:
        return ""
    number = amount.number.normalize()
    # Behind a point, three digits could be read as thousands.
    if amount.unit in _AMBIGUOUS or not isinstance(exponent := number.as_tuple().exponent, int) or exponent < -2:
        return ""
    return f"{'-' if amount.negative else ''}{number:f} {amount.unit.lower()}"


def _read(value: str, *, money: bool) -> _Amount | None:
    text = normalize("NFKC", value).casefold().strip(" \t\r\n.,;").replace("\N{MINUS SIGN}", "-").replace("\u2019", "'")
    match = _AMOUNT.fullmatch(" ".join(text.split()))
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    groups = match.groupdict()
    units = {unit for n, unit in enumerate(_UNITS) if groups[f"before{n}"] or groups[f"after{n}"]}
    number = _read_number(match["number"].strip(), money=money or not units <= {"percent"})
    if number is None or len(units) > 1:
        return None
    factor = next((size for n, size in enumerate(_MAGNITUDES) if groups[f"magnitude{n}"]), 1)
    return _Amount(
        number=number * factor,
        negative=bool(match["open"]) or "-" in (match["sign"], match["inner"]),
        unit=next(iter(units), ""),
        is_rate=bool(match["rate"]),
    )


def is_amount_rung(phrase: str) -> bool:
    """Tell whether the ladder of amounts could have written `phrase`."""
    return phrase in _all_rungs()


def _read_number(text: str, *, money: bool) -> Decimal | None:
    """Return the number, or None where its separators allow two readings."""
    marks = {mark for mark in text if not mark.isdigit()}
    if grouped := _GROUPED.fullmatch(text):
        decimal_point = grouped["mark"] == "." and text.count(".") == 1 and not money
        if text.startswith("0") or decimal_point:
            return None
        plain = text.replace(grouped["mark"], "")
    elif len(marks) == 2 and (last := max(text.rfind("."), text.rfind(","))) > 0:
        whole, fraction = text[:last], text[last + 1 :]
        if not _GROUPED.fullmatch(whole) or not fraction.isdigit():
            return None
        plain = "".join(letter for letter in whole if letter.isdigit()) + "." + fraction
    elif marks <= {".", ","} and len(text) - len(text.strip(".,")) == 0 and sum(text.count(m) for m in marks) <= 1:
        plain = text.replace(",", ".")
    else:
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def _ranges(number: int, *, negative: bool, unit: str) -> tuple[Rung, ...]:
    if number >= _END:
        return ()
    power = 10 ** (len(str(number)) - 1)
    if number < 10:
        fine = coarse = Rung(phrase="zero to ten", population=10)
    else:
        first = number // power
        fine = Rung(phrase=_write(first, first + 1, power), population=power)
        coarse = Rung(phrase=_write(1, 10, power), population=9 * power)
    below, tail = " below zero" if negative else "", f" {unit}" if unit else ""
    # Where the unit itself must not be named, the range alone is left.
    endings = (tail + below, below) if tail else (below,)
    return tuple(
        Rung(phrase=rung.phrase + ending, population=rung.population)
        for rung in dict.fromkeys((fine, coarse))
        for ending in endings
    )


def _write(low: int, high: int, power: int) -> str:
    """Write the range from `low * power` to `high * power`, where `power` is a power of ten from 10 on."""
    if power == 10:
        return f"{_TENS[low]} to {_TENS[high]}"
    if power == 100:
        end = f"{_DIGITS[high]} hundred" if high < 10 else "a thousand"
        return f"{_DIGITS[low]} hundred to {end}"
    size, name = next((size, name) for size, name in _SCALES if power >= size)
    return f"{low * power // size}{EN_DASH}{high * power // size} {name}"


@cache
def _all_rungs() -> frozenset[str]:
    numbers = [0] + [first * 10**power for power in range(1, 15) for first in range(1, 10)]
    return frozenset(
        rung.phrase
        for number in numbers
        for negative in (False, True)
        for unit in ("", *_UNITS)
        for rung in _ranges(number, negative=negative, unit=unit)
    )
