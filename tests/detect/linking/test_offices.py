import pytest

from privguard.detect.linking import PersonForms, Surface
from privguard.detect.linking.offices import office_of


@pytest.mark.parametrize(
    ("titles", "office"),
    [
        (("judge",), "court"),
        (("attorney", "dr"), "bar"),
        (("dr", "prof"), ""),
        (("judge", "attorney"), ""),
        ((), ""),
    ],
)
def test_an_office_is_told_by_titles_of_it_alone(titles: tuple[str, ...], office: str) -> None:
    assert office_of(titles) == office


@pytest.mark.parametrize(
    ("mentions", "numbers"),
    [
        (["Attorney Osei", "Judge Osei"], [0, 1]),
        (["Grace Osei", "Attorney Osei", "Judge Osei"], [0, 1, 2]),
        (["Judge Grace Osei", "Attorney Osei", "Judge Osei"], [0, 1, 0]),
        (["Judge Osei", "Magistrate Osei", "Dr. Osei", "Grace Osei"], [0, 0, 0, 0]),
        (["General Osei", "President Osei"], [0, 0]),
        (["Judge Grace Osei", "Attorney Grace Osei"], [0, 0]),
    ],
)
def test_nobody_holds_two_offices(mentions: list[str], numbers: list[int]) -> None:
    found = PersonForms().link([Surface(each) for each in mentions])
    order = {number: place for place, number in enumerate(dict.fromkeys(found))}
    assert [order[number] for number in found] == numbers
