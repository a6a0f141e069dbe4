from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.minimizer.redundancy import Group
from privguard.minimizer.relations import STEP, Place, find_groups
from tests.growth import costs_in_proportion, seconds

T = EntityType


def groups(text: str, *values: tuple[str, EntityType]) -> set[tuple[tuple[str, ...], bool]]:
    """Return the groups of a text by the values in them, and whether each is a strong one."""
    places, position = [], 0
    for number, (value, kind) in enumerate(values):
        position = text.index(value, position)
        places.append(Place(number, kind, position, position + len(value)))
        position += len(value)
    return {
        (tuple(values[member][0] for member in group.members), group.increment > 0)
        for group in find_groups(text, places)
    }


def money(*amounts: str) -> list[tuple[str, EntityType]]:
    return [(amount, T.FINANCE) for amount in amounts]


@pytest.mark.parametrize(
    ("text", "values", "group"),
    [
        ("the Old Bridge in Mostow", [("Old Bridge", T.LOCATION), ("Mostow", T.LOCATION)], True),
        ("on Monday, 3 March", [("Monday", T.DATE), ("3 March", T.DATE)], True),
        ("34 (born 1990)", [("34", T.AGE), ("born 1990", T.DATE)], True),
        ("my sister Ada came", [("sister", T.FAMILY), ("Ada", T.PERSON)], True),
        ("a nurse who has long been at Acme", [("nurse", T.OCCUPATION), ("Acme", T.ORGANIZATION)], False),
        ("asthma, so she takes salbutamol daily", [("asthma", T.HEALTH), ("salbutamol", T.HEALTH)], False),
    ],
    ids=range(6),
)
def test_related_values_of_one_sentence_are_a_group(
    text: str, values: Sequence[tuple[str, EntityType]], group: bool
) -> None:
    found = {strong for members, strong in groups(text, *values) if len(members) == 2}
    assert group in found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("She is a nurse. Acme called.", [("nurse", T.OCCUPATION), ("Acme", T.ORGANIZATION)]),
        ("Zurich\nBern", [("Zurich", T.LOCATION), ("Bern", T.LOCATION)]),
        ("from 3 March until some time in May", [("3 March", T.DATE), ("May", T.DATE)]),
        ("ada@roth.example, 34", [("ada@roth.example", T.EMAIL), ("34", T.AGE)]),
        ("Zurich " + "x " * 90 + "Bern", [("Zurich", T.LOCATION), ("Bern", T.LOCATION)]),
    ],
    ids=range(5),
)
def test_other_sentences_and_other_types_are_none(text: str, values: Sequence[tuple[str, EntityType]]) -> None:
    assert groups(text, *values) == set()


def test_a_total_goes_with_its_parts() -> None:
    text = "rent 800\nfood 350.50\nfun 49,50\nall 1,200"
    assert (("800", "350.50", "49,50", "1,200"), True) in groups(text, *money("800", "350.50", "49,50", "1,200"))
    assert (("40", "1.160", "1200"), True) in groups("40\n1.160\n1200", *money("40", "1.160", "1200"))


def test_a_product_goes_with_its_factors_and_equal_amounts_with_each_other() -> None:
    assert (("12", "35", "420"), True) in groups("12 months\n35 each\n420", *money("12", "35", "420"))
    assert (("EUR 1,200", "1200.00"), True) in groups("EUR 1,200\n1200.00", *money("EUR 1,200", "1200.00"))


def test_a_mention_alone_has_no_group() -> None:
    assert groups("in Zurich", ("Zurich", T.LOCATION)) == set()


@given(
    st.lists(
        st.tuples(st.sampled_from(EntityType), st.integers(0, 3), st.sampled_from([" ", ", ", ". ", "\n"])), max_size=12
    )
)
def test_groups_hold_different_entities_in_order(rows: list[tuple[EntityType, int, str]]) -> None:
    text, places = "", []
    for kind, entity, gap in rows:
        places.append(Place(entity, kind, len(text), len(text) + 2))
        text += "12" + gap
    for group in find_groups(text, places):
        assert isinstance(group, Group)
        assert len(group.members) > 1
        assert list(group.members) == sorted(set(group.members))
        assert group.increment in (0.0, STEP)


def test_the_cost_is_linear_in_the_number_of_spans() -> None:
    def cost(count: int) -> float:
        text = "12, " * count
        places = [Place(n, T.FINANCE if n % 2 else T.LOCATION, 4 * n, 4 * n + 2) for n in range(count)]
        return seconds(lambda: list(find_groups(text, places)))

    assert costs_in_proportion(cost, 500, least_s=0.001)
