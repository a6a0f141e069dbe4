"""Which tool gets what stands at a place, and when that is certain."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from privguard.core.json_leaves import parse
from privguard.core.profile import Profile, ToolRule
from privguard.core.views import tool_view
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.tools import ToolName, Tools, tool_at, tool_names

NONE, SECRETS = ToolRule(kinds=frozenset()), ToolRule(secrets=True)
NAMES = st.text("ab_", min_size=1, max_size=4)
PATTERNS = st.text("ab_*", min_size=1, max_size=4)


def tools(*offered: str, **settings: Any) -> Tools:  # noqa: ANN401 - fields of the profile
    return Tools(profile=Profile(id="p", name="p", gamma=0.5, **settings), offered=frozenset(offered))


def named(*pieces: str) -> ToolName:
    name = ToolName()
    for piece in pieces:
        name.add(piece)
    return name


def test_tools_are_found_beside_their_arguments() -> None:
    document = parse('{"function": {"name": "f", "arguments": "{}", "name": "g"}, "q": {"input": "x"}}', lenient=True)
    assert tool_names(document) == {("function",): ("f", "g")}


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        (("a", "function", "arguments"), ("a", "function")),
        (("custom", "input"), ("custom",)),
        (("function_call", "arguments", "to", 0), ("function_call",)),
        (("q", "input"), None),
        (("arguments",), None),
        (("function", "name"), None),
        ((), None),
    ],
)
def test_what_stands_in_the_arguments_belongs_to_the_tool(path: tuple[str | int, ...], tool: object) -> None:
    assert tool_at(path) == tool


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [((), ""), (("send",), "send"), (("se", "nd"), "send"), (("send", "send"), "send"), (("", "send"), "send")],
)
def test_a_name_is_put_together_and_one_that_is_repeated_is_one(pieces: tuple[str, ...], whole: str) -> None:
    assert named(*pieces).whole == whole


def test_a_tool_that_is_offered_is_known_at_once_and_one_that_may_go_on_is_not() -> None:
    some = tools("send", "look", tools={"send_*": NONE, "*": SECRETS})
    assert some.early_view(named("send")) == tool_view(some.profile, ["send"])
    assert some.early_view(named("se")) is None
    assert some.early_view(None) is None
    # Nothing can make it one that is offered.
    assert some.early_view(named("send_")) == tool_view(some.profile, [])


def test_a_name_that_another_tool_goes_on_from_is_not_certain() -> None:
    assert tools("send", "send_all", tools={"send": NONE}).early_view(named("send")) is None
    assert tools("send", "send_all", tools={"send*": NONE}).early_view(named("send")) is not None


def test_without_rules_every_tool_is_known_before_its_name() -> None:
    assert tools("send").early_view(None) == tool_view(tools().profile, [])


@pytest.mark.parametrize("name", ["send ", "functions.send", "SEND", "send\u200b", "sen", "sendlook"])
def test_a_name_that_is_not_offered_gets_what_a_call_without_a_name_gets(name: str) -> None:
    for offered in ((), ("send", "look")):
        some = tools(*offered, remote_tools=("send",))
        least = some.view(())
        assert least == tool_view(some.profile, [])
        assert some.view([name]) == some.view([name, "look"]) == some.view_of(named(*name)) == least
        assert some.early_view(named(name)) == least
    some = tools("xsend", remote_tools=("send",))
    assert some.view_of(named("x", "send")) == tool_view(some.profile, ["xsend"])


@given(
    offered=st.frozensets(NAMES, min_size=1, max_size=3),
    rules=st.dictionaries(PATTERNS, st.sampled_from([NONE, SECRETS, ToolRule()]), max_size=3),
    data=st.data(),
)
def test_what_is_certain_early_stays_so(
    offered: frozenset[str], rules: dict[str, ToolRule], data: st.DataObject
) -> None:
    some = tools(*offered, tools=rules)
    name = data.draw(st.sampled_from(sorted(offered)))
    cuts = sorted(data.draw(st.frozensets(st.integers(1, len(name)), max_size=2)))
    pieces = [name[start:end] for start, end in zip([0, *cuts], [*cuts, len(name)], strict=True)]
    final = tool_view(some.profile, [name])
    assume(named(*pieces).whole == name)
    arriving = ToolName()
    for piece in pieces:
        arriving.add(piece)
        assert some.early_view(arriving) in (None, final)
    assert some.view_of(arriving) == final


def test_a_renamed_tool_gets_what_the_rule_of_its_own_name_says() -> None:
    names = ReplyNames(tools={"get_A": "get_anna", "get_B": "get_bo"}, arguments={"get_A": {"X": "x"}})
    profile = Profile(id="p", name="p", gamma=0.5, tools={"get_anna": SECRETS, "get_A": NONE})
    some = Tools(profile=profile, offered=frozenset({"get_A", "get_B", "see"}), names=names)
    own = tool_view(profile, ["get_anna"])
    assert some.view(["get_A"]) == some.view_of(named("get_", "A")) == some.early_view(named("get_A")) == own
    assert some.early_view(named("get_")) is None
    assert (some.keys_of(named("get_A")), some.keys_of(named("get_B")), some.keys_of(None)) == ({"X": "x"}, {}, {})
    assert some.keys(["get_A", "get_B"]) == {}
    early = [some.early_keys(each) for each in (None, named("get_"), named("get_A"), named("se"), named("other"))]
    assert early == [None, None, {"X": "x"}, {}, {}]
    assert tools("see").early_keys(None) == {}
