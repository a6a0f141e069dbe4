"""Layers merge key by key, and contradictions are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action
from privguard.core.profile import Names, OnError, OnReply, Public, Rendering, ToolRule, Unread
from privguard.minimizer.layers import DEFAULT_GAMMA, SHIPPED_PROFILES, Book, Layer, merge, settle

PERSON, AGE = EntityType.PERSON, EntityType.AGE


def test_without_layers_the_shipped_base_stands() -> None:
    profile = settle("default", [], "here")
    assert (profile.gamma, profile.rendering, profile.on_error) == (DEFAULT_GAMMA, Rendering.HINTED, OnError.BLOCK)
    assert (profile.threshold, profile.names) == (0.5, Names.FOUND)
    assert (profile.public, profile.public_at, profile.redundancy) == (Public.NEED, 0.9, True)
    assert profile.floors == {EntityType.GOV_ID: Action.REDACT, EntityType.FIN_ACCOUNT: Action.REDACT}
    assert [len(held) for held in (profile.ceilings, profile.allow, profile.deny)] == [0] * 3
    assert [len(held) for held in (profile.url_hosts, profile.remote_tools, profile.pass_headers)] == [0] * 3
    assert (profile.restore_system, profile.restore_secrets, dict(profile.tools)) == (False, False, {})
    assert profile.note is False


def test_tables_merge_by_key_and_lists_are_replaced() -> None:
    first = Layer(floors={PERSON: Action.REDACT, AGE: Action.ABSTRACT}, allow=("Acme",), deny={"Ben Kole": PERSON})
    second = Layer(floors={AGE: Action.RETAIN}, allow=("Initech",), deny={"Ada Roth": PERSON})
    merged = merge([first, second])
    assert merged.floors == {PERSON: Action.REDACT, AGE: Action.RETAIN}
    assert merged.allow == ("Initech",)
    assert merged.deny == {"Ben Kole": PERSON, "Ada Roth": PERSON}


def test_rules_of_a_later_layer_come_first() -> None:
    none, mail = ToolRule(kinds=frozenset()), ToolRule(kinds=frozenset({EntityType.EMAIL}))
    merged = merge([Layer(tools={"a": none, "b": none}), Layer(tools={"c": none, "b": mail}), Layer(tools={})])
    assert merged.tools is not None
    assert list(merged.tools.items()) == [("c", none), ("b", mail), ("a", none)]


def test_the_order_of_rules_and_each_of_their_settings_change_the_id() -> None:
    rules = [
        {"a*": ToolRule(), "*b": ToolRule(secrets=True)},
        {"*b": ToolRule(secrets=True), "a*": ToolRule()},
        {"a*": ToolRule(kinds=frozenset()), "*b": ToolRule(secrets=True)},
        {"a*": ToolRule(kinds=frozenset({PERSON})), "*b": ToolRule(secrets=True)},
        {"a*": ToolRule(url_hosts=()), "*b": ToolRule(secrets=True)},
        {"a*": ToolRule(url_hosts=("docs.example",)), "*b": ToolRule(secrets=True)},
        {"a*": ToolRule()},
    ]
    assert len({settle("mine", [Layer(tools=each)], "here").id for each in rules}) == len(rules)


def test_an_empty_list_replaces_and_a_missing_one_does_not() -> None:
    first = Layer(allow=("Acme",))
    assert merge([first, Layer(allow=())]).allow == ()
    assert merge([first, Layer()]).allow == ("Acme",)


@given(st.lists(st.builds(Layer, gamma=st.none() | st.floats(0, 1)), max_size=5))
def test_the_last_layer_that_speaks_wins(layers: list[Layer]) -> None:
    spoken = [layer.gamma for layer in layers if layer.gamma is not None]
    assert merge(layers).gamma == (spoken[-1] if spoken else None)


def test_the_id_is_the_name_and_a_hash_of_the_content() -> None:
    one = settle("mine", [Layer(gamma=0.7, floors={PERSON: Action.REDACT, AGE: Action.ABSTRACT})], "here")
    same = settle("mine", [Layer(gamma=0.7, floors={AGE: Action.ABSTRACT, PERSON: Action.REDACT})], "there")
    name, _, digest = one.id.partition(":")
    assert (name, len(digest)) == ("mine", 12)
    assert one.id == same.id


@pytest.mark.parametrize(
    "layer",
    [
        Layer(gamma=0.71),
        Layer(floors={PERSON: Action.REDACT}),
        Layer(ceilings={PERSON: Action.REDACT}),
        Layer(allow=("Acme",)),
        Layer(deny={"Acme": EntityType.ORGANIZATION}),
        Layer(threshold=0.3),
        Layer(names=Names.LISTED),
        Layer(unread=Unread.HIDE),
        Layer(rendering=Rendering.PHRASE),
        Layer(on_error=OnError.REDACT),
        Layer(public=Public.RETAIN),
        Layer(public_at=0.95),
        Layer(redundancy=False),
        Layer(note=True),
        Layer(url_hosts=("docs.example",)),
        Layer(restore_system=True),
        Layer(restore_secrets=True),
        Layer(tools={"search": ToolRule()}),
        Layer(remote_tools=("search",)),
        Layer(pass_headers=("x-team-*",)),
        Layer(on_reply=OnReply.FLAG),
        Layer(reply_types=(PERSON,)),
    ],
    ids=[
        *("gamma", "floors", "ceilings", "allow", "deny", "threshold", "names", "unread", "rendering", "on_error"),
        *("public", "public_at", "redundancy", "note", "hosts", "system", "secrets", "rules", "tools", "headers"),
        *("on_reply", "reply_types"),
    ],
)
def test_every_setting_changes_the_id(layer: Layer) -> None:
    assert settle("mine", [layer], "here").id != settle("mine", [], "here").id


def test_a_floor_above_a_ceiling_is_refused_with_both_named() -> None:
    layers = [Layer(floors={PERSON: Action.REDACT}), Layer(ceilings={PERSON: Action.ABSTRACT})]
    with pytest.raises(ConfigError, match="here: the floor of PERSON is REDACT and its ceiling ABSTRACT"):
        settle("mine", layers, "here")


def test_a_term_on_both_lists_is_refused_and_not_shown() -> None:
    layers = [Layer(allow=("Initech", "ada roth")), Layer(deny={"Ada Roth": PERSON})]
    with pytest.raises(ConfigError, match="term 2 of allow is also in deny") as caught:
        settle("mine", layers, "here")
    assert "roth" not in str(caught.value).casefold()


def test_terms_never_show_in_a_repr() -> None:
    layer = Layer(allow=("Ada Roth",), deny={"Ben Kole": PERSON})
    shown = repr(layer) + repr(Book(defaults=layer)) + repr(settle("mine", [layer], "here"))
    assert "Roth" not in shown
    assert "Kole" not in shown


def test_the_shipped_profiles_are_ordered_by_what_they_disclose() -> None:
    gammas = {name: settle(name, [layer], "here").gamma for name, layer in SHIPPED_PROFILES.items()}
    assert gammas["strict"] < gammas["default"] < gammas["lenient"]
