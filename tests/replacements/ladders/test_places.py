import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.gazetteer import load_gazetteer
from privguard.replacements.ladders.places import (
    MIN_SHARED,
    address_rungs,
    is_address_rung,
    is_place_rung,
    place_rungs,
)

GAZETTEER = load_gazetteer()
AREAS = GAZETTEER.areas
CITIES = st.sampled_from(sorted(GAZETTEER.cities))
WHOLE_WORLD = "a city"


def phrases(value: str) -> list[str]:
    return [rung.phrase for rung in place_rungs(value, GAZETTEER)]


def addresses(value: str) -> list[str]:
    return [rung.phrase for rung in address_rungs(value, GAZETTEER)]


@given(CITIES, st.sampled_from(["{}", "{}, TX", "{} Germany", "Nowhereville, {}"]))
def test_every_rung_is_recognised_wider_than_the_one_before_and_shared(city: str, form: str) -> None:
    rungs = place_rungs(form.format(city), GAZETTEER)
    populations = [rung.population or 0 for rung in rungs]
    assert populations == sorted(populations)
    assert all(population >= MIN_SHARED for population in populations)
    assert all(is_place_rung(rung.phrase, AREAS) for rung in rungs)


@given(CITIES, st.sampled_from(["12 Elm Street, {}", "12 Elm Street\n80331 {}", "Elm Street 5, 1234 {}, USA"]))
def test_every_rung_of_an_address_is_recognised(city: str, form: str) -> None:
    for rung in address_rungs(form.format(city), GAZETTEER):
        assert is_address_rung(rung.phrase, AREAS)
        assert not is_place_rung(rung.phrase, AREAS)


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    for rung in (*place_rungs(text, GAZETTEER), *address_rungs(text, GAZETTEER)):
        assert is_place_rung(rung.phrase, AREAS) or is_address_rung(rung.phrase, AREAS)


@given(CITIES, st.text(alphabet="XQZ@:[]\né", min_size=1), st.integers(0, 40))
def test_a_rung_with_anything_put_into_it_is_none(city: str, more: str, place: int) -> None:
    for phrase in phrases(city):
        assert not is_place_rung(phrase[:place] + more + phrase[place:], AREAS)
    for phrase in addresses(f"12 Elm Street, {city}"):
        assert not is_address_rung(phrase[:place] + more + phrase[place:], AREAS)


def test_the_ladder_of_a_city_leads_from_its_state_to_the_world() -> None:
    assert phrases("Austin") == [
        "a large city in Texas",
        "a large city in the United States",
        "a city in the United States",
        "a place in the United States",
        "a city in North America",
        "a place in North America",
        WHOLE_WORLD,
    ]


@pytest.mark.parametrize(
    ("value", "first"),
    [
        ("Houston", "a very large city in the United States"),
        ("Austin, TX", "a large city in Texas"),
        ("Austin TX", "a large city in Texas"),
        ("Austin (Texas)", "a large city in Texas"),
        ("Paris", "a city in France"),
        ("Paris, TX", "a small city in Texas"),
        ("Springfield", "a city in the United States"),
        ("Springfield, IL", "a mid-sized city in Illinois"),
        ("MUNICH", "a city in Germany"),
        ("münchen", "a city in Germany"),
        ("München, Bayern", "a city in Germany"),
        ("New York", "a place in the United States"),
        ("Washington, D.C.", "a large city in the United States"),
        ("Kreuzberg, Berlin", "a mid-sized city in Germany"),
        ("Nowhereville, Ohio", "a place in Ohio"),
        ("Texas", "a region in the United States"),
        ("Bavaria", "a region in Germany"),
        ("Germany", "a country in Europe"),
        ("Deutschland", "a country in Europe"),
        ("UK", "a country in Europe"),
        ("CA", "a place in North America"),
        ("Singapore", "a place in Asia"),
        ("Manchester", WHOLE_WORLD),
    ],
)
def test_a_place_becomes_what_all_its_readings_share(value: str, first: str) -> None:
    assert phrases(value)[0] == first


@pytest.mark.parametrize(
    "value", ["Europe", "Georgia", "Nowhereville", "in", "or", "", ",", "(", "my password is hunter2"]
)
def test_what_is_unknown_or_has_nothing_around_it_has_no_rung(value: str) -> None:
    assert phrases(value) == []


@pytest.mark.parametrize(
    ("value", "first"),
    [
        ("12 Elm Street, Austin, TX 78701", "an address in a large city in Texas"),
        ("12 Elm Street, Apt 4, Austin, TX 78701, USA", "an address in a large city in Texas"),
        ("12 Elm Street\nAustin TX 78701", "an address in a large city in Texas"),
        ("Hauptstr. 5, 80331 München", "an address in a city in Germany"),
        ("Hauptstr. 5, D-80331 München", "an address in a city in Germany"),
        ("Hauptstr. 5 80331 München", "an address in a city in Germany"),
        ("10 Main St, Leeds LS1 4AP, UK", "an address in a large city in England"),
        ("1 Main St, TX", "an address in Texas"),
        ("1 Main St, Nowhereville, Germany", "an address in Germany"),
    ],
)
def test_an_address_becomes_its_town(value: str, first: str) -> None:
    assert addresses(value)[0] == first


@pytest.mark.parametrize(
    "value", ["Elm Street", "12 Austin", "5 Rue de Paris", "Paris Street 5", "1 Main St, Nowhereville"]
)
def test_the_name_of_a_street_is_not_taken_for_a_town(value: str) -> None:
    assert addresses(value) == []


@pytest.mark.parametrize(
    "phrase",
    [
        *("a large city in Ada Roth", "a place in Austin", "a huge city in Texas", "a country in Germany"),
        *("a region in France", "a city in Texas", "a large city in Europe", "a large city in texas", "a place in "),
    ],
)
def test_a_phrase_outside_the_grammar_is_no_rung(phrase: str) -> None:
    assert not is_place_rung(phrase, AREAS)
    assert not is_address_rung(f"an address in {phrase}", AREAS)
    assert not is_address_rung(phrase, AREAS)
