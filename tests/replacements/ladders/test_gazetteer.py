import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.gazetteer import Cities, Place, Size, load_areas, load_gazetteer

GAZETTEER = load_gazetteer()


def paths(name: str, *inside: str) -> list[str]:
    return [place.path for place in GAZETTEER.find(name, inside or ("",))]


def test_it_is_read_once() -> None:
    assert load_gazetteer() is GAZETTEER
    assert load_areas() is GAZETTEER.areas


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("Austin", "NA/US/TX"),
        ("München", "EU/DE/02"),
        ("munich", "EU/DE/02"),
        ("Dresden", "EU/DE/13"),
        ("Kiel", "EU/DE/10"),
        ("Calgary", "NA/CA/01"),
        ("Winnipeg", "NA/CA/03"),
        ("Glasgow", "EU/GB/SCT"),
        ("Swansea", "EU/GB/WLS"),
        ("Brisbane", "OC/AU/04"),
        ("Adelaide", "OC/AU/05"),
        ("Москва", "EU/RU"),
        ("the city of Tokyo", "AS/JP"),
        ("NYC", "NA/US/NY"),
        ("Paris", "EU/FR"),
        ("Xi\u02bcan", "AS/CN"),
        ("\u0627\u0644\u0625\u0633\u0643\u0646\u062f\u0631\u064a\u0629", "AF/EG"),
        ("\u0627\u0644\u0627\u0633\u0643\u0646\u062f\u0631\u064a\u0651\u0629", "AF/EG"),
    ],
)
def test_a_city_lies_in_its_region(name: str, region: str) -> None:
    assert paths(name.removeprefix("the ")) == [region]


def test_a_place_is_dominant_only_with_ten_times_the_people() -> None:
    assert paths("Paris") == ["EU/FR"]
    assert len(paths("Springfield")) > 5
    assert set(paths("Georgia")) >= {"AS/GE", "NA/US/GA"}


def test_an_area_around_it_decides_between_places() -> None:
    assert paths("Paris", "NA/US/TX") == ["NA/US/TX"]
    assert paths("Springfield", "NA/US/IL") == ["NA/US/IL"]
    assert paths("Munich", "NA/US") == []


def test_an_area_does_not_hold_one_whose_code_begins_alike() -> None:
    assert paths("Austin", "NA/U") == []


@given(st.text(max_size=30))
def test_any_name_is_looked_up_without_an_error(name: str) -> None:
    assert all(isinstance(place, Place) for place in GAZETTEER.find(name))


@given(st.sampled_from(sorted(GAZETTEER.cities)))
def test_a_city_is_found_by_its_key_and_the_largest_stands_first(key: str) -> None:
    places = GAZETTEER.find(f"x {key}".removeprefix("x "))
    populations = [place.population for place in places]
    assert populations == sorted(populations, reverse=True)


def test_the_classes_add_up() -> None:
    for area in ("EU", "NA/US", "NA/US/TX"):
        assert sum(GAZETTEER.counts[area, size] for size in Size) == GAZETTEER.counts[area, None] > 0


def test_codes_and_airports_are_no_cities_in_small_letters() -> None:
    assert paths("in") == paths("aus") == paths("muc") == []


def test_sizes_read_as_adjectives() -> None:
    assert [size.word for size in Size] == ["small", "mid-sized", "large", "very large"]


@given(
    st.dictionaries(st.text("abcß 王", min_size=1, max_size=4), st.integers(15_000, 10**7), max_size=20),
    st.text("abcß王"),
)
def test_every_row_is_found_by_halves_and_nothing_else(people: dict[str, int], other: str) -> None:
    rows = [f"{key}\tEU/DE {number}\n".encode() for key, number in people.items()]
    cities = Cities(b"".join(sorted(rows)))
    assert {key: cities[key][0].population for key in people} == people
    assert (other in cities) == (other in people)
    assert sorted(cities) == sorted(people)
    assert len(cities) == len(people)


def test_the_shipped_rows_are_in_the_order_of_their_bytes() -> None:
    keys = [key.encode() for key in GAZETTEER.cities]
    assert keys == sorted(set(keys))
    assert len(GAZETTEER.cities) == len(keys) > 30_000
