import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.linking.matching import abbreviates, compatible
from privguard.detect.linking.person_name import Name, read_name, whole_text


def name(text: str) -> Name:
    return read_name(text) or whole_text(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Johnny Reik", "J. Reik"),
        ("Johnny Adam Reik", "Johnny Reik"),
        ("Johnny Adam Reik", "J. A. Reik"),
        ("Jörg Müller", "Joerg Mueller"),
    ],
)
def test_an_abbreviation_is_the_same_name(one: str, other: str) -> None:
    assert compatible(name(one), name(other))
    assert abbreviates(name(one), name(other))


@pytest.mark.parametrize(("one", "other"), [("Bob Marsh", "Robert Marsh"), ("García López", "Ana García López")])
def test_a_likeness_is_compatible_and_no_more(one: str, other: str) -> None:
    assert compatible(name(one), name(other))
    assert not abbreviates(name(one), name(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Albert Einstein", "Albert Einstein Gruber"),
        ("Alexander Kim", "Alexandra Kim"),
        ("Jan Roth Jr.", "Jan Roth Sr."),
        ("王芳", "王芳芳"),
    ],
)
def test_other_full_names_are_other_people(one: str, other: str) -> None:
    assert not compatible(name(one), name(other))


TEXTS = st.text("aáBб田中.,-' \u0301\u2019JrXI", max_size=14)


@given(TEXTS, TEXTS)
def test_any_two_texts_compare_in_either_order(one: str, other: str) -> None:
    first, second = name(one), name(other)
    assert compatible(first, first)
    assert compatible(first, second) == compatible(second, first)
