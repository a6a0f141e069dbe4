import re

import pytest

from privguard.core.entities import EntityType
from privguard.detect.found import any_of, listed, luhn, near, take, words


def test_the_longest_alternative_wins() -> None:
    pattern = re.compile(words("pass passport passport_no po"))
    assert pattern.findall("passport no. passports pass po") == ["passport no", "pass", "po"]


@pytest.mark.parametrize(
    "text", ["account no", "account\u00a0no", "account-no", "account_no", "accountno", "account. no"]
)
def test_an_underscore_stands_for_any_gap(text: str) -> None:
    assert re.fullmatch(any_of("account_no"), text)


def test_special_characters_of_a_word_are_literal() -> None:
    assert re.fullmatch(any_of("n.v. c++"), "c++")
    assert not re.fullmatch(any_of("n.v. c++"), "nxv.")


def test_lists_are_words() -> None:
    assert listed("a b", "c") == {"a", "b", "c"}


@pytest.mark.parametrize(("digits", "valid"), [("4111111111111111", True), ("4111111111111112", False), ("0", True)])
def test_luhn(digits: str, valid: bool) -> None:
    assert luhn(digits) is valid


def test_the_group_named_v_is_the_span() -> None:
    (span,) = take(re.finditer(r"pin (?P<v>\d+)", "pin 4471"), EntityType.SECRET, 0.5, "rules/a")
    assert (span.start, span.end) == (4, 8)


def test_context_is_looked_for_on_both_sides_only_so_far() -> None:
    pattern = re.compile("iban")
    assert near("iban 123", 5, 8, pattern)
    assert near("123 iban", 0, 3, pattern)
    assert not near("iban" + " " * 60 + "123", 64, 67, pattern)
