import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.cards import find_cards
from privguard.detect.prepared import Prepared
from tests.growth import grows_in_proportion

_GAPS = (" ", "-", ".", "_", "/", "\u00b7", "  ", " - ", " / ", " . ", " _ ")
_GROUPED = (
    ("4111", "1111", "1111", "1111"),
    ("3782", "822463", "10005"),
    ("3056", "930902", "5904"),
    ("6304", "0000", "0000", "0000", "000"),
)


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_cards(Prepared(text=text))]


@pytest.mark.parametrize(
    "card",
    [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "5555 5555 5555 4444",
        "3782 822463 10005",
        "6011.1111.1111.1117",
        "41111 11111 111111",
        "41 11 11 11 11 11 11 11",
        "4111-1111 1111-1111",
        "\uff14" + "\uff11" * 15,
        "\u0664" + "\u0661" * 15,
    ],
)
def test_cards_are_found_in_any_grouping(card: str) -> None:
    assert _found(f"pay with {card} now") == [card]


@pytest.mark.parametrize("gap", _GAPS, ids=range(len(_GAPS)))
@pytest.mark.parametrize("groups", _GROUPED, ids=range(len(_GROUPED)))
@pytest.mark.parametrize(("before", "after"), [("", ""), ("pay with ", " now"), ("card:", ", 12/27"), ("(", ").")])
def test_cards_are_found_with_any_sign_between_their_groups(
    groups: tuple[str, ...], gap: str, before: str, after: str
) -> None:
    card = gap.join(groups)
    assert _found(before + card + after) == [card]


@given(
    st.sampled_from(["2024/11/12 ", "24.12.2024 ", "0.5 ", "17 ", "1/2/3 ", "v1.2.3 ", "12:30 ", "Ada,", "[4, "]),
    st.sampled_from(_GAPS),
    st.sampled_from(["", " 12/27", " 2024/11/12", " 123 09/27", ",12/27", "\n7", " 2nd", "/", "."]),
)
def test_neighbours_hide_no_card(before: str, gap: str, after: str) -> None:
    card = gap.join(_GROUPED[0])
    assert card in _found(before + card + after)


def test_one_card_does_not_hide_the_next() -> None:
    assert _found("4111 1111 1111 1111 5555 5555 5555 4444") == ["4111 1111 1111 1111", "5555 5555 5555 4444"]


def test_a_cell_of_a_table_is_found() -> None:
    assert _found("Ada,4111111111111111,12/27\n17,4111111111111111,12/27") == ["4111111111111111"] * 2


def test_a_valid_card_is_not_hidden_by_the_digits_before_it() -> None:
    assert _found("1234 4111 1111 1111 1111") == ["4111 1111 1111 1111"]


@pytest.mark.parametrize(
    "text",
    [
        "at 1667470478123",
        "id 1357924680135792",
        "0.4111111111111111",
        "12,4111111111111111",
        "0000 0000 0000 0000",
        "sum 4000000000000000",
        "4111_1111_1111_1112",
        "4111/1111/1111/1112",
        "4111 - 1111 - 1111 - 1112",
        "4111  1111  1111  1112",
        "1234_5678_9012_3456",
        "/4111/1111/1111/1111/",
        "path/4111/1111/1111/1111",
        "row_4111_1111_1111_1111",
        "4111_1111_1111_1111_x",
        "4_111_111_111_111_111",
        "41/11/11/11/11/11/11/11",
        "4111/1111-1111_1111",
        "2024/11/12",
        "2024/11/12 2025/11/13",
        "24.12.2024 26.12.2024",
        "30/11/2024 - 22/12/2024",
        "card valid 24.12.2024 26.12.2024",
        "v4.1111.1111.1111.1111",
        "1/2/3",
        "a_1_2_3_4_5_6_7_8_9_0_1_2_3_4_5_6",
        "4111\n1111\n1111\n1111",
    ],
)
def test_other_long_numbers_are_no_cards(text: str) -> None:
    assert _found(text) == []


def test_rows_of_numbers_and_dates_are_no_cards() -> None:
    chance = random.Random(3)  # noqa: S311 - a test, repeatable
    rows = [" ".join(str(chance.randint(10, 99)) for _ in range(14)) for _ in range(200)]
    rows += [" ".join(f"{chance.randint(1, 28)}.12.20{chance.randint(10, 29)}" for _ in range(3)) for _ in range(200)]
    assert sum(bool(_found(row)) for row in rows) == 0


def test_a_typing_error_near_the_word_does_not_save_a_card() -> None:
    assert _found("Visa 4111/1111/1111/1112") == ["4111/1111/1111/1112"]
    assert _found("Visa 4111 1111 1111 1112") == ["4111 1111 1111 1112"]


_UNITS = ("1 ", "41 ", "4111 ", "4111/", "4111  ", "4 - ", "4111111 ", "\uff14\uff11\uff11\uff11 ")


@pytest.mark.long
@pytest.mark.parametrize("unit", _UNITS, ids=range(len(_UNITS)))
def test_digits_take_linear_time(unit: str) -> None:
    assert grows_in_proportion(lambda text: list(find_cards(Prepared(text=text))), unit)
