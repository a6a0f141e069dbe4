"""What is made of the figures."""

from benchmarks.latency.run import growth


def test_growth_is_the_slope_of_the_second_half() -> None:
    assert growth([0, 50, 60, 61, 62, 63]) == 1.0


def test_a_single_point_has_no_growth() -> None:
    assert growth([5.0]) == 0.0
