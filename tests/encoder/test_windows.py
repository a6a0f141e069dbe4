from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.windows import split_windows

SIZES = st.integers(2, 60).flatmap(lambda length: st.tuples(st.just(length), st.integers(0, length - 1)))


@given(st.integers(0, 600), SIZES)
def test_the_kept_ranges_cover_everything_once(count: int, size: tuple[int, int]) -> None:
    length, overlap = size
    windows = split_windows(count, length=length, overlap=overlap)
    kept = [place for window in windows for place in range(window.keep_start, window.keep_end)]
    assert kept == list(range(count))
    for window in windows:
        assert 0 <= window.start <= window.keep_start <= window.keep_end <= window.end <= count
        assert window.end - window.start == windows[0].end <= length


@given(st.integers(0, 600), SIZES)
def test_neighbours_share_at_least_the_overlap(count: int, size: tuple[int, int]) -> None:
    length, overlap = size
    windows = split_windows(count, length=length, overlap=overlap)
    for left, right in pairwise(windows):
        assert left.end - right.start >= overlap


@given(st.integers(1, 5000))
def test_no_more_is_read_than_the_overlap_demands(count: int) -> None:
    windows = split_windows(count, length=126, overlap=32)
    assert len(windows) <= count / (126 - 32) + 1
    read = sum(window.end - window.start for window in windows)
    assert read < count + (len(windows) - 1) * 32 + len(windows)


def test_an_overlap_as_long_as_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        split_windows(5, length=3, overlap=3)
