import re

import pytest

from privguard.research.training.seeds import seeded
from privguard.research.training.swapping_dates import swap_date

FORMS = {
    "2024-03-09": r"2025-(0[1-9]|1[0-2])-0[1-9]",
    "14 March 2023": r"[12]\d [A-Z][a-z]+ 2024",
    "MARCH 3rd": r"[A-Z]+ \d{1,2}(st|nd|rd|th)",
    "montag": r"[a-z]+tag|mittwoch",
    "9:05": r"\d:[0-5]\d",
    "2020-01-02T10:20:30Z": r"2021-0\d-0\dT\d\d:[0-5]\d:30Z",
    "Christmas": r"Christmas",
}


@pytest.mark.parametrize("value", FORMS)
def test_a_date_keeps_its_form(value: str) -> None:
    for seed in range(25):
        assert re.fullmatch(FORMS[value], swap_date(value, seeded(seed), 1))


def test_english_months_stay_english() -> None:
    months = {swap_date("September", seeded(seed), 1) for seed in range(60)}
    assert "October" in months
    assert "Augusti" not in months
