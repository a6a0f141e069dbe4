"""Who may see what: the views of a profile, and what is left of a table in them."""

from dataclasses import replace
from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import Cause
from privguard.core.entities import EntityType
from privguard.core.profile import Profile, ToolRule
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.views import View, strictest_view, tool_view, user_view, views_of_start

PERSON, EMAIL, SECRET = EntityType.PERSON, EntityType.EMAIL, EntityType.SECRET
NONE = ToolRule(kinds=frozenset())
TABLE = RestoreTable(
    entries={
        each.placeholder_id: each
        for each in (
            RestoreEntry(placeholder_id="7QK2", kind=PERSON, value="Ada Roth"),
            RestoreEntry(placeholder_id="8ABC", kind=EMAIL, value="ops@heron.example", unsaid=frozenset({""})),
            RestoreEntry(placeholder_id="9XY3", kind=SECRET, value="hunter2-hunter2"),
            RestoreEntry(placeholder_id="3MNP", kind=SECRET, value="hunter3-hunter3", unsaid=frozenset({""})),
        )
    },
    literals=frozenset({"4RST"}),
    url_hosts=("docs.example",),
)
VALUES = {entry.value for entry in TABLE.entries.values()}

KINDS = st.frozensets(st.sampled_from([PERSON, EMAIL]))
RULES = st.builds(
    ToolRule, kinds=st.none() | KINDS, secrets=st.booleans(), url_hosts=st.none() | st.just(("ok.example",))
)
NAMES = st.text("abx", max_size=3)
PATTERNS = st.text("abx*?", min_size=1, max_size=4) | st.sampled_from(["[ab]x", "[!a]*", "*[x"])
PROFILES = st.builds(
    Profile,
    id=st.just("p:1"),
    name=st.just("p"),
    gamma=st.just(0.5),
    restore_system=st.booleans(),
    restore_secrets=st.booleans(),
    tools=st.dictionaries(PATTERNS, RULES, max_size=3),
    remote_tools=st.lists(PATTERNS, max_size=1).map(tuple),
)
VIEWS = st.builds(
    View,
    kinds=st.frozensets(st.sampled_from([PERSON, EMAIL, SECRET])),
    unsaid=st.booleans(),
    url_hosts=st.sampled_from([None, (), ("ok.example",)]),
    is_tool=st.booleans(),
)


def profile(**settings: object) -> Profile:
    return Profile(id="p:1", name="p", gamma=0.5, **settings)  # type: ignore[arg-type]


def shown(view: View, table: RestoreTable = TABLE) -> set[str]:
    return {entry.value for entry in view.show(table).table.entries.values() if entry.value}


@pytest.mark.parametrize(
    ("settings", "values", "withheld"),
    [
        ({}, {"Ada Roth"}, {"8ABC", "9XY3", "3MNP"}),
        ({"restore_system": True}, {"Ada Roth", "ops@heron.example"}, {"9XY3", "3MNP"}),
        ({"restore_secrets": True}, {"Ada Roth", "hunter2-hunter2"}, {"8ABC", "3MNP"}),
        ({"restore_system": True, "restore_secrets": True}, VALUES, set()),
    ],
)
def test_the_user_sees_secrets_and_the_values_of_the_system_only_where_the_profile_says_so(
    settings: dict[str, object], values: set[str], withheld: set[str]
) -> None:
    view = user_view(profile(**settings))
    assert shown(view) == values
    assert view.show(TABLE).refused == dict.fromkeys(withheld, Cause.PROVENANCE)
    assert view.show(TABLE).table.url_hosts == ("docs.example",)


def test_a_tool_without_a_rule_gets_all_but_secrets_whatever_the_user_sees() -> None:
    view = tool_view(profile(restore_secrets=True), ["send"])
    assert shown(view) == {"Ada Roth", "ops@heron.example"}
    assert view.show(TABLE).refused == dict.fromkeys(["9XY3", "3MNP"], Cause.PROVENANCE)


@pytest.mark.parametrize(
    ("rule", "values", "refused"),
    [
        (ToolRule(secrets=True), VALUES, {}),
        (NONE, set(), dict.fromkeys(TABLE.entries, Cause.REMOTE_TOOL)),
        (
            ToolRule(kinds=frozenset({EMAIL})),
            {"ops@heron.example"},
            {"7QK2": Cause.TOOL_RULE, "9XY3": Cause.PROVENANCE, "3MNP": Cause.PROVENANCE},
        ),
        (
            ToolRule(kinds=frozenset(), secrets=True),
            {"hunter2-hunter2", "hunter3-hunter3"},
            dict.fromkeys(["7QK2", "8ABC"], Cause.TOOL_RULE),
        ),
    ],
)
def test_a_tool_gets_what_its_rule_says(rule: ToolRule, values: set[str], refused: dict[str, Cause]) -> None:
    view = tool_view(profile(tools={"send": rule}), ["send"])
    assert shown(view) == values
    assert view.show(TABLE).refused == refused


def test_the_first_rule_that_matches_counts_and_remote_tools_come_first() -> None:
    rules = {"send_mail": ToolRule(secrets=True), "send_*": ToolRule(kinds=frozenset({PERSON})), "*": NONE}
    settings = profile(tools=rules, remote_tools=("send_fax",))
    assert [shown(tool_view(settings, [name])) for name in ("send_mail", "send_x", "send_fax", "look")] == [
        VALUES,
        {"Ada Roth"},
        set(),
        set(),
    ]
    backwards = profile(tools=dict(reversed(rules.items())))
    assert shown(tool_view(backwards, ["send_mail"])) == set()


def test_letter_case_does_not_matter_in_patterns() -> None:
    assert shown(tool_view(profile(tools={"Send*": NONE}), ["SEND_MAIL"])) == set()
    assert shown(tool_view(profile(remote_tools=("Send",)), ["sEND"])) == set()


def test_a_tool_without_a_name_may_be_every_tool() -> None:
    rules = {"send": ToolRule(kinds=frozenset({PERSON}), secrets=True), "mail": ToolRule(secrets=True)}
    for names in ([], [""]):
        assert shown(tool_view(profile(tools=rules), names)) == {"Ada Roth"}
    assert shown(tool_view(profile(remote_tools=("send",)), [])) == set()
    assert shown(tool_view(profile(), [])) == {"Ada Roth", "ops@heron.example"}


def test_a_tool_with_several_names_gets_what_each_of_them_gets() -> None:
    settings = profile(tools={"send": ToolRule(kinds=frozenset({PERSON})), "mail": ToolRule(secrets=True)})
    assert shown(tool_view(settings, ["send", "mail"])) == {"Ada Roth"}


def test_a_rule_has_hosts_of_its_own_or_those_of_the_table() -> None:
    settings = profile(tools={"open": ToolRule(url_hosts=("wiki.example",)), "shut": ToolRule(url_hosts=())})
    hosts = [tool_view(settings, [name]).show(TABLE).table.url_hosts for name in ("open", "shut", "look")]
    assert hosts == [("wiki.example",), (), ("docs.example",)]
    # Where it may be one or the other, no host is certain.
    assert tool_view(settings, ["open", "look"]).show(TABLE).table.url_hosts == ()


@given(PROFILES, VIEWS)
def test_the_strictest_view_shows_nothing_that_any_view_refuses(settings: Profile, view: View) -> None:
    strict = shown(strictest_view(settings))
    assert strict <= shown(user_view(settings))
    for name in ("a", "ax", "bx", "x", "aaa"):
        assert strict <= shown(tool_view(settings, [name]))
    assert shown(view) <= VALUES


@given(VIEWS, VIEWS, VIEWS)
def test_what_either_place_refuses_is_refused_where_it_may_be_either(one: View, other: View, third: View) -> None:
    assert one & other == other & one
    assert one & one == one
    assert (one & other) & third == one & (other & third)
    assert shown(one & other) == shown(one) & shown(other)


@given(VIEWS)
def test_every_id_is_known_and_either_shown_or_refused(view: View) -> None:
    result = view.show(TABLE)
    assert result.table.entries.keys() == TABLE.entries.keys()
    assert result.table.literals == TABLE.literals
    for placeholder_id, entry in result.table.entries.items():
        assert (placeholder_id in result.refused) == (not entry.value)


@given(PROFILES, NAMES)
def test_a_name_that_begins_so_has_one_of_the_views_of_its_start(settings: Profile, start: str) -> None:
    views = views_of_start(settings, start)
    for length in range(3):
        for rest in product("abx", repeat=length):
            name = start + "".join(rest)
            if name:
                assert tool_view(settings, [name]) in views


@pytest.mark.parametrize(
    ("start", "number"), [("", 3), ("se", 3), ("send_", 2), ("send_mail", 2), ("send_mails", 1), ("look", 1)]
)
def test_the_views_of_a_start_get_fewer_as_it_grows(start: str, number: int) -> None:
    settings = profile(tools={"send_mail": NONE, "send_*": ToolRule(secrets=True)})
    assert len(views_of_start(settings, start)) == number


@given(PROFILES)
def test_a_tool_without_a_name_gets_what_all_tools_get(settings: Profile) -> None:
    assert tool_view(settings, []) == reduce(View.__and__, views_of_start(settings, ""))


def test_the_spelling_of_the_application_is_not_shown_to_the_user() -> None:
    entry = RestoreEntry(
        placeholder_id="7QK2",
        kind=PERSON,
        value="Dr Lena Okafor",
        forms=(("last name", "Okafor"),),
        unsaid=frozenset({""}),
    )
    table = replace(TABLE, entries={"7QK2": entry})
    assert shown(user_view(profile()), table) == {"Okafor"}
    assert user_view(profile()).show(table).refused == {}
    assert shown(tool_view(profile(), ["send"]), table) == {"Dr Lena Okafor"}
