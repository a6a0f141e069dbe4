from random import Random

from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.check_digits import broken, grouped, luhn_digit, verhoeff_digit

DIGITS = st.text("0123456789", min_size=1, max_size=18)


def test_known_check_digits_are_found() -> None:
    assert luhn_digit("411111111111111") == "1"
    assert luhn_digit("37828224631000") == "5"
    assert verhoeff_digit("236") == "3"


@given(DIGITS, st.randoms(use_true_random=False))
def test_a_broken_number_fails_the_luhn_check(body: str, rng: Random) -> None:
    number = body + luhn_digit(body)
    wrong = broken(number, rng)
    assert len(wrong) == len(number)
    assert wrong[-1] != luhn_digit(wrong[:-1])


@given(DIGITS, st.randoms(use_true_random=False))
def test_grouping_adds_separators_only(digits: str, rng: Random) -> None:
    assert grouped(digits, rng).replace(" ", "").replace("-", "") == digits
