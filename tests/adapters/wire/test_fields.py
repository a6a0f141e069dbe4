import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard_adapters.wire.fields import (
    FIELD_NAMES,
    KNOWN_WORDS,
    bare_name,
    is_known_word,
    is_long_number,
    is_token,
    patterns,
    whole_part,
)


@given(text=st.text(max_size=20))
def test_a_token_has_no_white_space_quotes_or_foreign_letters(text: str) -> None:
    if is_token(text):
        assert text.isascii()
        assert not any(letter.isspace() or letter in "\"'<>,;" for letter in text)


@pytest.mark.parametrize("text", ["gpt-5", "ft:gpt-4o:org::Ab1", "meta/Llama-3@2", "call_Ab12", "#/$defs/A", ""])
def test_identifiers_are_tokens(text: str) -> None:
    assert is_token(text)


@pytest.mark.parametrize("text", ["Ada Roth", "a\n", "x" * 257, "Zoë", "a,b"])
def test_words_are_no_tokens(text: str) -> None:
    assert not is_token(text)


def test_words_of_providers_are_known_and_nothing_else_is() -> None:
    assert all(is_known_word(word) for word in KNOWN_WORDS)
    assert is_known_word("https://json-schema.org/draft/2020-12/schema")
    assert is_known_word("http://json-schema.org/draft-07/schema#")
    for text in ("gpt-5", "", "https://json-schema.org/ada_roth", "Ada"):
        assert not is_known_word(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[PERSON_7QK2]", "PERSON_7QK2"),
        ("mail_of_[PERSON_7QK2: a person]", "mail_of_PERSON_7QK2"),
        ("plain", "plain"),
        ("two words", None),
        ("", None),
        ("x" * 65, None),
    ],
)
def test_a_bare_name_has_no_brackets_and_no_hint(text: str, name: str | None) -> None:
    assert bare_name(text) == name


def test_six_digits_make_a_long_number() -> None:
    assert is_long_number("-1234.56e1")
    assert not is_long_number("12345")


def test_patterns_stand_for_every_index() -> None:
    assert patterns("a.*.b c") == {("a", None, "b"), ("c",)}


def test_field_names_are_single_words() -> None:
    assert all(is_token(name) for name in FIELD_NAMES)


@pytest.mark.parametrize(
    ("spelled", "whole"), [("0.30000000000000004", "0"), ("4839201748", "4839201748"), ("7e6", "7000000")]
)
def test_the_whole_part_of_a_number_has_no_digits_of_rounding(spelled: str, whole: str) -> None:
    assert whole_part(spelled) == whole
