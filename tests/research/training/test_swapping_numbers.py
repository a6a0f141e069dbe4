import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.seeds import seeded
from privguard.research.training.swapping_numbers import swap_number, swap_signs


def shape(value: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"[0-9]", "9", value)))


@given(st.from_regex(r"[A-Z]{1,4}[-/ ]?[0-9]{2,8}[a-z]{0,2}", fullmatch=True), st.integers(0, 99))
def test_an_id_keeps_its_pattern(value: str, seed: int) -> None:
    assert shape(swap_signs(value, seeded(seed))) == shape(value)


@pytest.mark.parametrize("head", ["sk-proj-", "ghp_", "AKIA", "+49", "xoxb-"])
def test_the_known_head_of_a_key_stays(head: str) -> None:
    made = swap_signs(head + "1Q2W3E4R5T6Z", seeded(1))
    assert made.startswith(head)
    assert made != head + "1Q2W3E4R5T6Z"


def test_addresses_of_machines_stay_addresses() -> None:
    for seed in range(20):
        made = swap_signs("10.0.0.12/24", seeded(seed)).split("/")[0]
        assert all(0 <= int(part) <= 255 for part in made.split("."))
        assert re.fullmatch(r"([0-9A-F]{2}:){5}[0-9A-F]{2}", swap_signs("AA:BB:01:02:03:0F", seeded(seed)))


def test_spoken_digits_stay_spoken() -> None:
    made = swap_signs("plus four nine one", seeded(2)).split()
    assert made[0] == "plus"
    assert len(made) == 4


@given(st.integers(1, 10**9), st.integers(0, 99))
def test_an_amount_keeps_its_length(amount: int, seed: int) -> None:
    made = swap_number(f"€{amount:,}.00", seeded(seed))
    assert shape(made) == shape(f"€{amount:,}.00")
    assert made.endswith(".00")


def test_postcodes_keep_their_pattern_and_street_words_stay() -> None:
    made = swap_number("9 Elm Road, Ostau OT6 3NB", seeded(4))
    assert re.fullmatch(r"\d{1,2} Elm Road, Ostau [A-Z]{2}\d \d[A-Z]{2}", made)
