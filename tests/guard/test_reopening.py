"""A reopened exchange restores what was held, and has a record of its own."""

from collections.abc import Callable
from typing import Any

import pytest

from privguard.core.audit import Event, Outcome
from privguard.core.errors import UnknownReferenceError, VaultError
from privguard.core.profile import Profile
from privguard.core.protocols import Vault
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FakeProfiles, ListSink
from privguard.vault import SealedVault, open_vault

MakeGuard = Callable[..., Guard]


@pytest.fixture
def vault() -> SealedVault:
    return open_vault("memory:")


@pytest.fixture
def keeping(make_guard: MakeGuard, vault: SealedVault) -> Guard:
    """Return a guard with a vault."""
    return make_guard(vault=vault)


def begin(guard: Guard, text: str, **settings: Any) -> Exchange[str]:  # noqa: ANN401 - any setting of begin
    begun = guard.begin(text_segments(text), target="m", **settings)
    return begun.reshaped(begun.outgoing[0].text)


def test_another_guard_restores_what_was_held(keeping: Guard, make_guard: MakeGuard, vault: Vault) -> None:
    exchange = begin(keeping, "I am Ada Roth, mail ada@roth.example")
    assert exchange.hold() == exchange.request_id
    exchange.bind("resp_1")
    exchange.close()
    stranger = make_guard(vault=vault, key=Key.random())
    reopened = stranger.reopen("resp_1")
    assert reopened.restore(exchange.outgoing) == "I am Ada Roth, mail ada@roth.example"
    assert stranger.reopen("resp_1").restore(exchange.outgoing) == "I am Ada Roth, mail ada@roth.example"


def test_a_reply_that_comes_later_has_a_record_of_its_own(keeping: Guard, sink: ListSink) -> None:
    exchange = begin(keeping, "I am Ada Roth", route="openai.responses")
    exchange.hold()
    exchange.close()
    reopened = keeping.reopen(exchange.request_id, target="gpt-5", route="openai.responses.retrieve")
    reopened.restore(exchange.outgoing + " [PERSON_9ZZ9]", path="output[0]")
    assert reopened.outgoing == ()
    reopened.close()
    first, second = sink.records
    assert first.request_id != second.request_id
    assert (second.route, second.target, second.outcome) == ("openai.responses.retrieve", "gpt-5", Outcome.DONE)
    assert (second.decisions, second.profile_id) == ((), "fake:1")
    assert {(event.event, event.path) for event in second.events} == {
        (Event.RESTORED, "output[0]"),
        (Event.UNRESTORED, "output[0]"),
    }


def test_several_references_are_one_conversation(keeping: Guard) -> None:
    exchanges = [begin(keeping, text) for text in ("I am Ada Roth", "I am Ben Kole")]
    for number, exchange in enumerate(exchanges):
        exchange.hold(f"resp_{number}")
    reopened = keeping.reopen("resp_0", "gone", "resp_1")
    assert [reopened.restore(each.outgoing) for each in exchanges] == ["I am Ada Roth", "I am Ben Kole"]


def test_values_stand_only_in_urls_that_the_profile_allows_now(make_guard: MakeGuard, vault: Vault) -> None:
    def profiles(*hosts: str) -> FakeProfiles:
        return FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5, url_hosts=hosts))

    before = make_guard(vault=vault, profiles=profiles("a.example", "b.example"))
    exchange = begin(before, "I am Ada Roth")
    exchange.hold()
    placeholder = exchange.outgoing.split()[-1]
    now = make_guard(vault=vault, profiles=profiles("b.example", "c.example")).reopen(exchange.request_id)
    restored = [now.restore(f"https://{host}.example/{placeholder}") for host in "abc"]
    assert ["Ada" in each for each in restored] == [False, True, False]


def test_a_reference_that_is_not_there_is_an_error_with_a_record(keeping: Guard, sink: ListSink) -> None:
    with pytest.raises(UnknownReferenceError, match="never held, has expired") as caught:
        keeping.reopen("resp_of_nobody")
    assert "nobody" not in str(caught.value)
    (record,) = sink.records
    assert (record.outcome, record.error) == (Outcome.FAILED, "UnknownReferenceError")
    with pytest.raises(UnknownReferenceError):
        keeping.reopen()


def test_one_reference_may_be_bound_and_released_and_several_may_not(keeping: Guard, vault: Vault) -> None:
    for number, text in enumerate(("I am Ada Roth", "I am Ben Kole")):
        begin(keeping, text).hold(f"resp_{number}")
    several = keeping.reopen("resp_0", "resp_1")
    with pytest.raises(VaultError, match="nothing is held"):
        several.bind("resp_2")
    several.release()
    keeping.reopen("resp_0").release()
    with pytest.raises(UnknownReferenceError):
        keeping.reopen("resp_0")
    assert keeping.reopen("resp_1").outgoing == ()


class _Broken:
    """A vault of one's own, whose errors say what they please."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        def fail(*_arguments: object, **_options: object) -> None:
            raise RuntimeError("Ada Roth")

        return fail


def test_no_error_of_a_vault_of_ones_own_passes_as_it_is(make_guard: MakeGuard) -> None:
    with pytest.raises(VaultError, match=r"could not be used \(RuntimeError\)") as failure:
        make_guard(vault=_Broken()).reopen("resp_1")
    assert failure.value.__context__ is None
