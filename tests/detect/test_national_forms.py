import random
import re
import sys

import pytest

from privguard.detect.national_forms import Needs, Rule, has_unspaced
from privguard.detect.national_rules import RULES

_SHAPE = str.maketrans({**dict.fromkeys("0123456789", "0"), **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A")})
_SURE = [rule for rule in RULES if rule.sure]


def test_the_four_signs_stand_for_digits_letters_both_and_separators() -> None:
    rule = Rule(name="x", sure="##_@*")
    assert all(rule.alone[False].fullmatch(value) for value in ("12 A3", "12-AB", "12.a3", "12_A3", "12/A3", "12A3"))
    assert not any(rule.alone[False].fullmatch(value) for value in ("1A A3", "12  A3", "12A", "12,A3"))


def test_a_form_ends_where_the_number_does() -> None:
    rule = Rule(name="x", sure="###")
    assert rule.alone[False].match("123, 4")
    assert rule.alone[True].match("123入")
    assert not any(
        rule.alone[unspaced].match(text)
        for text in ("1234", "123a", "123-4", "123.4", "123/4", "123@a", "123_")
        for unspaced in (False, True)
    )


def test_a_text_without_scripts_that_run_on_needs_no_set_of_their_letters() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    text = "".join(f"7{letter} " for letter in letters if not has_unspaced(letter))
    rule = Rule(name="x", sure="#")

    apart, full = ([match.start() for match in rule.alone[unspaced].finditer(text)] for unspaced in (False, True))

    assert apart == full
    assert all(rule.alone[True].match(f"7{letter}") for letter in letters if has_unspaced(letter))


def test_further_forms_are_tried_where_a_word_introduces_them() -> None:
    rule = Rule(name="x", sure="###-#", forms="####")
    assert rule.introduced[False].match("1234")
    assert rule.introduced[False].match("123-4")
    assert not rule.alone[False].match("1234")
    assert rule.needs is Needs.CHECK


def test_heads_are_the_first_runs_with_and_without_separators() -> None:
    assert Rule(name="x", sure="##_##_@ #*-#").heads == {"00", "0000", "0000A", "0A"}
    assert Rule(name="x", sure=r"(?=7)###\.#").heads == {"000"}
    assert Rule(name="x", forms="[AB]##").heads == frozenset()


def test_a_sure_form_whose_first_run_is_open_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with signs"):
        _ = Rule(name="x", sure="[AB]###").heads


@pytest.mark.parametrize("rule", _SURE, ids=[rule.name for rule in _SURE])
def test_each_sure_form_is_reached_by_its_head(rule: Rule) -> None:
    chance = random.Random(5)  # noqa: S311 - a test, repeatable
    for form in rule.sure.split():
        signs = re.sub(r"\(\?[!=][^()]*\)", "", form).replace(r"\x20", " ").replace(chr(92), "")
        for gap in ("", " "):
            value = "".join(_letter(sign, gap, chance) for sign in signs)
            run = re.match(r"[A-Z0-9]+", value)
            assert run
            assert run[0].translate(_SHAPE) in rule.heads


def test_terms_begin_with_words_in_any_spelling() -> None:
    rule = Rule(name="x", forms="#", terms="Social_Security ת.ז 身份证")
    assert {"social", "social_security", "socialsecurity", "ת"} <= rule.leads
    assert rule.unspaced_terms == {"身份证"}
    assert all(rule.introduction.match(text) for text in ("social security", "social-security", "ת.ז"))
    assert not rule.introduction.match("social securityx")


def test_terms_without_spaces_around_them_have_none_in_them() -> None:
    assert not [term for rule in RULES for term in rule.unspaced_terms if "_" in term]


def _letter(sign: str, gap: str, chance: random.Random) -> str:
    choices = {"#": "0123456789", "@": "ABCXYZ", "*": "0123ABC"}
    return gap if sign == "_" else chance.choice(choices.get(sign, sign))
