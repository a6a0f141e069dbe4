import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import MAX_HINT
from privguard.core.protocols import Abstractor
from privguard.replacements.ladders.abstractor import Ladders
from privguard.replacements.ladders.gazetteer import load_gazetteer
from privguard.replacements.ladders.naming import Forbidden, names, shares_word
from privguard.replacements.ladders.places import GRAMMAR

LADDERS: Abstractor = Ladders()
LADDERED = (
    EntityType.DATE,
    EntityType.AGE,
    EntityType.FINANCE,
    EntityType.MISC,
    EntityType.LOCATION,
    EntityType.ADDRESS,
)
PLACES = (EntityType.LOCATION, EntityType.ADDRESS)
KINDS = st.sampled_from(EntityType)
CITIES = st.sampled_from(sorted(load_gazetteer().cities))
VALUES = st.one_of(
    st.text(max_size=30),
    st.dates().map(str),
    st.dates().map(lambda day: day.strftime("%d %B %Y")),
    st.integers(0, 130).map(str),
    st.integers(0, 10**12).map("${:,}".format),
    CITIES,
    CITIES.map("12 Elm Street, {}".format),
    st.sampled_from(["Texas", "Mexico City", "Austin, Texas", "90 years", "1980", "80", "100,000", "the late 1980s"]),
)
FORBIDDEN = st.lists(
    st.one_of(
        VALUES, st.sampled_from(["Texas", "spring", "dollars", "city", "the", "a", "person", "United States", "–"])
    ),
    max_size=6,
)


@given(KINDS, VALUES, FORBIDDEN)
def test_a_rung_is_recognised_and_can_stand_in_a_hint(kind: EntityType, value: str, forbidden: list[str]) -> None:
    phrase = LADDERS.abstract(kind, value, forbidden).phrase
    assert LADDERS.is_rung(kind, phrase)
    assert 0 < len(phrase) <= MAX_HINT
    assert not set(phrase) & set("[]:\r\n")


@given(KINDS, VALUES, FORBIDDEN)
def test_a_rung_names_neither_the_value_nor_another(kind: EntityType, value: str, forbidden: list[str]) -> None:
    phrase = LADDERS.abstract(kind, value, forbidden).phrase
    if phrase != kind.noun:
        assert not any(names(phrase, term) for term in (value, *forbidden))
        assert kind not in PLACES or not shares_word(phrase, value, GRAMMAR)


@given(st.sampled_from(LADDERED), VALUES, FORBIDDEN)
def test_forbidding_more_never_makes_a_rung_more_precise(kind: EntityType, value: str, forbidden: list[str]) -> None:
    free, bound = LADDERS.abstract(kind, value), LADDERS.abstract(kind, value, forbidden)
    if free.population is not None and bound.population is not None:
        assert bound.population >= free.population


@given(st.sampled_from(LADDERED), VALUES)
def test_climbing_from_rung_to_rung_ends_at_the_noun_and_never_leads_down(kind: EntityType, value: str) -> None:
    rung = LADDERS.abstract(kind, value)
    for _ in range(8):
        above = LADDERS.abstract(kind, rung.phrase)
        if rung.population is not None and above.population is not None:
            assert above.population >= rung.population
        rung = above
    assert rung.phrase == kind.noun
    assert LADDERS.abstract(kind, kind.noun).phrase == kind.noun


@given(KINDS, VALUES, FORBIDDEN)
def test_the_same_value_has_the_same_rung(kind: EntityType, value: str, forbidden: list[str]) -> None:
    rung = LADDERS.abstract(kind, value, forbidden)
    assert Ladders().abstract(kind, value, tuple(reversed(forbidden))) == rung
    assert LADDERS.abstract(kind, value, Forbidden(forbidden)) == rung


@given(KINDS, VALUES, st.text(alphabet="XQZ@:[]\né", min_size=1), st.integers(0, 40))
def test_a_rung_with_anything_put_into_it_is_none(kind: EntityType, value: str, more: str, place: int) -> None:
    phrase = LADDERS.abstract(kind, value).phrase
    assert not LADDERS.is_rung(kind, phrase[:place] + more + phrase[place:])


@pytest.mark.parametrize("kind", EntityType)
def test_a_sentence_or_a_name_is_never_a_rung(kind: EntityType) -> None:
    for text in (
        *(
            "my password is hunter2",
            "a large city in Ada Roth",
            "Ada Roth",
            "spring of Ben Kole",
            "",
            " ",
            "a place: x",
        ),
        *(f"{kind.noun} ", kind.noun.upper(), f"{kind.noun} in Ada", "a secret person", "30–39 Ada"),
    ):
        assert not LADDERS.is_rung(kind, text)


@pytest.mark.parametrize("kind", [kind for kind in EntityType if kind not in LADDERED])
def test_a_type_without_a_ladder_has_its_noun(kind: EntityType) -> None:
    rung = LADDERS.abstract(kind, "14 March 1987")
    assert rung.phrase == kind.noun
    assert rung.population is None


@pytest.mark.parametrize(
    ("kind", "value", "forbidden", "expected"),
    [
        (EntityType.DATE, "14 March 1987", (), "spring 1987"),
        (EntityType.DATE, "14 March 1987", ("1987",), "the late 1980s"),
        (EntityType.DATE, "14 March 1987", ("1987", "LATE"), "the 1980s"),
        (EntityType.DATE, "next Friday", (), "a date"),
        (EntityType.DATE, "the late 1980s", (), "the 1980s"),
        (EntityType.AGE, "34", (), "mid-thirties"),
        (EntityType.AGE, "ninety", (), "adult"),
        (EntityType.FINANCE, "83,250", (), "80–90 thousand"),
        (EntityType.FINANCE, "$83,250", ("Dollars",), "80–90 thousand"),
        (EntityType.FINANCE, "$83,250", ("80",), "10–100 thousand dollars"),
        (EntityType.FINANCE, "a mortgage", (), "an amount"),
        (EntityType.MISC, "17", (), "ten to twenty"),
        (EntityType.MISC, "a red bicycle", (), "a detail"),
        (EntityType.LOCATION, "Austin", (), "a large city in Texas"),
        (EntityType.LOCATION, "Austin", ("texas",), "a large city in the United States"),
        (EntityType.LOCATION, "Austin", ("Texas", "United States", "City"), "a place in North America"),
        (EntityType.LOCATION, "Austin, Texas", (), "a large city in the United States"),
        (EntityType.LOCATION, "Ciudad de México", (), "a city in North America"),
        (EntityType.LOCATION, "Austin", ("a",), "a place"),
        (EntityType.ADDRESS, "12 Elm Street, Austin, TX 78701", (), "an address in a large city in Texas"),
        (
            EntityType.ADDRESS,
            "12 Elm Street, Austin, TX 78701",
            ("Texas",),
            "an address in a large city in the United States",
        ),
        (EntityType.PERSON, "Ada Roth", ("person",), "a person"),
    ],
)
def test_the_most_precise_rung_that_names_nothing_is_taken(
    kind: EntityType, value: str, forbidden: tuple[str, ...], expected: str
) -> None:
    assert LADDERS.abstract(kind, value, forbidden).phrase == expected


@pytest.mark.parametrize("kind", EntityType)
@pytest.mark.parametrize("value", ["", " ", "\ud800", "9" * 199, "(" * 199, "1," * 99, " 1" * 99], ids=range(7))
def test_odd_values_have_a_rung(kind: EntityType, value: str) -> None:
    assert LADDERS.is_rung(kind, LADDERS.abstract(kind, value).phrase)


@pytest.mark.parametrize("kind", EntityType)
def test_a_value_of_ten_megabytes_becomes_its_noun(kind: EntityType) -> None:
    assert LADDERS.abstract(kind, "Austin, TX " * 1_000_000).phrase == kind.noun
    assert not LADDERS.is_rung(kind, "a place in " * 1_000_000)


def test_months_are_written_and_recognised_only_where_they_are_wanted() -> None:
    monthly = Ladders(months=True)
    assert monthly.abstract(EntityType.DATE, "14.3.1987").phrase == "March 1987"
    assert monthly.is_rung(EntityType.DATE, "March 1987")
    assert not LADDERS.is_rung(EntityType.DATE, "March 1987")
    assert monthly.id != LADDERS.id


def test_threads_share_the_ladders() -> None:
    with ThreadPoolExecutor(4) as pool:
        rungs = set(pool.map(lambda city: LADDERS.abstract(EntityType.LOCATION, city), ["Austin"] * 50))
    assert len(rungs) == 1


def test_nothing_is_read_before_the_first_place() -> None:
    statement = (
        "from privguard.core.entities import EntityType; from privguard.replacements import Ladders;"
        "from privguard.replacements.ladders.gazetteer import load_gazetteer;"
        "Ladders().abstract(EntityType.DATE, '14 March 1987'); print(load_gazetteer.cache_info().currsize)"
    )
    command = [sys.executable, "-c", statement]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "0"
