import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.windows import cut


@given(st.text(alphabet="ab .\n😀", max_size=400), st.integers(4, 60), st.integers(0, 3))
def test_the_windows_cover_the_text_and_are_never_too_long(text: str, size: int, overlap: int) -> None:
    pieces = list(cut(text, size, overlap))
    assert {place for start, end in pieces for place in range(start, end)} == set(range(len(text)))
    assert all(end - start <= size for start, end in pieces)
    assert pieces == sorted(pieces)


@pytest.mark.parametrize("separator", ["\n\n", "\n", ". ", ", ", " "])
def test_a_window_ends_at_a_natural_boundary(separator: str) -> None:
    text = ("word" * 8 + separator) * 6
    first = next(iter(cut(text, 100, 20)))
    assert text[: first[1]].endswith(separator)


def test_a_short_text_is_one_window() -> None:
    assert list(cut("short", 100, 20)) == [(0, 5)]
