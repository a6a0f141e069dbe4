from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.links import SOURCE, take_links

PIECES = [
    "https://x.example/",
    "www.",
    "//h",
    " ",
    "Ada",
    ".",
    ")",
    "(",
    "?q=",
    "<",
    "\n",
    "é",
    "ftp:",
    "a",
    "x-1http:",
    "://",
]


def span(start: int, end: int, kind: EntityType = EntityType.PERSON) -> Span:
    return Span(start=start, end=end, kind=kind, score=1.0, source="test")


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = "".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=10)))
    cuts = sorted(set(draw(st.lists(st.integers(0, len(text)), max_size=8))))
    kinds = st.sampled_from([EntityType.PERSON, EntityType.SECRET, EntityType.LOCATION, EntityType.URL])
    spans = [span(a, b, draw(kinds)) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    return text, spans


@given(cases())
def test_what_was_covered_stays_covered_and_disjoint(case: tuple[str, list[Span]]) -> None:
    text, spans = case
    taken = take_links(text, spans)
    covered = {place for each in taken for place in range(each.start, each.end)}
    assert covered >= {place for each in spans for place in range(each.start, each.end)}
    assert all(left.end <= right.start for left, right in pairwise(taken))
    assert take_links(text, taken) == taken
    for each in spans:
        if each.kind is EntityType.SECRET:
            (cover,) = (wide for wide in taken if wide.start <= each.start and each.end <= wide.end)
            assert cover.kind is EntityType.SECRET


def test_a_direct_identifier_makes_the_link_a_url_that_must_not_leave() -> None:
    text = "see https://x.example/Ada, ok"
    (link,) = take_links(text, [span(22, 25)])
    assert (text[link.start : link.end], link.kind, link.source) == ("https://x.example/Ada", EntityType.URL, SOURCE)


def test_a_link_that_nothing_touches_is_left_alone() -> None:
    text = "Ada, see https://x.example/page"
    assert take_links(text, [span(0, 3)]) == (span(0, 3),)
    assert take_links(text, []) == ()
