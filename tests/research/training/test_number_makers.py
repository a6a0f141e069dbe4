from random import Random

from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn

from privguard.research.training import number_makers as makers


@given(st.randoms(use_true_random=False))
def test_cards_and_hardware_numbers_pass_the_luhn_check(rng: Random) -> None:
    for made in (makers.card(rng), makers.imei(rng)):
        digits = "".join(sign for sign in made if sign.isdigit())
        assert luhn.calc_check_digit(digits[:-1]) == digits[-1]


@given(st.randoms(use_true_random=False))
def test_account_numbers_leave_one_when_divided_by_97(rng: Random) -> None:
    made = makers.iban(rng).replace(" ", "")
    assert int("".join(str(int(sign, 36)) for sign in made[4:] + made[:4])) % 97 == 1


@given(st.randoms(use_true_random=False))
def test_values_have_no_white_space_around_them(rng: Random) -> None:
    for maker in (
        makers.fin_account,
        makers.device_id,
        makers.plate,
        makers.host,
        makers.serial,
        makers.mac,
        makers.vin,
    ):
        made = maker(rng)
        assert made
        assert made == made.strip()
