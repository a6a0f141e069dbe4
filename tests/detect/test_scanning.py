from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.scanning import Carried, Hit, Scanner

VALUES = {
    "Ada Roth": EntityType.PERSON,
    "Roth": EntityType.PERSON,
    "Zoë Weiß": EntityType.PERSON,
    "7-AB-99201": EntityType.RECORD_ID,
    "hunTer2": EntityType.SECRET,
    "***": EntityType.SECRET,
    "ada@roth.example": EntityType.EMAIL,
    "小范本": EntityType.PERSON,
    "Heron  Ltd": EntityType.ORGANIZATION,
}
PIECES = st.sampled_from(
    [
        *VALUES,
        "ADA ROTH",
        "AdaRoth",
        "Ada%20Roth",
        "Ada+Roth",
        "ada%40roth.example",
        "ZOE\u0308 WEISS",
        "7 ab 99201",
        "HUNTER2",
        "heron\nltd",
        "Rothko",
        "x",
        "\u0130",
        "_",
        "load",
        "\u200b",
        "Ｒｏｔｈ",
        "R o t h",
        "s",
        "%",
        "é",
        "-",
        " ",
        " ",
        ", ",
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)


def carried(*values: str) -> dict[bytes, Carried]:
    return {
        value.encode(): Carried(value, Span(start=0, end=1, kind=VALUES[value], score=0.9, source="test"))
        for value in values
    }


def spans_of(text: str, *values: str) -> list[Span]:
    return [
        Span(start=at, end=at + len(value), kind=VALUES[value], score=0.9, source="test")
        for value in values
        if (at := text.find(value)) >= 0
    ]


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.lists(st.sampled_from(list(VALUES)), max_size=3))
def test_what_is_found_of_one_value_does_not_depend_on_the_others(text: str, found: list[str]) -> None:
    row = spans_of(text, *found)
    together = Scanner(carried(*VALUES)).find(text, row)
    alone = [hit for value in VALUES for hit in Scanner(carried(value)).find(text, row)]
    assert sorted(together) == sorted(alone)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(list(VALUES)), TEXTS)
def test_a_value_between_spaces_is_always_found(before: str, value: str, after: str) -> None:
    start = len(before) + 1
    hit = Hit(value.encode(), start, start + len(value))
    assert hit in Scanner(carried(*VALUES)).find(f"{before} {value} {after}", ())


def test_what_a_span_covers_is_not_found_again() -> None:
    text = "Roth, Ada Roth and Roth"
    row = spans_of(text, "Ada Roth")
    assert [(hit.start, hit.end) for hit in Scanner(carried("Roth")).find(text, row)] == [(0, 4), (19, 23)]


def test_what_stands_in_escapes_is_found_beside_what_a_span_covers() -> None:
    text = "Ada Roth ?n=Ada%20Roth"
    row = spans_of(text, "Ada Roth")
    assert [(hit.start, hit.end) for hit in Scanner(carried("Ada Roth")).find(text, row)] == [(12, 22)]


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(["Roth", "R o t h", "Ｒｏｔｈ", "load_roth", "Ro\u200bth", "x"]))
def test_a_span_hides_no_mention_beside_it(after: str, other: str) -> None:
    text = f"Ada Roth, {other} | {after}"
    row = spans_of(text, "Ada Roth")
    alone = Scanner(carried("Ada Roth", "Roth")).find(text, ())
    beside = {hit for hit in alone if not (row[0].start <= hit.start and hit.end <= row[0].end)}
    assert beside <= set(Scanner(carried("Ada Roth", "Roth")).find(text, row))


def test_the_rest_of_a_word_that_a_span_cuts_is_a_word() -> None:
    text = "Ada Rothroth"
    row = spans_of(text, "Ada Roth")
    assert [(hit.start, hit.end) for hit in Scanner(carried("Roth")).find(text, row)] == [(8, 12)]
    assert Scanner(carried("Roth")).find("Rothroth", ()) == []


def test_no_repr_shows_a_value() -> None:
    (one,) = carried("Roth").values()
    assert "Roth" not in repr(one)


@pytest.mark.parametrize("beginning", ["", "Tobias "])
def test_a_text_costs_what_stands_in_it_however_many_values_are_looked_for(
    beginning: str, calls_of: Callable[[Callable[[], object]], int]
) -> None:
    costs = []
    for count in (200, 800):
        texts = [f"{beginning}Kole{number:04d}y" for number in range(count)]
        offered = {
            text.encode(): Carried(text, Span(start=0, end=1, kind=EntityType.PERSON, score=0.9, source="test"))
            for text in texts
        }
        rows = [[Span(start=0, end=len(text), kind=EntityType.PERSON, score=0.9, source="test")] for text in texts]
        scanner = Scanner(offered)
        scanner.find(texts[0], rows[0])  # what is built once
        costs.append(
            calls_of(lambda: [scanner.find(text, row) for text, row in zip(texts, rows, strict=True)])  # noqa: B023
        )
    assert costs[1] < 5 * costs[0]
