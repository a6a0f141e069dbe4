"""Times of a guard."""

from random import Random

from benchmarks.guards import build_rules_guard
from benchmarks.latency.timing import TURNS, Times, measure_turns, measure_whole


def test_percentiles_are_values_that_occurred() -> None:
    times = Times(ms=tuple(float(number) for number in range(1, 102)))
    assert (times.p50, times.p95) == (51.0, 96.0)


def test_a_single_run_is_its_own_percentile() -> None:
    assert Times(ms=(2.0,)).p95 == 2.0


def test_every_request_is_timed_whole_and_by_stage() -> None:
    guard = build_rules_guard()
    found = measure_whole(guard, ["Ada Roth, ada@norvik.example", "card 4111 1111 1111 1111"])
    assert len(found.whole.ms) == 2
    assert {"detect", "need", "render"} <= set(found.stages)
    assert all(sum(times.ms) <= sum(found.whole.ms) for times in found.stages.values())
    assert [len(times.ms) for times in measure_turns(guard, Random(1), 1)] == [1] * TURNS  # noqa: S311 - seeded
