"""What is made of the figures."""

from benchmarks.gateway.run import Added


def test_what_is_added_is_the_difference_of_the_medians() -> None:
    added = Added(
        system="rules",
        prompts="new",
        direct_ms=[1.0, 1.0, 2.0, 1.0, 1.0],
        through_ms=[3.0, 3.0, 9.0, 3.0, 3.0],
        protect_ms=0.5,
    )
    assert added.p50.value == 2.0
    assert added.p50.n == 5
    assert added.p50.low is not None
    assert added.p50.low <= 2.0
    assert added.as_json()["direct_p50_ms"] == 1.0
