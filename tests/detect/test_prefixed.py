import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.prefixed import PrefixBook
from tests.growth import costs_in_proportion, seconds

PERSON = EntityType.PERSON


def _found(value: str, text: str, kind: EntityType = PERSON) -> list[str]:
    return [text[start:end] for start, end, _ in PrefixBook([(value, kind)]).find(text)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("فاطمة", "لفاطمة"),
        ("فاطمة", "وفاطمة"),
        ("فاطمة", "بفاطمة"),
        ("فاطمة", "ولفاطمة"),
        ("فاطمة", "كفاطمة"),
        ("زهراء", "بالزهراء"),
        ("الحسن", "والحسن"),
        ("علي", "لعلي"),
        ("أحمد علي", "فأحمد علي"),
        ("شركة النور", "وبشركة\nالنور"),
        ("דוד", "לדוד"),
        ("דוד", "ולדוד"),
        ("דוד כהן", "ודוד כהן"),
        ("דוד כהן", "מדוד\u05beכהן"),
        ("ירושלים", "שבירושלים"),
        ("ירושלים", "וכשבירושלים"),
    ],
    ids=range(16),
)
def test_a_value_is_found_behind_a_prefix_and_without_it(value: str, text: str) -> None:
    (found,) = _found(value, f"x {text}, y")
    assert text.endswith(found)
    assert found.split() == value.split() or "\u05be" in found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("فاطمة", "فاطمة"),
        ("فاطمة", "ولفاطمةن"),
        ("فاطمة", "سفاطمة"),
        ("علي", "فعلي"),
        ("علي", "العلي"),
        ("أمل", "كأمل"),
        ("מו", "למו"),
        ("כהן", "הכהן"),
        ("דוד כהן", "לדוד לוי"),
        ("דוד כהן", "לדוד, כהן"),
        ("דוד כהן", "לדוד"),
        ("Roth", "וRoth"),
        ("דוד7", "לדוד7"),
    ],
    ids=range(13),
)
def test_other_words_and_other_prefixes_before_short_words_are_no_mention(value: str, text: str) -> None:
    assert _found(value, f"x {text} y") == []


@pytest.mark.parametrize("kind", [EntityType.SECRET, EntityType.GOV_ID, EntityType.OCCUPATION])
def test_what_must_recur_as_it_is_and_what_is_said_of_anybody_has_no_prefix(kind: EntityType) -> None:
    assert _found("ירושלים", "בירושלים", kind) == []


VALUES = ["פלוני", "דוד", "דוד כהן", "فاطمة", "علي"]


@given(st.lists(st.sampled_from([*VALUES, *"ולבמשהכوفبلا", " ", "\u05be", ",", "x"]), max_size=10).map("".join))
def test_what_is_found_of_one_value_does_not_depend_on_the_others(text: str) -> None:
    together = set(PrefixBook([(value, PERSON) for value in VALUES]).find(text))
    alone = {
        (start, end, number)
        for number, value in enumerate(VALUES)
        for start, end, _ in PrefixBook([(value, PERSON)]).find(text)
    }
    assert together == alone
    # A letter of another script ends the word.
    assert all(text[start - 1].isalpha() and text[end : end + 1] in ("", *" \u05be,x") for start, end, _ in together)


def test_a_thousand_values_over_megabytes_take_linear_time() -> None:
    book = PrefixBook(
        [(f"דוד{'אבגדהוזחטי'[number % 10]}{'אבגדהוזחטי'[number // 10 % 10]}", PERSON) for number in range(1000)]
    )
    text = "ולדודאב אמר לכל האנשים "
    assert len(list(book.find(text * 1_000))) >= 1_000
    assert costs_in_proportion(lambda size: seconds(lambda: list(book.find(text * size))), 2_500)
