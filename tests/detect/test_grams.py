from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.grams import GramIndex

TEXTS = st.text(alphabet="abé7", max_size=12)
VALUES = st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=8)


@given(VALUES, st.lists(TEXTS, min_size=1, max_size=3))
def test_every_value_that_stands_in_a_text_is_possible(values: list[list[str]], texts: list[str]) -> None:
    possible = GramIndex(values).possible(texts)
    standing = [number for number, forms in enumerate(values) if any(form in text for form in forms for text in texts)]
    assert set(standing) <= set(possible)
    assert possible == sorted(set(possible))


@given(VALUES)
def test_of_values_up_to_a_gram_none_else_is_possible(values: list[list[str]]) -> None:
    short = [[form[:4] for form in forms] for forms in values]
    text = "ab7é"
    standing = [number for number, forms in enumerate(short) if any(form in text for form in forms)]
    assert GramIndex(short).possible([text]) == standing


def test_values_that_begin_and_end_alike_are_told_apart_by_their_middle(
    calls_of: Callable[[Callable[[], object]], int],
) -> None:
    index = GramIndex([[f"tobias{number:04d}kole"] for number in range(2000)])
    assert index.possible(["tobias0007kole"]) == [7]
    assert calls_of(lambda: index.possible(["tobias0007kole"])) < 50
