from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn, verhoeff

from privguard.research.training import national_makers as makers
from privguard.research.training.seeds import seeded


def digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())


@given(st.randoms(use_true_random=False))
def test_numbers_pass_the_checks_of_their_countries(rng: Random) -> None:
    pesel = makers.pesel(rng)
    assert sum(int(d) * w for d, w in zip(pesel, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), strict=True)) % 10 == 0
    nhs = digits(makers.nhs(rng))
    assert sum(int(d) * w for d, w in zip(nhs, range(10, 0, -1), strict=True)) % 11 == 0
    bsn = digits(makers.bsn(rng))
    assert sum(int(d) * w for d, w in zip(bsn, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0
    aadhaar = digits(makers.aadhaar(rng))
    assert verhoeff.calc_check_digit(aadhaar[:-1]) == aadhaar[-1]
    number = digits(makers.personnummer(rng))[-10:]
    assert luhn.calc_check_digit(number[:-1]) == number[-1]
    nir = digits(makers.nir(rng))
    assert (int(nir[:-2]) + int(nir[-2:])) % 97 == 0


@pytest.mark.parametrize("maker", makers.GOV_IDS, ids=lambda maker: str(maker.__name__))
def test_the_same_seed_makes_the_same_number(maker: makers.Maker) -> None:
    assert maker(seeded(7)) == maker(seeded(7))
    assert len({maker(seeded(seed)) for seed in range(20)}) > 10
