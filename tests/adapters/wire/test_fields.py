import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard_adapters.wire.fields import (
    FIELD_NAMES,
    KNOWN_TOKENS,
    bare_name,
    is_long_number,
    is_token,
    needs_scan,
    patterns,
    without_release,
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


def test_fixed_words_need_no_scan_and_everything_else_does() -> None:
    assert not any(needs_scan(word) for word in KNOWN_TOKENS)
    assert needs_scan("gpt-5")
    assert not needs_scan("https://json-schema.org/draft/2020-12/schema")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o-"),
        ("claude-3-5-sonnet-20241022", "claude-3-5-sonnet-"),
        ("gpt-4-0613", "gpt-4-"),
        ("ft:gpt-4o-mini-2024-07-18:acme::x1", "ft:gpt-4o-mini-:acme::x1"),
        ("gpt-5", "gpt-5"),
        ("m-41446681800", "m-41446681800"),
    ],
)
def test_only_the_release_date_of_a_model_is_left_out(model: str, expected: str) -> None:
    assert without_release(model) == expected


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
