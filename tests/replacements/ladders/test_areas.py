import pytest

from privguard.core.placeholders import MAX_HINT
from privguard.replacements.ladders.areas import CONTINENTS, levels, read_areas
from privguard.replacements.ladders.naming import key_of

AREAS = read_areas()


def test_every_area_lies_in_one_that_is_known() -> None:
    for path in AREAS.names:
        parent = path.rpartition("/")[0]
        assert parent in AREAS.names or path in CONTINENTS


def test_every_name_can_stand_in_a_hint() -> None:
    for name in AREAS.names.values():
        assert name.isascii()
        assert not set(name) & set("[]:\n")
        assert len(f"a very large city in {name}") <= MAX_HINT


def test_every_area_is_found_by_the_name_that_is_shown() -> None:
    for path, name in AREAS.names.items():
        if path != "EU/DE/01":  # shown without its umlaut
            assert path in AREAS.paths[key_of(name.removeprefix("the "))]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Deutschland", "EU/DE"),
        ("U.S.A.", "NA/US"),
        ("Great Britain", "EU/GB"),
        ("Texas", "NA/US/TX"),
        ("Bayern", "EU/DE/02"),
        ("Thüringen", "EU/DE/15"),
        ("Ontario", "NA/CA/08"),
        ("New South Wales", "OC/AU/02"),
        ("Scotland", "EU/GB/SCT"),
        ("Baden-Württemberg", "EU/DE/01"),
        ("Netherlands", "EU/NL"),
        ("Europa", "EU"),
    ],
)
def test_local_and_short_names_are_known(name: str, path: str) -> None:
    assert AREAS.paths[key_of(name)] == (path,)


def test_codes_are_capitals_and_keep_every_reading() -> None:
    assert all(code.isupper() for code in AREAS.codes)
    assert AREAS.codes["CA"] == ("NA/CA", "NA/US/CA")
    assert AREAS.codes["GB"] == AREAS.paths["uk"] == ("EU/GB",)
    assert "in" not in AREAS.paths


def test_the_same_name_keeps_every_reading() -> None:
    assert set(AREAS.paths["georgia"]) == {"AS/GE", "NA/US/GA"}


def test_articles_stand_where_english_wants_them() -> None:
    shown = [AREAS.names[f"{path}"] for path in ("EU/NL", "NA/US", "AS/PH", "EU/FR", "NA/KY", "NA/US/DC")]
    assert shown == [
        "the Netherlands",
        "the United States",
        "the Philippines",
        "France",
        "the Cayman Islands",
        "the District of Columbia",
    ]


def test_the_levels_of_an_area_lead_from_its_continent_to_itself() -> None:
    assert levels("NA/US/TX") == ["NA", "NA/US", "NA/US/TX"]
