from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.lists import SOURCE, Allowed, DenyBook, find_denied, is_allowed, touched


def _segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


def test_denied_terms_are_found_in_any_letter_case_and_segment() -> None:
    segments = [_segment("Project NIGHTJAR and nightjars"), _segment("😀 ßtraße Nightjar's"), _segment("")]
    rows = find_denied(segments, {"nightjar": EntityType.MISC})
    found = [[segment.text[span.start : span.end] for span in row] for segment, row in zip(segments, rows, strict=True)]
    assert found == [["NIGHTJAR", "nightjar"], ["Nightjar"], []]
    assert {span.kind for row in rows for span in row} == {EntityType.MISC}


def test_each_term_keeps_its_type() -> None:
    text = "Kestrel meets Globex"
    (row,) = find_denied([_segment(text)], {"Globex": EntityType.ORGANIZATION, "kestrel": EntityType.PERSON})
    assert {text[span.start : span.end]: span.kind for span in row} == {
        "Kestrel": EntityType.PERSON,
        "Globex": EntityType.ORGANIZATION,
    }


GARBLED = [
    "K=C3=B6nigsberg",
    "K=F6nigs=\nberg",
    "=?utf-8?Q?K=C3=B6nigsberg?=",
    "=?utf-8?B?S8O2bmlnc2Jlcmc=?=",
    "KÃ¶nigsberg",
    "KÃƒÂ¶nigsberg",
    'K\\"onigsberg',
    'K{\\"o}nigsberg',
    'K\\"{o}nigsberg',
]


@pytest.mark.parametrize("written", GARBLED, ids=range(len(GARBLED)))
def test_denied_terms_are_found_in_the_codes_of_mail_and_tex_and_garbled(written: str) -> None:
    text = f"on {written} today"
    (row,) = find_denied([_segment(text)], {"Königsberg": EntityType.MISC})
    written = written.removeprefix("=?utf-8?Q?").removesuffix("?=" if "?Q?" in written else "")
    assert written in [text[span.start : span.end] for span in row]


def test_without_terms_nothing_is_denied() -> None:
    assert find_denied([_segment("anything")], {}) == ((),)


@pytest.mark.parametrize(
    ("value", "allow", "expected"),
    [
        ("Globex", ["globex"], True),
        ("GLOBEX Ltd", ["globex"], False),
        ("GLOBEX Ltd", ["globex*"], True),
        ("help@globex.example", ["*@globex.example"], True),
        ("help@globex.example.evil", ["*@globex.example"], False),
        ("Straße", ["STRASSE"], True),
        ("Ada\n Roth", ["ada roth"], True),
        ("Ada", [], False),
        ("Ada", ["*"], True),
        ("a[b]", ["a[b]"], True),
    ],
)
def test_allowed_terms_match_whole_values(value: str, allow: list[str], expected: bool) -> None:
    assert is_allowed(value, allow) is expected


def test_lists_are_read_once_for_many_texts() -> None:
    book = DenyBook({"Globex": EntityType.ORGANIZATION})
    assert [[(span.start, span.end) for span in book.find(text)] for text in ("GLOBEX", "no", "a globex")] == [
        [(0, 6)],
        [],
        [(2, 8)],
    ]
    allowed = Allowed(("Heron*",))
    assert [value in allowed for value in ("heron ltd", "Globex", "HERON")] == [True, False, True]
    assert not Allowed(())


def test_allowed_terms_without_wildcards_cost_nothing_each(calls_of: Callable[[Callable[[], object]], int]) -> None:
    few, many = (Allowed([f"Heron {number}" for number in range(count)]) for count in (10, 1000))
    assert calls_of(lambda: "Ada" in many) == calls_of(lambda: "Ada" in few)
    assert "heron 7" in few


def _span(start: int, length: int) -> Span:
    return Span(start=start, end=start + length, kind=EntityType.MISC, score=1.0, source=SOURCE)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), max_size=6),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=6),
)
def test_a_span_is_touched_where_it_overlaps_any_term(
    steps: list[tuple[int, int]], terms: list[tuple[int, int]]
) -> None:
    spans: list[Span] = []
    for gap, length in steps:
        spans.append(_span((spans[-1].end if spans else 0) + gap, length))
    denied = [_span(*term) for term in terms]
    assert touched(spans, denied) == tuple(any(span.overlaps(term) for term in denied) for span in spans)
