import pytest

from privguard.detect.dates import find_ages, find_dates
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared


def _dates(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_dates(Prepared(text=text)), text)]


def _ages(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_ages(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    "date",
    [
        "1987-03-14",
        "2026-07-02T08:31:58+02:00",
        "14/03/1987",
        "3/14/87",
        "14.03.1987",
        "14. 3. 1987",
        "14 March 1987",
        "14th of March 1987",
        "March 14, 1987",
        "Mar 14",
        "March 1987",
        "14. März 1987",
        "14 mars 1987",
        "14 de marzo de 1987",
        "14 marzo 1987",
        "14 maart 1987",
        "14 de março de 1987",
        "14 marca 1987",
        "14 марта 1987",
        "14 Mart 1987",
        "Friday 6 June",
        "3–9 November 2025",
        "1987年3月14日",
        "1987년 3월 14일",
        "14/Mar/2025:06:12:44",
    ],
)
def test_full_dates_are_found_whole(date: str) -> None:
    assert _dates(f"x {date} y") == [date]


@pytest.mark.parametrize(
    "text",
    [
        "in 1987 and 2024",
        "May I march in April?",
        "version 1.2.3 and 10.12.24.1",
        "today, weekly, for 3 days, on Monday",
        "3/4 of it",
        "99.99.1999",
        "build 6033391 at 08:51:06",
        "April targets by May; March on",
        "section 3.2.1",
        "libxml2 2.9.14+dfsg-1ubuntu3",
        '{"Version": "2012-10-17", "Statement": []}',
        "1. Why?\n4. May the board refuse it?",
        "reads past clause 4. May is a busy month",
    ],
)
def test_years_versions_and_words_are_no_dates(text: str) -> None:
    assert _dates(text) == []


@pytest.mark.parametrize("text", ["4. May", "on 4. May we meet", "due\n4. May 2025 at noon", "4. May, Ulm"])
def test_a_may_with_a_number_is_a_date_unless_a_numbered_sentence_begins_with_it(text: str) -> None:
    assert len(_dates(text)) == 1


def test_a_birth_year_is_found_by_its_word() -> None:
    assert _dates("born in 1987 there") == ["1987"]
    assert _dates("DOB: 19870314;") == ["19870314"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she is 34 years old", "34 years old"),
        ("a 34-year-old man", "34-year-old"),
        ("aged 34 and", "34"),
        ("age: 34", "34"),
        ("34yo male", "34yo"),
        ("I'm 47, single", "47"),
        ("Ich bin 34 Jahre alt", "34 Jahre alt"),
        ("die 34-jährige", "34-jährige"),
        ("âgée de 34 ans", "34"),
        ("j'ai 34 ans.", "34 ans"),
        ("34 años de edad", None),
        ("tengo 34 años", "34 años"),
        ("34歳", "34歳"),
        ("Ada Roth (34), nurse", "34"),
        ("Ada Roth, 34, nurse", "34"),
        ("my son Ben is 9 and", "9"),
        ("sixty-one years old", "sixty-one years old"),
        ("15 months old", "15 months old"),
    ],
)
def test_ages_are_found(text: str, expected: str | None) -> None:
    assert _ages(text) == ([expected] if expected else _ages(text))


@pytest.mark.parametrize(
    "text", ["page 34", "I'm 100% sure", "Table (3), Figure (12)", "I am 5 minutes late", "on March, 12, we", "age 1.5"]
)
def test_other_numbers_are_no_ages(text: str) -> None:
    assert _ages(text) == []
