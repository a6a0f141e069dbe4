"""Thresholds on the relative scale: 0.5 is what the artifact sets for a type, higher means surer spans alone."""

from privguard.core.profile import MAX_THRESHOLD, MIN_THRESHOLD

_CLOSE = 1e-9  # steps are no binary fractions
STEPS = 20  # thresholds are told apart in steps of a twentieth
FLOOR = MIN_THRESHOLD
CEILING = MAX_THRESHOLD
DEFAULT = 0.5
RANGE = f"a number from {FLOOR:g} to {CEILING:g} in steps of {1 / STEPS:g}"


def is_threshold(number: object) -> bool:
    """Tell whether a number is a threshold that can be set."""
    if not isinstance(number, int | float) or isinstance(number, bool) or not FLOOR <= number <= CEILING:
        return False
    return abs(number * STEPS - round(number * STEPS)) < _CLOSE


def step_of(number: float) -> int:
    """Return the step that a score or a threshold belongs to."""
    return int(number * STEPS + _CLOSE)


def reaches(score: float, threshold: float) -> bool:
    """Tell whether a span with this score is one of those at a threshold; between steps a threshold is rounded down."""
    return step_of(score) >= step_of(threshold)
