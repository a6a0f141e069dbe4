"""The requests of a conversation share placeholders and values; no request of another has any of them."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privguard.core.errors import ConfigError, UnheldError, UnknownReferenceError, VaultError
from privguard.core.holding import Owner
from privguard.core.restoring import RestoreTable
from privguard.guard import Exchange, Guard, conversation
from privguard.guard.conversing import setting_of
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import ListSink
from privguard.vault import SealedVault, open_vault

MakeGuard = Callable[..., Guard]


@pytest.fixture
def vault() -> SealedVault:
    return open_vault("memory:")


@pytest.fixture
def keeping(make_guard: MakeGuard, vault: SealedVault) -> Guard:
    """Return a guard with a vault."""
    return make_guard(vault=vault)


def begin(guard: Guard, text: str, **options: Any) -> Exchange[str]:  # noqa: ANN401 - any option of begin
    begun = guard.begin(text_segments(text), target="m", **options)
    return begun.reshaped(begun.outgoing[0].text)


def say(guard: Guard, text: str, **options: Any) -> str:  # noqa: ANN401 - likewise
    """Say something, and return what left."""
    with begin(guard, text, **options) as exchange:
        return exchange.outgoing


def hear(guard: Guard, reply: str, **options: Any) -> str:  # noqa: ANN401 - likewise
    """Return what a reply to a request that says nothing becomes."""
    with begin(guard, "And then?", **options) as exchange:
        return exchange.restore(reply)


def test_a_later_reply_may_speak_of_what_an_earlier_request_said(keeping: Guard) -> None:
    with conversation("a"):
        left = say(keeping, "I am Ada Roth")
        assert "Roth" not in left
        assert hear(keeping, left) == "I am Ada Roth"
        more = say(keeping, "Write to ben@kole.example")
        assert hear(keeping, f"{left} {more}") == "I am Ada Roth Write to ben@kole.example"


def test_without_a_vault_a_reply_gets_what_its_own_request_carried(guard: Guard) -> None:
    with conversation("a"):
        left = say(guard, "I am Ada Roth")
        assert hear(guard, left) == left
        assert say(guard, "I am Ada Roth") == left


def test_outside_and_in_another_conversation_nothing_of_it_comes_back(keeping: Guard) -> None:
    with conversation("a"):
        left = say(keeping, "I am Ada Roth")
    assert hear(keeping, left) == left
    for name in ("b", "A", "a "):
        with conversation(name):
            assert hear(keeping, left) == left
    with conversation("a"):
        assert hear(keeping, left) == "I am Ada Roth"


def test_an_inner_conversation_is_one_of_its_own(keeping: Guard) -> None:
    with conversation("outer"):
        outer = say(keeping, "I am Ada Roth")
        with conversation("inner"):
            assert hear(keeping, outer) == outer
            inner = say(keeping, "I am Ada Roth")
        assert hear(keeping, f"{outer}, {inner}") == f"I am Ada Roth, {inner}"


def test_placeholders_are_those_of_the_conversation(guard: Guard) -> None:
    def left(name: str | None) -> str:
        with conversation(name) if name else nullcontext():
            return say(guard, "Ada Roth")

    assert left("a") == left("a")
    assert len({left("a"), left("b"), left(None)}) == 3


def test_one_key_gives_one_conversation_in_every_process(make_guard: MakeGuard) -> None:
    with conversation("a"):
        first, second = (
            say(make_guard(key=Key.from_text("an invented key of enough length")), "Ada Roth") for _ in "ab"
        )
        assert first == second
        assert say(make_guard(key=Key.random()), "Ada Roth") != first


def test_the_values_lie_in_a_scope_of_the_conversation(
    keeping: Guard, make_guard: MakeGuard, vault: SealedVault
) -> None:
    with conversation("a"):
        exchange = begin(keeping, "I am Ada Roth")
        exchange.hold("order-1")
        exchange.close()
        assert keeping.reopen("order-1").restore(exchange.outgoing) == "I am Ada Roth"
    with pytest.raises(UnknownReferenceError):
        keeping.reopen("order-1")
    tenant = Owner(tenant="acme")
    with conversation("a"):
        assert hear(keeping, exchange.outgoing, owner=tenant) == exchange.outgoing
        assert hear(make_guard(vault=vault, owner=tenant), exchange.outgoing) == exchange.outgoing
        assert hear(make_guard(vault=vault), exchange.outgoing) == "I am Ada Roth"


NAMES = st.text(alphabet=":0123ab", min_size=1, max_size=6).filter(str.strip)
SCOPES = st.text(alphabet=":0123abconversation", max_size=8)
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@quick
@given(first=st.tuples(SCOPES, NAMES), second=st.tuples(SCOPES, NAMES))
def test_no_two_scopes_and_names_make_one_scope(guard: Guard, first: tuple[str, str], second: tuple[str, str]) -> None:
    def owner(scope: str, name: str) -> Owner:
        with conversation(name):
            return setting_of(guard.parts, Owner(scope=scope)).holding.owner

    assert (owner(*first) == owner(*second)) is (first == second)


@quick
@given(said=st.lists(st.sampled_from(["Ada Roth", "Ben Kole", "ada@roth.example", "7-AB-99201", "Zurich"]), max_size=6))
def test_all_that_a_conversation_said_comes_back_in_its_newest_reply(
    make_guard: MakeGuard, said: Sequence[str]
) -> None:
    keeping = make_guard(vault=open_vault("memory:"))
    with conversation("a"):
        left = " ".join([say(keeping, each) for each in said])
        assert not any(value in left for value in said)
        assert hear(keeping, left) == " ".join(said)


def test_two_people_keep_two_placeholders_over_the_turns(keeping: Guard) -> None:
    with conversation("a"):
        say(keeping, "Ada Roth")
        both = say(keeping, "Ben Kole")
        assert len(set(re.findall(r"_(\w{4,})\]", say(keeping, "Ada Roth") + both))) == 2


def test_earlier_references_and_the_conversation_go_together(keeping: Guard) -> None:
    with conversation("a"):
        exchange = begin(keeping, "Ada Roth")
        reference = exchange.hold()
        exchange.close()
        left = say(keeping, "Ben Kole")
        assert hear(keeping, f"{exchange.outgoing} {left}", earlier=[reference]) == "Ada Roth Ben Kole"
        with pytest.raises(ConfigError, match="a list"):
            begin(keeping, "x", earlier="resp_1")


def test_threads_of_one_conversation_add_to_each_other(keeping: Guard) -> None:
    names = ["Ada Roth", "Ben Kole", "ada@roth.example", "ben@kole.example", "7-AB-99201"]
    with conversation("a"), ThreadPoolExecutor(5) as pool:
        tasks = [pool.submit(copy_context().run, say, keeping, name) for name in names]
        left = " ".join([task.result() for task in tasks])
        assert hear(keeping, left) == " ".join(names)


def test_a_conversation_can_be_forgotten(keeping: Guard, guard: Guard) -> None:
    with conversation("a"):
        left = say(keeping, "I am Ada Roth")
    assert keeping.forget("b") is False
    assert keeping.forget("a", owner=Owner(tenant="acme")) is False
    assert keeping.forget("a") is True
    assert keeping.forget("a") is False
    assert guard.forget("a") is False
    with pytest.raises(ConfigError, match="name of a conversation"):
        keeping.forget("")
    with conversation("a"):
        assert hear(keeping, left) == left


class _BrokenVault:
    """A vault that fails with content in its message."""

    def __init__(self, *, reads: bool) -> None:
        self._reads = reads

    def put(self, *_: object, **__: object) -> bool:
        raise VaultError("out of order")

    def get(self, *_: object) -> RestoreTable | None:
        if self._reads:
            return None
        raise ValueError("Ada Roth")


@pytest.mark.parametrize("reads", [True, False], ids=["cannot be written", "cannot be read"])
def test_what_cannot_be_kept_is_not_sent(make_guard: MakeGuard, sink: ListSink, reads: bool) -> None:
    broken = make_guard(vault=_BrokenVault(reads=reads))
    with conversation("a"), pytest.raises(UnheldError) as caught:
        begin(broken, "I am Ada Roth")
    assert "Roth" not in str(caught.value)
    assert [record.outcome.value for record in sink.records] == ["blocked"]
    assert begin(broken, "I am Ada Roth").outgoing


def test_where_nothing_is_hidden_nothing_is_kept(keeping: Guard, vault: SealedVault) -> None:
    with conversation("a"):
        say(keeping, "Good morning")
    assert vault.status().tables == 0
