from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.thresholds import STEPS, reaches, step_of


@given(st.integers(0, STEPS))
def test_a_step_belongs_to_itself(step: int) -> None:
    assert step_of(step / STEPS) == step


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_reaches_a_threshold_reaches_every_lower_one(score: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert reaches(score, low) or not reaches(score, high)
