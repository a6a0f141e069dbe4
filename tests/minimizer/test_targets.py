"""Model names find their capability, however a provider writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.targets import Provenance
from privguard.minimizer.targets import Capability, matches, matching, shipped_capabilities, specificity, spellings


def best(name: str) -> Capability:
    by_pattern = {each.pattern: each for each in shipped_capabilities()}
    return by_pattern[matching(by_pattern, name)[-1]]


PUBLISHED = [
    ("gpt-5", "gpt-5*"),
    ("GPT-5", "gpt-5*"),
    ("gpt-5-2025-08-07", "gpt-5*"),
    ("openai/gpt-5", "gpt-5*"),
    ("azure/eu/gpt-5", "gpt-5*"),
    ("openai/gpt-5:free", "gpt-5*"),
    ("ft:gpt-4.1:team::id", "gpt-4.1*"),
    ("ft:gpt-4.1-2025-04-14:team:name:id", "gpt-4.1*"),
    ("claude-sonnet-4-20250514", "claude-sonnet-4*"),
    ("claude-sonnet-4@20250514", "claude-sonnet-4*"),
    ("anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4*"),
    ("bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4*"),
    ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", "mistral-small-3.1*"),
    ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b*"),
    ("qwen2.5:7b-instruct-q4_K_M", "qwen2.5-7b*"),
    (" qwen2.5:0.5b ", "qwen2.5-0.5b*"),
]
ASSUMED = [
    ("gpt-5.2", "gpt-5.*"),
    ("gpt-5-mini", "gpt-5-mini*"),
    ("gpt-5.4-nano", "gpt-5.*-nano*"),
    ("gpt-4.1-nano-2025-04-14", "gpt-4.1-nano*"),
    ("claude-sonnet-4-5-20250929", "claude-sonnet-4-[1-9]-*"),
    ("claude-sonnet-4.5", "claude-sonnet-4.*"),
    ("claude-opus-4-1", "claude-*"),
    ("mistral-small-latest", "mistral-small*"),
    ("gpt-4o", "*"),
    ("my-own-deployment", "*"),
    ("qwen2.5-72b", "*"),
    ("", "*"),
]


@pytest.mark.parametrize(("name", "pattern"), PUBLISHED)
def test_a_published_model_is_known_in_every_spelling(name: str, pattern: str) -> None:
    found = best(name)
    assert found.pattern == pattern
    assert found.provenance is Provenance.PUBLISHED
    assert "2510.03662" in found.note


@pytest.mark.parametrize(("name", "pattern"), ASSUMED)
def test_a_model_without_figures_says_that_it_is_assumed_and_why(name: str, pattern: str) -> None:
    found = best(name)
    assert found.pattern == pattern
    assert found.provenance is Provenance.ASSUMED
    assert "taken as" in found.note


def test_the_capabilities_keep_the_order_of_the_paper() -> None:
    names = ("gpt-5", "gpt-4.1", "mistral-small-3.1-24b", "claude-sonnet-4", "qwen2.5-7b", "qwen2.5-0.5b")
    thetas = [best(name).theta for name in names]
    assert thetas == sorted(thetas, reverse=True)
    assert len(set(thetas)) == len(thetas)


def test_an_unknown_model_is_neither_the_strongest_nor_the_weakest() -> None:
    assert best("qwen2.5-7b").theta < best("some-model").theta < best("gpt-5").theta


def test_more_letters_win_and_then_fewer_wildcards() -> None:
    patterns = ("*", "gpt-*", "gpt-5*", "gpt-5", "gpt-5-[0-9]*")
    assert matching(patterns, "gpt-5") == ["*", "gpt-*", "gpt-5*", "gpt-5"]
    assert matching(patterns, "gpt-5-2") == ["*", "gpt-*", "gpt-5*", "gpt-5-[0-9]*"]
    assert specificity("gpt-5") > specificity("gpt-5*") > specificity("gpt-*")


def test_a_pattern_may_name_the_provider() -> None:
    assert matches("OpenAI/*", "openai/gpt-5")
    assert not matches("openai/*", "azure/gpt-5")


@given(st.text(max_size=30))
def test_every_name_has_a_capability_and_its_own_spelling(name: str) -> None:
    assert spellings(name)[0] == name.strip().casefold()
    assert best(name) in shipped_capabilities()
