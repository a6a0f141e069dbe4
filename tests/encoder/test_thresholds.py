from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.thresholds import CEILING, FLOOR, RANGE, STEPS, is_threshold, reaches, step_of


@given(st.integers(0, STEPS))
def test_a_step_belongs_to_itself(step: int) -> None:
    assert step_of(step / STEPS) == step


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_reaches_a_threshold_reaches_every_lower_one(score: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert reaches(score, low) or not reaches(score, high)


def test_thresholds_are_the_steps_from_the_floor_to_the_ceiling() -> None:
    allowed = [step / STEPS for step in range(STEPS + 1) if is_threshold(step / STEPS)]
    assert (allowed[0], allowed[-1], len(allowed)) == (FLOOR, CEILING, 18)
    assert not any(map(is_threshold, (0, 0.05, 0.33, 1, True, "0.5", None, float("nan"), 10**400)))
    assert "0.1 to 0.95" in RANGE
    assert "0.05" in RANGE
