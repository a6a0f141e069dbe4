"""Check digits of national numbers: those of python-stdnum, and what it lacks.

Each of its modules is imported when the first number of that form is seen.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from importlib import import_module

from privguard.core.letters import plain
from privguard.detect.found import luhn

_SIGNED = frozenset({"se.personnummer", "fi.hetu"})  # their hyphens and plus signs tell the century
_OPTIONS: Mapping[str, Mapping[str, bool]] = {
    "fi.hetu": {"allow_temporary": True},
    "mx.rfc": {"validate_check_digits": True},
}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def has_right_digits(check: str, value: str) -> bool:
    """Tell whether a value passes a check.

    Args:
        check: the name of a check below, or of a module of `stdnum`, as in `fr.nir`.
        value: a number as it is written, with its separators, the digits of any script and letters of any width.
    """
    signs = "+-" if check in _SIGNED else ""
    compact = "".join(letter for letter in plain(value).upper() if letter.isalnum() or letter in signs)
    own = _OWN.get(check)
    return own(compact) if own else _is_valid(check)(compact)


@cache
def _is_valid(check: str) -> Callable[[str], bool]:
    module = import_module(f"stdnum.{check}")
    options = _OPTIONS.get(check, {})

    def is_valid(value: str) -> bool:
        try:
            return bool(module.is_valid(value, **options))
        except (LookupError, TypeError, ValueError):
            # A gap in the tables of the library: rather one number too many than one too few.
            return True

    return is_valid


def _weighted(digits: str, *weights: int) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _cross_sum(number: int) -> int:
    return sum(map(int, str(number)))


def _place_of(letter: str) -> int:
    return _LETTERS.find(letter) + 1


def _is_date(year: str, month: str, day: str) -> bool:
    """Tell whether a day exists; a year of two digits may be of either century."""
    try:
        date(int(year) if len(year) == 4 else 2000 + int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _au_medicare(value: str) -> bool:
    return _weighted(value, 1, 3, 7, 9, 1, 3, 7, 9) % 10 == int(value[8])


def _de_doctor(value: str) -> bool:
    return -_weighted(value[:6], 4, 9, 4, 9, 4, 9) % 10 == int(value[6])


def _de_insured(value: str) -> bool:
    """Check a number of the statutory health insurance: two digits for the letter, cross sums of the products."""
    digits = f"{_place_of(value[0]):02d}{value[1:]}"
    total = sum(_cross_sum(int(digit) * (1 + place % 2)) for place, digit in enumerate(digits[:-1]))
    return total % 10 == int(digits[-1])


def _de_pension(value: str) -> bool:
    """Check a pension insurance number: the area, the day of birth (from 51 on for a second one), the letter."""
    digits = f"{value[:8]}{_place_of(value[8]):02d}{value[9:]}"
    day, month = int(value[2:4]), int(value[4:6])
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    total = sum(_cross_sum(int(digit) * weight) for digit, weight in zip(digits, weights, strict=False))
    return (1 <= day <= 31 or 51 <= day <= 81) and 1 <= month <= 12 and total % 10 == int(digits[-1])


def _document(value: str) -> bool:
    """Check a number of a passport or an identity card by the rule of ICAO Doc 9303, part 3, 4.9."""
    total = sum(int(letter, 36) * (7, 3, 1)[place % 3] for place, letter in enumerate(value[:-1]))
    return value[-1].isdecimal() and total % 10 == int(value[-1])


def _es_person(value: str) -> bool:
    number = str("XYZ".find(value[0])) + value[1:-1] if value[0] in "XYZ" else value[:-1]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == value[-1]


def _hk_identity(value: str) -> bool:
    prefix = value[:-7]
    letters = [_place_of(letter) + 9 for letter in prefix] if len(prefix) > 1 else [36, _place_of(prefix) + 9]
    total = letters[0] * 9 + letters[1] * 8 + _weighted(value[-7:-1], 7, 6, 5, 4, 3, 2)
    return (total + (10 if value[-1] == "A" else int(value[-1]) if value[-1].isdecimal() else 99)) % 11 == 0


def _hu_health(value: str) -> bool:
    return _weighted(value, 3, 7, 3, 7, 3, 7, 3, 7) % 10 == int(value[8])


def _hu_tax(value: str) -> bool:
    return value[0] == "8" and _weighted(value, *range(1, 10)) % 11 == int(value[9])


def _ir_national(value: str) -> bool:
    rest = _weighted(value, *range(10, 1, -1)) % 11
    return len(set(value)) > 1 and int(value[9]) == (rest if rest < 2 else 11 - rest)


def _jmbg(value: str) -> bool:
    rest = _weighted(value, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11
    year = f"{'1' if value[4] == '9' else '2'}{value[4:7]}"
    return _is_date(year, value[2:4], value[:2]) and int(value[12]) == (0 if rest < 2 else 11 - rest)


def _kz_identity(value: str) -> bool:
    rest = _weighted(value, *range(1, 12)) % 11
    if rest == 10:
        rest = _weighted(value, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2) % 11
    return _is_date(value[:2], value[2:4], value[4:6]) and rest == int(value[11])


def _lu_person(value: str) -> bool:
    from stdnum import verhoeff

    born = _is_date(value[:4], value[4:6], value[6:8])
    return born and luhn(value[:12]) and bool(verhoeff.is_valid(value[:11] + value[12]))


def _ph_tax(value: str) -> bool:
    return _weighted(value, *range(9, 1, -1)) % 11 == int(value[8])


def _ru_insurance(value: str) -> bool:
    return _weighted(value, *range(9, 0, -1)) % 101 % 100 == int(value[9:])


def _sg_person(value: str) -> bool:
    total = _weighted(value[1:8], 2, 7, 6, 5, 4, 3, 2) + {"T": 4, "G": 4, "M": 3}.get(value[0], 0)
    series = "JZIHGFEDCBA" if value[0] in "ST" else "KLJNPQRTUWX" if value[0] == "M" else "XWUTRQPNMLK"
    return series[total % 11] == value[-1]


def _tw_identity(value: str) -> bool:
    number = "ABCDEFGHJKLMNPQRSTUVXYWZIO".find(value[0]) + 10
    second = str("ABCD".find(value[1])) if value[1].isalpha() else value[1]
    total = number // 10 + number % 10 * 9 + _weighted(second + value[2:], 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return total % 10 == 0


def _us_prescriber(value: str) -> bool:
    return (_weighted(value[2:8], 1, 2, 1, 2, 1, 2)) % 10 == int(value[8])


def _us_provider(value: str) -> bool:
    return len(set(value[:-1])) > 1 and luhn(f"80840{value}")


def _uy_identity(value: str) -> bool:
    digits = value.zfill(8)
    return -_weighted(digits, 2, 9, 8, 7, 6, 3, 4) % 10 == int(digits[7])


def _za_identity(value: str) -> bool:
    return _is_date(value[:2], value[2:4], value[4:6]) and value[10] in "012" and value[11] in "89" and luhn(value)


_OWN: Mapping[str, Callable[[str], bool]] = {
    "luhn": luhn,
    "au.medicare": _au_medicare,
    "de.doctor": _de_doctor,
    "de.insured": _de_insured,
    "de.pension": _de_pension,
    "document": _document,
    "es.person": _es_person,
    "hk.identity": _hk_identity,
    "hu.health": _hu_health,
    "hu.tax": _hu_tax,
    "ir.national": _ir_national,
    "jmbg": _jmbg,
    "kz.identity": _kz_identity,
    "lu.person": _lu_person,
    "ph.tax": _ph_tax,
    "ru.insurance": _ru_insurance,
    "sg.person": _sg_person,
    "tw.identity": _tw_identity,
    "us.prescriber": _us_prescriber,
    "us.provider": _us_provider,
    "uy.identity": _uy_identity,
    "za.identity": _za_identity,
}
