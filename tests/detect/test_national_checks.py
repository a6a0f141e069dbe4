import random
import re

import pytest

from privguard.detect.national_checks import _OWN, _is_valid, has_right_digits
from privguard.detect.national_rules import RULES

# Published examples and invented numbers.
_VALID = {
    "au.medicare": "2123 45670 1",
    "de.doctor": "123450084",
    "de.insured": "A123456780",
    "de.pension": "65 150873 A 015",
    "document": "C01X00T478",
    "es.person": "12345678-Z",
    "hk.identity": "A123456(3)",
    "hu.health": "111 111 110",
    "hu.tax": "8071592153",
    "ir.national": "0499370899",
    "jmbg": "0101006500006",
    "lu.person": "1893120105732",
    "luhn": "1234567897",
    "ph.tax": "123-456-757",
    "ru.insurance": "112-233-445 95",
    "sg.person": "S1234567D",
    "tw.identity": "A123456789",
    "us.prescriber": "BB1388568",
    "us.provider": "1234567893",
    "uy.identity": "1.234.567-2",
    "za.identity": "8001019123082",
    "fr.nir": "1 85 05 78 006 084 91",
    "fi.hetu": "131052-308T",
    "mx.rfc": "GODE561231GR8",
    "se.personnummer": "811218-9876",
}


@pytest.mark.parametrize("check", _VALID)
def test_a_valid_number_passes_and_one_with_another_end_does_not(check: str) -> None:
    value = _VALID[check]
    assert has_right_digits(check, value)
    place = max(place for place, letter in enumerate(value) if letter.isalnum())
    others = "0123456789" if value[place].isdecimal() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    passing = [end for end in others if has_right_digits(check, value[:place] + end + value[place + 1 :])]
    # Those of Australia and of German doctors stand before the last digit.
    assert passing == [value[place]] or check in {"au.medicare", "de.doctor", "sg.person"}


def test_the_digits_of_any_script_count() -> None:
    assert has_right_digits("hu.tax", "٨٠٧١٥٩٢١٥٣")
    assert has_right_digits("hu.tax", "\uff18\uff10\uff17\uff11\uff15\uff19\uff12\uff11\uff15\uff13")
    assert not has_right_digits("hu.tax", "٨٠٧١٥٩٢١٥٤")


def test_letters_in_full_width_count() -> None:
    assert has_right_digits("es.person", "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff3a")
    assert not has_right_digits("es.person", "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff21")


def test_every_check_that_a_rule_names_exists() -> None:
    for check in {rule.check for rule in RULES} - {"", *_OWN}:
        assert callable(_is_valid(check))


@pytest.mark.parametrize("name", [rule.name for rule in RULES if rule.check])
def test_no_number_of_the_form_makes_a_check_fail(name: str) -> None:
    (rule,) = (rule for rule in RULES if rule.name == name)
    chance = random.Random(3)  # noqa: S311 - a test, repeatable
    for form in f"{rule.sure} {rule.forms}".split():
        for _ in range(60):
            value = _example(form, chance)
            if rule.introduced[False].fullmatch(value):
                assert has_right_digits(rule.check, value) in {True, False}


def _example(form: str, chance: random.Random) -> str:
    """Return a value of the form, as far as it is made of signs and simple counts."""
    plain = re.sub(r"\(\?[!=][^()]*\)", "", form).replace(r"\x20", " ").replace("\\", "")
    plain = re.sub(r"(.)\{(?:\d+,)?(\d+)\}", lambda count: count[1] * int(count[2]), plain)
    plain = re.sub(r"\[[^]]*\]", "#", plain).replace("?", "")
    letters = {"#": "0123456789", "@": "ABCDEFGHJKLMNPQRSTUVWXYZ", "*": "0123456789ABCDEFGH", "_": " "}
    return re.sub(r"[#@*_]", lambda sign: chance.choice(letters[sign[0]]), plain)
