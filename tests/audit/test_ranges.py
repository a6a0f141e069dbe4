"""Ranges are a set of integers."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.ranges import Ranges

PAIRS = st.tuples(st.integers(-5, 60), st.integers(-5, 60))
LISTS = st.lists(PAIRS, max_size=12)


def numbers(ranges: Ranges) -> list[int]:
    """Return the integers of a set."""
    return [number for first, last in ranges for number in range(first, last + 1)]


def model(pairs: list[tuple[int, int]]) -> set[int]:
    """Return what the set must hold."""
    return {number for first, last in pairs for number in range(first, last + 1)}


@given(LISTS)
def test_it_holds_what_was_added_once_and_in_order(pairs: list[tuple[int, int]]) -> None:
    ranges = Ranges(pairs)
    assert numbers(ranges) == sorted(model(pairs))
    assert len(ranges) == len(model(pairs))
    assert bool(ranges) == bool(model(pairs))


@given(LISTS)
def test_neighbours_are_joined(pairs: list[tuple[int, int]]) -> None:
    found = list(Ranges(pairs))
    assert all(before[1] + 1 < after[0] for before, after in pairwise(found))


@given(LISTS, st.integers(-5, 60))
def test_taking_a_number_removes_it(pairs: list[tuple[int, int]], number: int) -> None:
    ranges = Ranges(pairs)
    assert ranges.take(number) == (number in model(pairs))
    assert numbers(ranges) == sorted(model(pairs) - {number})


@given(LISTS, LISTS)
def test_the_difference_is_that_of_the_sets(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    assert numbers(Ranges(left).minus(Ranges(right))) == sorted(model(left) - model(right))


def test_a_million_neighbours_are_one_range() -> None:
    ranges = Ranges((number, number) for number in range(1_000_000))
    assert list(ranges) == [(0, 999_999)]
