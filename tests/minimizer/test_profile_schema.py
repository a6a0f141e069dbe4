"""The schema: what is accepted, and how a fault is described without repeating what was written."""

from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action
from privguard.core.profile import Media, Names, OnError, OnReply, Public, Rendering, ToolRule, Unread
from privguard.minimizer.layers import Book
from privguard.minimizer.profile_schema import validate

FULL: dict[str, Any] = {
    "gamma": 0.8,
    "floors": {"PERSON": "REDACT", "SECRET": "REDACT"},
    "ceilings": {"LOCATION": "ABSTRACT"},
    "allow": ["Acme", "Init*"],
    "deny": {"Project Heron": "MISC"},
    "threshold": 0.3,
    "names": "listed",
    "unread": "refuse",
    "rendering": "phrase",
    "on_error": "redact",
    "public": "retain",
    "public_at": 0.95,
    "redundancy": False,
    "note": True,
    "url_hosts": ["Docs.example"],
    "restore_system": True,
    "restore_secrets": False,
    "tools": {
        "send_*": {"restore": ["PERSON", "EMAIL"], "url_hosts": ["Wiki.example"]},
        "deploy": {"restore": "none", "secrets": True},
        "*": {"restore": "all"},
    },
    "remote_tools": ["search"],
    "pass_headers": ["x-team-*"],
    "pass_parts": ["image"],
    "on_reply": "redact",
    "reply_types": ["EMAIL", "HEALTH"],
}


def test_every_setting_is_read_and_frozen() -> None:
    book = validate({"defaults": FULL}, "here")
    layer = book.defaults
    assert layer.gamma == 0.8
    assert layer.floors == {EntityType.PERSON: Action.REDACT, EntityType.SECRET: Action.REDACT}
    assert layer.ceilings == {EntityType.LOCATION: Action.ABSTRACT}
    assert layer.allow == ("Acme", "Init*")
    assert layer.deny == {"Project Heron": EntityType.MISC}
    assert (layer.threshold, layer.names, layer.unread) == (0.3, Names.LISTED, Unread.REFUSE)
    assert (layer.rendering, layer.on_error) == (Rendering.PHRASE, OnError.REDACT)
    assert (layer.public, layer.public_at, layer.redundancy) == (Public.RETAIN, 0.95, False)
    assert (layer.url_hosts, layer.remote_tools, layer.pass_headers) == (("docs.example",), ("search",), ("x-team-*",))
    assert (layer.on_reply, layer.reply_types) == (OnReply.REDACT, (EntityType.EMAIL, EntityType.HEALTH))
    assert (layer.restore_system, layer.restore_secrets) == (True, False)
    assert layer.note is True
    assert layer.pass_parts == (Media.IMAGE,)
    assert layer.tools is not None
    assert list(layer.tools.items()) == [
        ("send_*", ToolRule(kinds=frozenset({EntityType.PERSON, EntityType.EMAIL}), url_hosts=("wiki.example",))),
        ("deploy", ToolRule(kinds=frozenset(), secrets=True)),
        ("*", ToolRule()),
    ]
    with pytest.raises(TypeError):
        layer.floors[EntityType.AGE] = Action.RETAIN  # type: ignore[index]


def test_the_same_settings_stand_in_all_four_places() -> None:
    with_theta = {**FULL, "theta": 1.5}
    profile = {**FULL, "targets": {"gpt-5*": with_theta}}
    book = validate({"defaults": FULL, "targets": {"gpt-5*": with_theta}, "profiles": {"mine": profile}}, "here")
    layers = (book.defaults, book.profiles["mine"].base, book.targets["gpt-5*"])
    assert {layer.deny is not None and layer.gamma == 0.8 for layer in layers} == {True}
    assert book.targets["gpt-5*"].theta == book.profiles["mine"].targets["gpt-5*"].theta == 1.5
    assert book.defaults.theta is None


def test_members_are_taken_as_well_as_their_names() -> None:
    book = validate({"defaults": {"floors": {EntityType.AGE: Action.ABSTRACT}, "on_error": OnError.REDACT}}, "here")
    assert book.defaults.floors == {EntityType.AGE: Action.ABSTRACT}
    assert book.defaults.on_error is OnError.REDACT


def test_an_empty_file_is_fine() -> None:
    assert validate({}, "here") == Book(source="here")


@pytest.mark.parametrize("number", [0, 1, 0.5])
def test_whole_numbers_are_numbers(number: float) -> None:
    assert validate({"defaults": {"gamma": number}}, "here").defaults.gamma == number


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("typo", {"defaults": {"flors": {}}}, r'here: defaults has an unknown key \(did you mean "floors"\?\); known are'),
    ("top", {"default": {}}, r'here: the file has an unknown key \(did you mean "defaults"\?\)'),
    ("target", {"targets": {"gpt-5*": {"thta": 1}}}, r'targets."gpt-5\*" has an unknown key \(did you mean "theta"'),
    ("dots", {"targets": {"gpt-4": {"1": {"gamma": 1}}}}, r"known are .*quote a pattern with dots or wildcards"),
    ("profile", {"profiles": {"mine": {"target": {}}}}, r'profiles."mine" has an unknown key \(did you mean "targets"'),
    ("theta", {"defaults": {"theta": 1.0}}, "defaults: theta belongs to a target"),
    ("profile-theta", {"profiles": {"mine": {"theta": 1.0}}}, "theta belongs to a target"),
    ("text", {"defaults": {"gamma": "0.7"}}, "defaults.gamma: must be a number"),
    ("bool", {"defaults": {"gamma": True}}, "defaults.gamma: must be a number"),
    ("above", {"defaults": {"gamma": 1.01}}, "defaults.gamma: must be a number from 0 to 1"),
    ("below", {"defaults": {"gamma": -0.01}}, "defaults.gamma: must be a number from 0 to 1"),
    ("nan", {"defaults": {"gamma": float("nan")}}, "defaults.gamma: must be"),
    ("infinite", {"targets": {"x": {"theta": float("inf")}}}, 'targets."x".theta: must be a finite number'),
    ("kind", {"defaults": {"floors": {"PERSN": "REDACT"}}}, r'must be one of PERSON, .*did you mean "PERSON"'),
    ("action", {"defaults": {"floors": {"AGE": "redact"}}}, r'floors.AGE: must be one of RETAIN, .*"REDACT"'),
    ("number", {"defaults": {"floors": {"AGE": 2}}}, "floors.AGE: must be one of RETAIN, ABSTRACT, REDACT"),
    ("on_error", {"defaults": {"on_error": "ignore"}}, "on_error: must be one of block, redact"),
    ("on_reply", {"defaults": {"on_reply": "hide"}}, "on_reply: must be one of pass, flag, redact"),
    ("reply_types", {"defaults": {"reply_types": ["EMIAL"]}}, r'must be one of PERSON, .*did you mean "EMAIL"'),
    ("public", {"defaults": {"public": "yes"}}, "public: must be one of retain, need"),
    ("public_at", {"defaults": {"public_at": 2.0}}, "public_at: must be a number from 0 to 1"),
    ("names", {"defaults": {"names": "list"}}, 'names: must be one of found, listed .did you mean "listed"'),
    ("redundancy", {"defaults": {"redundancy": "no"}}, "redundancy: must be true or false"),
    ("note", {"targets": {"x": {"note": "yes"}}}, 'targets."x".note: must be true or false'),
    ("threshold", {"defaults": {"threshold": 1.5}}, "threshold: must be a number from 0.1 to 0.95 in steps of 0.05"),
    ("threshold-off", {"defaults": {"threshold": 1.0}}, "threshold: must be a number from 0.1 to 0.95"),
    ("threshold-zero", {"defaults": {"threshold": 0.0}}, "threshold: must be a number from 0.1 to 0.95"),
    ("threshold-low", {"defaults": {"threshold": 0.05}}, "threshold: must be a number from 0.1 to 0.95"),
    ("threshold-step", {"defaults": {"threshold": 0.33}}, "in steps of 0.05"),
    ("threshold-text", {"defaults": {"threshold": "0.5"}}, "threshold: must be a number from 0.1 to 0.95"),
    ("threshold-bool", {"defaults": {"threshold": True}}, "threshold: must be a number from 0.1 to 0.95"),
    ("threshold-nan", {"defaults": {"threshold": float("nan")}}, "threshold: must be a number from 0.1 to 0.95"),
    ("rendering", {"defaults": {"rendering": "hint"}}, "rendering: must be one of hinted, phrase"),
    ("ceiling", {"defaults": {"ceilings": {"SECRET": "RETAIN"}}}, "ceilings: SECRET is always redacted"),
    ("floor", {"targets": {"x": {"floors": {"SECRET": "ABSTRACT"}}}}, "floors: SECRET is always redacted"),
    ("system", {"defaults": {"restore_system": "yes"}}, "restore_system: must be true or false"),
    ("secrets", {"profiles": {"x": {"restore_secrets": 1}}}, 'profiles."x".restore_secrets: must be true or false'),
    ("restore", {"defaults": {"tools": {"a*": {"restore": "some"}}}}, r'tools."a\*".restore: must be "all", "none" or'),
    ("types", {"defaults": {"tools": {"a": {"restore": ["PERSN"]}}}}, r'tools."a".restore: must be "all", "none" or'),
    ("nested", {"defaults": {"tools": {"a": {"restore": [["x"]]}}}}, r'tools."a".restore: must be "all", "none" or'),
    ("secret", {"defaults": {"tools": {"a": {"restore": ["SECRET"]}}}}, 'tools."a".restore: .*write secrets = true'),
    ("tool", {"targets": {"x": {"tools": {"a": {"secret": True}}}}}, 'tools."a" has .*did you mean "secrets"'),
    ("tools", {"defaults": {"tools": ["a"]}}, "defaults.tools: must be a table"),
    ("rule", {"defaults": {"tools": {"a": "none"}}}, 'defaults.tools."a": must be a table'),
    ("rule-host", {"defaults": {"tools": {"a": {"url_hosts": ["x/"]}}}}, r'tools."a".url_hosts\[0\]: must be a host'),
    ("host", {"defaults": {"url_hosts": ["https://docs.example/"]}}, r"url_hosts\[0\]: must be a host name"),
    ("list", {"defaults": {"allow": "Ada Roth"}}, "defaults.allow: must be a list"),
    ("table", {"defaults": 3}, "defaults: must be a table"),
    ("empty", {"defaults": {"allow": ["x", " "]}}, r"defaults.allow\[1\]: must be a text that is not empty"),
]


@pytest.mark.parametrize(("content", "says"), [pytest.param(*row[1:], id=row[0]) for row in FAULTS])
def test_a_fault_names_its_place_and_what_is_allowed(content: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        validate(content, "here")
    assert str(caught.value).startswith("here: ")
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "content",
    [
        {"defaults": {"allow": ["fine", ["Ada Roth"]]}},
        {"defaults": {"allow": {"Ada Roth": 1}}},
        {"defaults": {"deny": {"Ada Roth": "PERSN"}}},
        {"defaults": {"deny": {"PERSON": "Ada Roth"}}},
        {"defaults": {"deny": {"Ada Roth": {"x": 1}}}},
        {"defaults": {"deny": ["Ada Roth"]}},
        {"defaults": {"Ada Roth": "PERSON"}},
        {"Ada Roth": "PERSON"},
        {"defaults": {"floors": {"Ada Roth": "REDACT"}}},
        {"defaults": {"floors": {"PERSON": "Ada Roth"}}},
        {"targets": {"gpt-5*": {"deny": {"Ada Roth": 3}, "Ada Roth": 1}}},
        {"profiles": {"mine": {"targets": {"x": {"allow": [3, {"Ada Roth": 3}]}}}}},
        {"defaults": {"url_hosts": ["Ada Roth/"]}},
        {"defaults": {"tools": {"x": {"restore": ["Ada Roth"], "Ada Roth": 1}}}},
        {"defaults": {"tools": {"x": "Ada Roth"}}},
    ],
)
def test_no_fault_repeats_what_was_written(content: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        validate(content, "here")
    assert "roth" not in str(caught.value).casefold()
    assert caught.value.__context__ is None


def test_every_fault_is_listed() -> None:
    with pytest.raises(ConfigError, match=r"defaults.gamma.*; .*targets.\"x\".theta"):
        validate({"defaults": {"gamma": 2}, "targets": {"x": {"theta": "high"}}}, "here")
