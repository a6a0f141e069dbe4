import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.linking.matching import compatible
from privguard.detect.linking.person_name import read_context, read_name, whole_text
from privguard.detect.linking.surfaces import Surface


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Johnny Reik", ["johnny", "reik"]),
        ("Reik, Johnny", ["johnny", "reik"]),
        ("Herr Prof. Dr. Johnny Reik", ["johnny", "reik"]),
        ("REIK Johnny", ["johnny", "reik"]),
        ("Johnny Reik, MD", ["johnny", "reik"]),
        ("Johnny Reik's", ["johnny", "reik"]),
        ("REIK\u2019S", ["reik"]),
        ("Elif'in", ["elif"]),
        ("Ludo van der Berg", ["ludo", "berg"]),
        ("Omar al-Rashid", ["omar", "rashid"]),
        ("J.R. Reik", ["j", "reik"]),
        ("Van Nguyen", ["van", "nguyen"]),
        ("Don Roth", ["don", "roth"]),
        ("Don Ben Roth", ["ben", "roth"]),
        ("O'Brien", ["o'brien"]),
        ("Tanaka-san", ["tanaka"]),
        ("田中さん", ["田中"]),
        ("김민수 씨", ["김민수"]),
    ],
)
def test_the_words_of_a_name_stand_in_one_order_without_what_is_around_them(text: str, words: list[str]) -> None:
    name = read_name(text)
    assert name is not None
    assert list(name.words) == words


@pytest.mark.parametrize(
    "text", ["Patient 7", "ada_roth", "ada@roth.example", "Ada and Ben Roth", "...", "Ada & Ben", "Ada " * 40]
)
def test_what_is_no_name_or_more_than_one_is_not_read(text: str) -> None:
    assert read_name(text) is None
    assert compatible(whole_text(text), whole_text(text))


@pytest.mark.parametrize(
    ("text", "before", "gender", "titled"),
    [
        ("Mr Reik", "", "m", True),
        ("Reik", "dear Mrs. ", "f", True),
        ("Reik", "Sehr geehrte Frau Dr. ", "f", True),
        ("Dr Reik", "", "", True),
        ("Reik", "Ich mag ", "", False),
        ("Ada", "my sister ", "f", False),
        ("Ahmet Bey", "", "m", False),
        ("Reik", "the Mr, ", "", False),
    ],
)
def test_titles_tell_sex_and_surname(text: str, before: str, gender: str, titled: bool) -> None:
    name = read_name(text, read_context(Surface(text, before)))
    assert name is not None
    assert (name.gender, name.titled) == (gender, titled)


TEXTS = st.text("aáBб田중.,-' \u0301\u2019JrX", max_size=14)


@given(TEXTS, TEXTS)
def test_any_text_can_be_read_and_compared_in_either_order(one: str, other: str) -> None:
    first, second = (read_name(text) or whole_text(text) for text in (one, other))
    assert compatible(first, first)
    assert compatible(first, second) == compatible(second, first)
