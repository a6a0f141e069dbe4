import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.restore.quotes import QuoteContext

TEXTS = st.text(st.sampled_from('"\\\na '), max_size=16)


def level(*chunks: str) -> int:
    quotes = QuoteContext()
    for chunk in chunks:
        quotes.advance(chunk)
    return quotes.level


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("say ", 0),
        ('say "', 1),
        ('say "yes" and ', 0),
        ('{"a": "b \\"c\\" ', 2),
        ('{"a": "{\\"b\\": \\"', 2),
        ('{"a": "{\\"b\\": \\"{\\\\\\"c\\\\\\": \\\\\\"', 3),
        ('an open " of the line above\n', 0),
        ('\\"', 0),
    ],
)
def test_a_quote_opens_a_string_that_ends_on_its_line(text: str, expected: int) -> None:
    assert level(text) == expected


@given(text=TEXTS, cuts=st.lists(st.integers(0, 16), max_size=4))
def test_the_level_does_not_depend_on_the_chunks(text: str, cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(text)]
    assert level(*[text[start:end] for start, end in itertools.pairwise(edges)]) == level(text)


def test_a_backslash_before_a_placeholder_escapes_nothing_behind_it() -> None:
    quotes = QuoteContext()
    quotes.advance("\\")
    quotes.value_follows()
    quotes.advance('"')
    assert quotes.level == 1
