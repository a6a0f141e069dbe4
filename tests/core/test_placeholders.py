import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import (
    ALPHABET,
    MAX_HINT,
    MAX_ID,
    Form,
    Hint,
    Pronoun,
    is_form,
    is_placeholder_id,
    join_hint,
    part_hint,
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


WORDS = st.sampled_from(["", *Form, "last name 12", "a customer", "a man, a plan", "a shepherd", "she-wolf"])


@given(words=WORDS, pronoun=st.sampled_from(["", *Pronoun]))
def test_a_hint_is_parted_as_it_was_joined(words: str, pronoun: str) -> None:
    assert part_hint(join_hint(words, pronoun)) == Hint(words, pronoun)


@pytest.mark.parametrize(
    ("hint", "words", "pronoun"),
    [
        (" She ", "", "she"),
        ("LAST NAME ,HE", "LAST NAME", "he"),
        ("they/them", "", "they"),
        ("last name, she/her", "last name", "she"),
        ("she, last name", "she, last name", ""),
        ("shelter", "shelter", ""),
        (", she", ", she", ""),
        ("", "", ""),
    ],
)
def test_a_hint_of_a_model_is_parted(hint: str, words: str, pronoun: str) -> None:
    assert part_hint(hint) == Hint(words, pronoun)


def test_a_pronoun_without_room_is_left_out() -> None:
    assert join_hint("x" * MAX_HINT, Pronoun.SHE) == "x" * MAX_HINT
    assert len(join_hint("x" * (MAX_HINT - 5), Pronoun.SHE)) == MAX_HINT


@given(text=st.text(max_size=MAX_HINT))
def test_any_hint_is_parted(text: str) -> None:
    words, pronoun = part_hint(text)
    assert words in text
    assert pronoun or words == text.strip()
