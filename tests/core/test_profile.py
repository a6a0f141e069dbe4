from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.profile import MAX_THRESHOLD, MIN_THRESHOLD, Profile, ToolRule


@pytest.mark.parametrize(
    "numbers",
    [
        {"gamma": 0},
        {"gamma": 1},
        {"threshold": MIN_THRESHOLD},
        {"threshold": MAX_THRESHOLD},
        {"public_at": 0.0},
    ],
)
def test_numbers_in_their_range_are_taken(numbers: dict[str, Any]) -> None:
    profile = Profile(**{"id": "p:1", "name": "p", "gamma": 0.5, **numbers})
    assert all(getattr(profile, name) == number for name, number in numbers.items())


@pytest.mark.parametrize(
    "numbers",
    [
        {"gamma": 1.1},
        {"gamma": float("nan")},
        {"gamma": "high"},
        {"threshold": 0.0},
        {"threshold": 1.0},
        {"threshold": float("inf")},
        {"public_at": -0.1},
    ],
)
def test_a_number_out_of_its_range_is_told(numbers: dict[str, Any]) -> None:
    (name,) = numbers
    with pytest.raises(ConfigError, match=f"{name} of the profile is not a number from"):
        Profile(**{"id": "p:1", "name": "p", "gamma": 0.5, **numbers})


def test_a_rule_names_secrets_apart_from_types() -> None:
    with pytest.raises(ConfigError, match="secrets = true"):
        ToolRule(kinds=frozenset({EntityType.PERSON, EntityType.SECRET}))
