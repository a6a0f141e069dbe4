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
