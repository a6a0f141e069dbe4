"""Profiles resolve by name and target, in the stated order."""

from pathlib import Path
from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action, Need
from privguard.core.profile import Names, Unread
from privguard.core.protocols import ProfileBook
from privguard.core.targets import Provenance
from privguard.minimizer.layers import DEFAULT_GAMMA
from privguard.minimizer.policy import choose
from privguard.minimizer.profiles import Profiles, load_profiles

SHIPPED = load_profiles()
HARD = Need(b_redact=30, b_abstract=29)


def gamma(profiles: Profiles, target: str, name: str | None = None) -> float:
    return profiles.resolve(target, name)[0].gamma


def test_the_shipped_profiles_need_no_file() -> None:
    book: ProfileBook = SHIPPED
    profile, target = book.resolve("gpt-5")
    assert SHIPPED.names == ("default", "lenient", "strict")
    assert (profile.name, profile.gamma) == ("default", DEFAULT_GAMMA)
    assert (target.name, target.pattern, target.provenance) == ("gpt-5", "gpt-5*", Provenance.PUBLISHED)
    assert target.known


def test_an_unknown_model_says_so() -> None:
    target = SHIPPED.resolve("my-own-deployment")[1]
    assert (target.name, target.pattern, target.provenance) == ("my-own-deployment", "*", Provenance.ASSUMED)
    assert not target.known
    assert "unknown" in target.note


@pytest.mark.parametrize("kind", EntityType)
def test_strict_redacts_every_type_for_every_model_whatever_the_need(kind: EntityType) -> None:
    for name in ("gpt-5", "qwen2.5-0.5b", "some-model"):
        profile, target = SHIPPED.resolve(name, "strict")
        assert choose(kind, HARD, target, profile).action is Action.REDACT


def test_strict_alone_takes_listed_names_for_people() -> None:
    names = {name: SHIPPED.resolve("gpt-5", name)[0].names for name in SHIPPED.names}
    assert names == {"default": Names.FOUND, "lenient": Names.FOUND, "strict": Names.LISTED}


def test_strict_alone_hides_what_the_models_cannot_read() -> None:
    unread = {name: SHIPPED.resolve("gpt-5", name)[0].unread for name in SHIPPED.names}
    assert unread == {"default": Unread.SEND, "lenient": Unread.SEND, "strict": Unread.HIDE}


def test_strict_respects_a_ceiling_of_the_callers() -> None:
    profiles = Profiles.from_mapping({"defaults": {"ceilings": {"LOCATION": "ABSTRACT"}}})
    profile, target = profiles.resolve("gpt-5", "strict")
    assert choose(EntityType.LOCATION, HARD, target, profile).action is Action.ABSTRACT


def test_later_layers_win_in_the_stated_order() -> None:
    content: dict[str, Any] = {
        "defaults": {"gamma": 0.1},
        "targets": {"gpt-*": {"gamma": 0.2}, "gpt-5*": {"gamma": 0.3}},
        "profiles": {
            "mine": {"gamma": 0.4, "targets": {"gpt-*": {"gamma": 0.5}, "gpt-5*": {"gamma": 0.6}}},
            "other": {},
        },
    }
    profiles = Profiles.from_mapping(content)
    assert gamma(profiles, "llama") == 0.1
    assert gamma(profiles, "gpt-4.1") == 0.2
    assert gamma(profiles, "gpt-5", "other") == 0.3
    assert gamma(profiles, "llama", "mine") == 0.4
    assert gamma(profiles, "gpt-4.1", "mine") == 0.5
    assert gamma(profiles, "openai/GPT-5", "mine") == 0.6
    assert gamma(profiles, "gpt-5", "strict") == 0.0
    assert profiles.names == ("default", "lenient", "mine", "other", "strict")


def test_all_matching_patterns_add_up_the_most_specific_last() -> None:
    content: dict[str, Any] = {
        "targets": {
            "gpt-5*": {"floors": {"AGE": "RETAIN"}},
            "*": {"floors": {"AGE": "ABSTRACT", "PERSON": "REDACT"}, "allow": ["Acme"]},
        }
    }
    profile, _ = Profiles.from_mapping(content).resolve("gpt-5")
    shipped = {EntityType.GOV_ID: Action.REDACT, EntityType.FIN_ACCOUNT: Action.REDACT}
    assert profile.floors == shipped | {EntityType.AGE: Action.RETAIN, EntityType.PERSON: Action.REDACT}
    assert profile.allow == ("Acme",)


def test_a_shipped_profile_can_be_extended() -> None:
    profiles = Profiles.from_mapping({"profiles": {"strict": {"allow": ["Acme"]}, "default": {"gamma": 0.8}}})
    strict, _ = profiles.resolve("gpt-5", "strict")
    assert (strict.gamma, strict.allow) == (0.0, ("Acme",))
    assert gamma(profiles, "gpt-5") == 0.8


def test_theta_comes_from_the_most_specific_pattern_wherever_it_stands() -> None:
    content: dict[str, Any] = {
        "targets": {"*": {"theta": -9.0}, "gpt-5-codex*": {"theta": 2.0}, "GPT-4.1*": {"theta": 3.0}},
        "profiles": {"mine": {"targets": {"gpt-4.1*": {"theta": 4.0}}}},
    }
    profiles = Profiles.from_mapping(content)
    found = {name: profiles.resolve(name)[1] for name in ("llama", "gpt-5", "gpt-5-codex", "gpt-4.1")}
    assert {name: target.theta for name, target in found.items() if name != "gpt-5"} == {
        "llama": -9.0,
        "gpt-5-codex": 2.0,
        "gpt-4.1": 3.0,
    }
    assert found["gpt-5"] == SHIPPED.resolve("gpt-5")[1]
    assert found["llama"].provenance is Provenance.CONFIGURED
    assert found["llama"].known
    assert profiles.resolve("gpt-4.1", "mine")[1].theta == 4.0


def test_an_unknown_profile_names_the_known_ones_and_not_itself() -> None:
    with pytest.raises(ConfigError, match=r'did you mean "strict"\? Known: default, lenient, strict') as caught:
        SHIPPED.resolve("gpt-5", "strickt")
    assert "strickt" not in str(caught.value)
    with pytest.raises(ConfigError, match=r"asked for\. Known: default, lenient, strict"):
        SHIPPED.resolve("gpt-5", "")


@pytest.mark.parametrize(
    "content",
    [
        {"defaults": {"floors": {"AGE": "REDACT"}, "ceilings": {"AGE": "RETAIN"}}},
        {"defaults": {"floors": {"AGE": "REDACT"}}, "targets": {"gpt-5*": {"ceilings": {"AGE": "ABSTRACT"}}}},
        {"defaults": {"floors": {"AGE": "ABSTRACT"}}, "profiles": {"mine": {"ceilings": {"AGE": "RETAIN"}}}},
        {"profiles": {"mine": {"floors": {"AGE": "REDACT"}, "targets": {"x": {"ceilings": {"AGE": "RETAIN"}}}}}},
        {"targets": {"gpt-*": {"floors": {"AGE": "REDACT"}}, "gpt-5": {"ceilings": {"AGE": "RETAIN"}}}},
    ],
    ids=["one-table", "target", "profile", "profile-target", "two-patterns"],
)
def test_a_contradiction_is_found_at_load(content: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="the floor of AGE"):
        Profiles.from_mapping(content)


def test_a_contradiction_of_patterns_that_meet_in_one_name_only_is_found_at_the_call() -> None:
    content: dict[str, Any] = {
        "targets": {"gpt-*": {"floors": {"AGE": "REDACT"}}, "*-mini": {"ceilings": {"AGE": "RETAIN"}}}
    }
    profiles = Profiles.from_mapping(content)
    assert profiles.resolve("gpt-5")[0].floors
    with pytest.raises(ConfigError, match="profile default for gpt-5-mini: the floor of AGE"):
        profiles.resolve("gpt-5-mini")


def test_resolving_twice_gives_the_same_objects() -> None:
    assert SHIPPED.resolve("gpt-5", "strict") is SHIPPED.resolve("gpt-5", "strict")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "privguard.toml"
    path.write_text('[targets."llama*"]\ntheta = 0.25\n[profiles.mine]\ngamma = 0.5\n', encoding="utf-8")
    profiles = load_profiles(path)
    profile, target = profiles.resolve("llama-3", "mine")
    assert (profile.gamma, target.theta, target.note) == (0.5, 0.25, f"set in {path}")
    assert str(path) in repr(profiles)
