"""Shares and bootstrap intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intervals import Share, bootstrap


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_share_and_stays_within_0_and_1(counts: tuple[int, int]) -> None:
    share = Share(hits=counts[0], n=counts[1])
    assert share.interval is not None
    low, high = share.interval
    assert 0 <= low <= counts[0] / counts[1] + 1e-12
    assert counts[0] / counts[1] - 1e-12 <= high <= 1


def test_interval_is_that_of_wilson() -> None:
    # Worked example: 8 of 10 at 95 %.
    assert Share(hits=8, n=10).interval == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_share_without_trials_is_unscored_and_not_0() -> None:
    assert str(Share(hits=0, n=0)) == "unscored"
    assert Share(hits=0, n=0).as_json()["value"] is None


def test_bootstrap_draws_records_and_not_rows() -> None:
    # One record of ten equal rows: however it is drawn, the mean is the same.
    values = np.ones(10)
    found = bootstrap(np.zeros(10, dtype=np.intp), lambda rows: float(values[rows].mean()), seed=1, replicates=20)
    assert (found.value, found.low, found.high, found.n) == (1.0, 1.0, 1.0, 10)


def test_bootstrap_is_the_same_for_the_same_seed() -> None:
    records = np.repeat(np.arange(8), 3).astype(np.intp)
    values = np.arange(24.0)
    first, second = (bootstrap(records, lambda rows: float(values[rows].mean()), seed=5) for _ in range(2))
    assert first == second
    assert first.low is not None
    assert first.value is not None
    assert first.high is not None
    assert first.low < first.value < first.high


def test_bootstrap_of_nothing_is_unscored() -> None:
    found = bootstrap(np.zeros(0, dtype=np.intp), lambda _: 1.0, seed=1)
    assert found.as_json() == {"value": None, "ci95": None, "n": 0}
