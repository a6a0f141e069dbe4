from random import Random

from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.calendar_makers import money, numeric_date, stamp, written_date


@given(st.randoms(use_true_random=False))
def test_dates_and_amounts_hold_digits_and_no_outer_space(rng: Random) -> None:
    for made in (numeric_date(rng), numeric_date(rng, birth=True), stamp(rng), money(rng), money(rng, ("€", "kr"))):
        assert any(sign.isdigit() for sign in made)
        assert made == made.strip()


@given(st.randoms(use_true_random=False))
def test_words_for_money_follow_the_number(rng: Random) -> None:
    assert money(rng, ("рублей",)).endswith(" рублей")
    assert money(rng, ("円",))[-1] in "円kKm0123456789"
    assert money(rng, ("万円",)).endswith("万円")
    assert money(rng, ("R$",)).startswith("R$ ")


@given(st.randoms(use_true_random=False))
def test_ordinals_end_as_english_ends_them(rng: Random) -> None:
    made = written_date(rng, [str(month) for month in range(1, 13)], ("{d} {o}",))
    day, ordinal = made.split()
    teens = int(day) in (11, 12, 13)
    assert ordinal == day + ("th" if teens else {"1": "st", "2": "nd", "3": "rd"}.get(day[-1], "th"))
