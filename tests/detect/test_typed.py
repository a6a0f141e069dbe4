import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.letters import INVISIBLE
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.rules import RuleDetector
from privguard.detect.typed import find_as_typed, typed

_TEXTS = st.text(
    st.sampled_from(
        "ab 1.-\u00b2\u2460\u2474\u00ba\u30fc\u00a0\u00ad\u200b\u2009\u2011\u2013\u2014Ａ１＠４ﬁ™é _\u20e3\u0664"
    )
    | st.characters(),
    max_size=30,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Roth, 42", None),
        ("Zoë Weiß says \u201cno\u201d\u2026", None),
        ("Ada \u2013 Ben \u2014 Cy", None),
        ("Paris\u2013Berlin, Ada\u2014Ben", None),
        ("Ａｄａ＠ｅｘ．ｃｏｍ", "Ada@ex.com"),
        ("\u0664\u0661", "41"),
        ("\U0001d41a\U0001d7d2", "a4"),
        ("5\u00a0€, 4111\u20091111\u30001111", "5 €, 4111 1111 1111"),
        ("Ro\u00adth a\u200bd\u2060a\ufeff", "Roth ada"),
        ("4\ufe0f\u20e31\ufe0f\u20e3", "41"),
        ("my\u2011firm, 219\u201009\u20109999", "my-firm, 219-09-9999"),
        ("4111\u20131111\u20121111\u20141111\u22121111", "4111-1111-1111-1111-1111"),
        ("4111 \u2013 1111 \u2014 1111", "4111 - 1111 - 1111"),
        ("4111\u200b\u2013\u200b1111", "4111-1111"),
        ("AB\u201312", "AB-12"),
        ("090\u30fc1234\u22125678, \u30b3\u30fc\u30c9", "090-1234-5678, \u30b3\u30fc\u30c9"),
        ("20 m\u00b2, n\u00ba 5, S\u00e3o\u00b9", "20 m , n\u00ba 5, S\u00e3o "),
        ("\u2460 4111, \u2463\u2460\u2460\u2460 \u2074\u00b9\u00b9", "  4111, 4111 411"),
    ],
    ids=range(18),
)
def test_a_text_is_seen_as_a_plain_keyboard_types_it(text: str, expected: str | None) -> None:
    form = typed(text)
    assert (form and form.text) == expected


@given(_TEXTS)
def test_typing_twice_is_typing_once(text: str) -> None:
    form = typed(text)
    if form is not None:
        assert form.text != text
        assert typed(form.text) is None


@given(_TEXTS)
def test_nothing_invisible_is_left(text: str) -> None:
    form = typed(text)
    assert re.search(f"[{INVISIBLE}]", text if form is None else form.text) is None


@given(_TEXTS)
def test_what_is_found_in_either_form_is_led_back_into_the_text(text: str) -> None:
    asked = []

    def find(shown: str) -> Iterator[Span]:
        asked.append(shown)
        for at in range(len(shown)):
            yield Span(start=at, end=at + 1, kind=EntityType.MISC, score=0.5, source="test")

    found = find_as_typed(text, find)
    assert asked[0] == text
    assert len(asked) == (1 if typed(text) is None else 2)
    assert len(found) == len(set(found))
    assert {span.start for span in found} == set(range(len(text)))
    assert all(span.end == span.start + 1 for span in found)


def test_a_span_covers_what_is_invisible_within_it_and_nothing_else() -> None:
    text = "\u200bx\u200b＠\u200by\u200b"

    def find(shown: str) -> Iterator[Span]:
        if "x@y" in shown:
            at = shown.index("x@y")
            yield Span(start=at, end=at + 3, kind=EntityType.EMAIL, score=0.9, source="test")

    (span,) = find_as_typed(text, find)
    assert text[span.start : span.end] == "x\u200b＠\u200by"


def test_a_plain_text_is_looked_at_once() -> None:
    asked: list[str] = []

    def find(shown: str) -> Iterator[Span]:
        asked.append(shown)
        return iter(())

    assert find_as_typed("Ada's text, caf\u00e9 and all", find) == ()
    assert len(asked) == 1


@pytest.mark.parametrize(
    "written",
    [
        "ada.roth%40mail.example",
        "%61da.roth%40mail%2Eexample",
        "ada.roth%2540mail.example",
        "4111%201111%201111%201111",
        "%2B41%2044%20668%2018%2000",
    ],
)
@pytest.mark.parametrize("around", ["{}", "https://shop.example/find?q={}&page=2", "to={}+"])
def test_an_identifier_that_is_percent_encoded_is_found_whole(written: str, around: str) -> None:
    text = around.format(written)
    start = text.index(written)
    found = RuleDetector().detect([Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)])[0]
    exact = [span for span in found if (span.start, span.end) == (start, start + len(written))]
    assert {span.kind for span in exact} & {EntityType.EMAIL, EntityType.FIN_ACCOUNT, EntityType.PHONE}


@pytest.mark.parametrize(
    "text", ["100%25 of 20%20 rows", "a%20b%20c", "name=%41da", "%E4%BD%A0%E5%A5%BD", "50%, 60% or 70%"]
)
def test_nothing_is_found_in_other_codes(text: str) -> None:
    assert RuleDetector().detect([Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)])[0] == ()
