import pytest

from privguard.core.targets import Provenance, TargetModel, without_release


def test_only_an_assumed_capability_is_unknown() -> None:
    for provenance in Provenance:
        target = TargetModel(name="m", theta=0.0, provenance=provenance, pattern="*")
        assert target.known is (provenance is not Provenance.ASSUMED)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o-"),
        ("claude-3-5-sonnet-20241022", "claude-3-5-sonnet-"),
        ("gpt-4-0613", "gpt-4-"),
        ("ft:gpt-4o-mini-2024-07-18:acme::x1", "ft:gpt-4o-mini-:acme::x1"),
        ("gpt-5", "gpt-5"),
        ("m-41446681800", "m-41446681800"),
    ],
)
def test_only_the_release_date_of_a_model_is_left_out(model: str, expected: str) -> None:
    assert without_release(model) == expected
