from random import Random

from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn

from privguard.research.training.check_digits import broken, grouped

DIGITS = st.text("0123456789", min_size=1, max_size=18)


@given(DIGITS, st.randoms(use_true_random=False))
def test_a_broken_number_fails_the_luhn_check(body: str, rng: Random) -> None:
    number = body + luhn.calc_check_digit(body)
    wrong = broken(number, rng)
    assert len(wrong) == len(number)
    assert wrong[-1] != luhn.calc_check_digit(wrong[:-1])


@given(DIGITS, st.randoms(use_true_random=False))
def test_grouping_adds_separators_only(digits: str, rng: Random) -> None:
    assert grouped(digits, rng).replace(" ", "").replace("-", "") == digits
