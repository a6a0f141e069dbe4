"""Thresholds on the relative scale: 0.5 is what the artifact sets for a type, higher means surer spans alone."""

STEPS = 20  # thresholds are told apart in steps of a twentieth
FLOOR = 0.1  # no threshold is lower
DEFAULT = 0.5


def step_of(number: float) -> int:
    """Return the step that a score or a threshold belongs to."""
    return int(number * STEPS + 1e-9)


def reaches(score: float, threshold: float) -> bool:
    """Tell whether a span with this score is one of those at a threshold; between steps a threshold is rounded down."""
    return step_of(score) >= step_of(threshold)
