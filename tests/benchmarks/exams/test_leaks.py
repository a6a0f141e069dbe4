"""What is read out of the reports of the exam for gateways."""

from typing import Any

import pytest

from benchmarks.exams.leaks import _echo_score, _injection_score, _part_score, _request_score, _verdict

ROW: dict[str, Any] = {
    "fidelity_rate": 1.0,
    "leak_single_chunk": 0.0,
    "leak_adversarial": 0.0,
    "delta_frag": 0.0,
    "inconclusive": 0,
    "echo_observable": 32,
    "cases_applicable": 32,
    "cases_attempted": 32,
    "request_path_leak": [],
    "schema_valid": True,
}


def test_full_marks_pass() -> None:
    assert _echo_score("rules", "midpoint", ROW).passed
    assert _injection_score("rules", "midpoint", ROW).passed


@pytest.mark.parametrize(
    "change",
    [
        {"fidelity_rate": 0.9},
        {"request_path_leak": ["EMAIL"]},
        {"inconclusive": 1},
        {"echo_observable": 31},
        {"cases_applicable": 31},
        {"schema_valid": False},
    ],
    ids=lambda change: next(iter(change)),
)
def test_anything_less_of_the_echo_fails(change: dict[str, Any]) -> None:
    score = _echo_score("rules", "midpoint", ROW | change)
    assert not score.passed
    assert score.is_fault


@pytest.mark.parametrize("name", ["leak_single_chunk", "leak_adversarial", "delta_frag"])
def test_a_value_that_the_model_brought_and_that_got_through_fails(name: str) -> None:
    assert not _injection_score("rules", "midpoint", ROW | {name: 0.1}).passed


def test_what_the_rules_are_known_to_miss_is_told_apart_from_a_fault() -> None:
    missed = ROW | {"leak_single_chunk": 0.125, "leak_adversarial": 0.125}
    assert not _injection_score("rules", "midpoint", missed).is_fault
    assert _injection_score("small", "midpoint", missed).is_fault
    assert _injection_score("rules", "midpoint", missed | {"leak_adversarial": 0.25}).is_fault


def test_a_part_of_a_value_fails_and_so_does_a_run_that_looked_at_nothing() -> None:
    metrics = {"partitions_tried": 9, "partitions_partial": 0, "cases_inconclusive": 0}
    assert _part_score("small", "midpoint", {"passed": True, "metrics": metrics}).passed
    assert not _part_score("small", "midpoint", {"passed": False, "metrics": metrics}).passed
    assert not _part_score("small", "midpoint", {"passed": True, "metrics": metrics | {"partitions_tried": 0}}).passed


def test_the_verdict_is_the_first_that_is_printed() -> None:
    assert _verdict("\nCLEAN\n  a LEAK would have been told\n") == "CLEAN"
    assert _verdict("nothing of the kind") == "no verdict"


def test_what_could_not_be_measured_is_no_pass() -> None:
    assert _request_score("ci", "rules", "NOT MEASURED: x", passed=False).is_fault
    model = _request_score("ci", "small", "NOT MEASURED: x", passed=False)
    assert not model.passed
    assert not model.is_fault
    assert _request_score("ci", "small", "LEAK", passed=False).is_fault
