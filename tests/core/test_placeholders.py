import pytest

from privguard.core.entities import EntityType
from privguard.core.placeholders import (
    ALPHABET,
    MAX_HINT,
    MAX_ID,
    Form,
    is_form,
    is_placeholder_id,
    write_form,
    write_placeholder,
)


def test_the_alphabet_has_32_letters_and_no_look_alikes() -> None:
    assert len(set(ALPHABET)) == 32
    assert not set("01IO") & set(ALPHABET)


@pytest.mark.parametrize("text", ["7QK2", "2ABC", "A" * (MAX_ID - 1) + "2"])
def test_ids_are_recognised(text: str) -> None:
    assert is_placeholder_id(text)


@pytest.mark.parametrize(
    "text", ["", "7QK", "ABCD", "2345", "7qk2", "7QK0", "7QKI", "A" * MAX_ID + "2", "7Q K2", "７QK2"]
)
def test_words_numbers_and_foreign_letters_are_no_ids(text: str) -> None:
    assert not is_placeholder_id(text)


def test_a_hint_stands_behind_a_colon() -> None:
    assert write_placeholder(EntityType.PERSON, "7QK2") == "[PERSON_7QK2]"
    assert write_placeholder(EntityType.LOCATION, "7QK2", "a city") == "[LOCATION_7QK2: a city]"


@pytest.mark.parametrize("form", Form)
def test_a_form_is_recognised_with_and_without_a_number(form: Form) -> None:
    for number in (1, 2, 10, 4096):
        assert is_form(write_form(form, number))
        assert len(write_form(form, number)) <= MAX_HINT


@pytest.mark.parametrize(
    "hint", ["", "a name", "last name 1", "last name 02", "last names", "Last name", "nickname Ada"]
)
def test_anything_else_is_no_form(hint: str) -> None:
    assert not is_form(hint)
