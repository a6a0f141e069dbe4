from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.covered import Covered


def spans(*intervals: tuple[int, int]) -> list[Span]:
    return [Span(start=start, end=end, kind=EntityType.MISC, score=1.0, source="test") for start, end in intervals]


def test_what_lies_within_one_run_of_spans_is_covered() -> None:
    covered = Covered(spans((6, 9), (0, 3), (2, 6)))
    assert covered.holds(0, 9)
    assert not covered.holds(8, 10)
    assert not Covered(spans((0, 3), (4, 6))).holds(2, 5)
    assert not Covered(()).holds(0, 1)


def test_places_are_counted_where_all_of_them_are_covered() -> None:
    covered = Covered(spans((0, 3), (8, 11)))
    assert covered.count("ada and ada", "ada") == 2
    assert covered.count("ada and ada ada", "ada") == -1
    assert covered.count("ada and ada", "ben") == 0
