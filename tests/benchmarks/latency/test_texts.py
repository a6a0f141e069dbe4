"""Invented texts."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.latency.texts import LAST_NAME, make_long, make_text


@given(st.integers(2, 3_000), st.integers(0, 1_000))
def test_a_text_has_exactly_the_length_asked_for(size: int, seed: int) -> None:
    assert len(make_text(Random(seed), size)) == size  # noqa: S311 - seeded


def test_texts_do_not_repeat() -> None:
    rng = Random(7)  # noqa: S311 - seeded
    texts = [make_text(rng, 500) for _ in range(300)]
    assert len(set(texts)) == len(texts)


def test_the_name_of_the_last_line_stands_nowhere_else() -> None:
    text = make_long(Random(7), 20_000)  # noqa: S311 - seeded
    assert text.count(LAST_NAME) == 1
    assert LAST_NAME in text.splitlines()[-1]
