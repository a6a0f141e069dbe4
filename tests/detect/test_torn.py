from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.lists import SOURCE as DENIED
from privguard.detect.merge import resolve
from privguard.detect.torn import mend
from tests.growth import costs_in_proportion, seconds

TEXT = "mail ada_roth_cv.pdf, ada.roth@belmont.example:22 or (kole-7) key=a1-b2.c3"
KINDS = (EntityType.SECRET, EntityType.PERSON, EntityType.URL, EntityType.USERNAME, EntityType.LOCATION)


def span(start: int, end: int, kind: EntityType, score: float = 0.8, source: str = "rules/a") -> Span:
    return Span(start=start, end=end, kind=kind, score=score, source=source)


def mended(text: str, *spans: Span) -> list[tuple[str, EntityType]]:
    merged = resolve(spans, text)
    return [(text[each.start : each.end], each.kind) for each in mend(merged.spans, merged.torn, text)]


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, min(len(TEXT), start + 24)))
    return span(start, end, draw(st.sampled_from(KINDS)), draw(st.sampled_from([0.5, 0.8, 1.0])))


@given(found=st.lists(spans(), max_size=8))
def test_nothing_is_uncovered_and_no_span_grows_over_white_space(found: list[Span]) -> None:
    merged = resolve(found, TEXT)
    whole = mend(merged.spans, merged.torn, TEXT)
    assert all(left.end <= right.start for left, right in pairwise(whole))
    for each in merged.spans:
        (owner,) = [one for one in whole if one.start <= each.start and each.end <= one.end]
        assert owner == each or not any(map(str.isspace, TEXT[owner.start : owner.end]))


@given(found=st.lists(spans(), max_size=8))
def test_mending_twice_changes_nothing(found: list[Span]) -> None:
    merged = resolve(found, TEXT)
    once = mend(merged.spans, merged.torn, TEXT)
    assert mend(once, merged.torn, TEXT) == once


def test_a_torn_file_name_is_one_span() -> None:
    text = "see ada_roth_cv.pdf now"
    name, file = span(4, 7, EntityType.PERSON, 1.0), span(4, 19, EntityType.URL)
    user = span(13, 15, EntityType.USERNAME, 1.0)
    assert mended(text, name, file, user) == [("ada_roth_cv.pdf", EntityType.PERSON)]


def test_a_name_that_goes_on_in_front_of_the_token_stays_apart() -> None:
    text = "Ada Roth_cv.pdf"
    name, file = span(0, 8, EntityType.PERSON, 1.0), span(4, 15, EntityType.URL)
    assert mended(text, name, file) == [("Ada Roth", EntityType.PERSON), ("cv.pdf", EntityType.URL)]


def test_a_written_line_break_ends_a_token() -> None:
    text = "ada\\nroth_cv"
    assert mended(text, span(0, 3, EntityType.PERSON, 1.0), span(0, 12, EntityType.URL)) == [
        ("ada", EntityType.PERSON),
        ("\\nroth_cv", EntityType.URL),
    ]


def test_what_was_not_torn_stays_apart() -> None:
    text = "32M Ada,ada@roth.example"
    found = (span(0, 2, EntityType.AGE), span(2, 3, EntityType.GENDER))
    assert len(mended(text, *found, span(4, 7, EntityType.PERSON), span(8, 24, EntityType.EMAIL))) == 4


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        (EntityType.SECRET, "rules/a", EntityType.SECRET),
        (EntityType.LOCATION, DENIED, EntityType.LOCATION),
        (EntityType.EMAIL, "rules/a", EntityType.EMAIL),
    ],
)
def test_the_strongest_type_is_that_of_the_token(kind: EntityType, source: str, expected: EntityType) -> None:
    left = [span(0, 6, kind, 1.0, source), span(3, 9, EntityType.ORGANIZATION)]
    assert mended("abcdefghi", *left) == [("abcdefghi", expected)]


def test_a_long_token_with_many_tears_takes_linear_time() -> None:
    def cost(count: int) -> float:
        text = "ab." * count
        found = [span(0, 3 * count, EntityType.URL)]
        found += [span(at, at + 1, EntityType.SECRET, 1.0) for at in range(0, 3 * count, 3)]
        return seconds(lambda: mended(text, *found))

    assert costs_in_proportion(cost, 500, least_s=0.002)
