import json
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
CODES_OF_AN_APOSTROPHE = (
    "&#39;", "&#039;", "&#x27;", "&apos;", "&rsquo;", "&amp;#39;", "&amp;amp;#39;", "%27", r"\x27", r"\\x27", r"\u0027",
    r"\u2019", r"\u{27}", r"\U00000027", r"\'", "'",
)  # fmt: skip
CODES_OF_AN_UMLAUT = (
    "&uuml;",
    "&#252;",
    "&#xFC;",
    "%C3%BC",
    "%FC",
    r"\xfc",
    r"\xc3\xbc",
    r"\u00fc",
    r"\u{fc}",
    "u&#x308;",
    "=C3=BC",
    "=\r\n=C3=\n=BC",
    "=FC",
    "\u00c3\u00bc",
    "\u00c3\u0192\u00c2\u00bc",
    r"\"u",
    r"{\"u}",
    r"\"{u}",
    r"\\\"u",
)
PIECES = st.sampled_from(
    [
        *VALUES,
        "ADA ROTH",
        "AdaRoth",
        "Ada%20Roth",
        "Ada+Roth",
        "ada%40roth.example",
        "ada&#64;roth.example",
        "Ada&nbsp;Roth",
        "Zo\\xeb Wei&szlig;",
        "\\",
        "&",
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


def looking_for(value: str, kind: EntityType) -> Scanner:
    return Scanner({b"0": Carried(value, Span(start=0, end=1, kind=kind, score=0.9, source="test"))})


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


@pytest.mark.parametrize(
    ("value", "written"),
    [
        *[("Sean O'Brien", f"Sean O{code}Brien") for code in CODES_OF_AN_APOSTROPHE],
        *[("O'Brien", f"o{code}brien") for code in CODES_OF_AN_APOSTROPHE],
        *[(f"Sean O{code}Brien", "Sean O'Brien") for code in CODES_OF_AN_APOSTROPHE],
        *[("Hans Müller", f"Hans M{code}ller") for code in CODES_OF_AN_UMLAUT],
        *[(f"Hans M{code}ller", "HANS MÜLLER") for code in CODES_OF_AN_UMLAUT],
        ("Müller", "&#77;&#252;&#108;&#108;&#101;&#114;"),
        ("Ada Roth", "&#x41;da&nbsp;Roth"),
    ],
)
def test_a_value_is_found_in_the_codes_of_pages_and_programs(value: str, written: str) -> None:
    scanner = looking_for(value, EntityType.PERSON)
    for text in (written, f"Dear {written}, see C:\\x &c.", f"'{written}'", f"<p>{written}</p>"):
        assert [text[hit.start : hit.end] for hit in scanner.find(text, ())] == [written]


def test_a_secret_is_found_in_codes() -> None:
    scanner = looking_for("p&ss'1<2", EntityType.SECRET)
    for written in ("p&amp;ss&#39;1&lt;2", r"p\x26ss\x271\x3c2", "p&ss'1<2"):
        assert [written[hit.start : hit.end] for hit in scanner.find(written, ())] == [written]


@pytest.mark.parametrize(
    "value", ["CORP\\tkernberg", "\\\\host\\tkernberg", "p\\4ss\\word"], ids=["account", "share", "secret"]
)
def test_a_value_with_backslashes_is_found_in_strings(value: str) -> None:
    scanner = looking_for(value, EntityType.SECRET if value[0] == "p" else EntityType.USERNAME)
    for written in (json.dumps(value)[1:-1], json.dumps(json.dumps(value)[1:-1])[1:-1]):
        text = f'{{"by": "{written}"}} of it'
        assert [text[hit.start : hit.end] for hit in scanner.find(text, ())] == [written]


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
