from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.rendering import Rendered, Slot, choose, pattern, render
from privguard.research.training.seeds import seeded


def resolve(slot: Slot) -> tuple[str, str | None]:
    values = {"name": ("Ada Roth", "PERSON"), "place": ("the [[town]]", "LOCATION"), "town": ("Ostau", None)}
    return values[slot.kind]


def labelled(made: Rendered) -> list[tuple[str, str]]:
    return [(made.text[span.start : span.end], span.label) for span in made.spans]


def test_slots_and_literals_become_spans_where_they_stand() -> None:
    made = render("[[name]] has [[HEALTH:a cold]], says [[name2]].", resolve, seeded(1))
    assert made.text == "Ada Roth has a cold, says Ada Roth."
    assert labelled(made) == [("Ada Roth", "PERSON"), ("cold", "HEALTH"), ("Ada Roth", "PERSON")]


def test_a_value_inside_a_labelled_value_has_no_span_of_its_own() -> None:
    made = render("in [[place]], [[ADDRESS:Elm [[num:7-7]], [[town]]]]", resolve, seeded(1))
    assert labelled(made) == [("Ostau", "LOCATION"), ("Elm 7, Ostau", "ADDRESS")]


def test_brackets_around_a_slot_stay_text() -> None:
    assert render("[[[town]]] [[", resolve, seeded(1)).text == "[Ostau] [["


def test_a_slot_without_its_end_is_refused() -> None:
    with pytest.raises(ValueError, match="not closed"):
        render("[[HEALTH:cold", resolve, seeded(1))


@given(st.randoms(use_true_random=False))
def test_an_alternative_is_one_of_those_given(rng: Random) -> None:
    assert choose("((a|((b|c))d|))", rng) in {"a", "bd", "cd", ""}


@given(st.randoms(use_true_random=False))
def test_a_pattern_is_filled_sign_by_sign(rng: Random) -> None:
    made = pattern(r"A#-\Ax", rng)
    assert made[0].isupper()
    assert made[1].isdigit()
    assert made[2:4] == "-A"
    assert made[4] in "0123456789abcdef"
