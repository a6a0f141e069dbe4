import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span


def span(start: int, end: int, score: float = 1.0) -> Span:
    return Span(start=start, end=end, kind=EntityType.PERSON, score=score, source="test")


@pytest.mark.parametrize(("start", "end", "score"), [(-1, 2, 1.0), (2, 2, 1.0), (3, 2, 1.0), (0, 1, 1.1), (0, 1, -0.1)])
def test_an_impossible_span_is_refused(start: int, end: int, score: float) -> None:
    with pytest.raises(ValueError, match="PERSON"):
        span(start, end, score)


def test_spans_overlap_only_where_they_share_a_code_point() -> None:
    assert span(0, 3).overlaps(span(2, 5))
    assert span(2, 5).overlaps(span(0, 3))
    assert not span(0, 3).overlaps(span(3, 5))
    assert span(1, 4).length == 3


def test_a_span_with_other_edges_keeps_the_rest_and_with_its_own_is_itself() -> None:
    span = Span(start=2, end=5, kind=EntityType.PERSON, score=0.7, source="rules/names")
    assert span.resized(2, 5) is span
    assert span.resized(1, 9) == Span(start=1, end=9, kind=EntityType.PERSON, score=0.7, source="rules/names")
    with pytest.raises(ValueError, match="is not a span"):
        span.resized(3, 3)
