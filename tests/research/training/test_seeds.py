from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.seeds import seeded


@given(st.one_of(st.integers(0, 1000), st.text(max_size=8)))
def test_the_same_seed_draws_the_same_numbers(seed: int | str) -> None:
    first, second = seeded(seed), seeded(seed)
    assert [first.random() for _ in range(3)] == [second.random() for _ in range(3)]


def test_other_seeds_draw_others() -> None:
    assert len({seeded(seed).random() for seed in range(100)}) == 100
