"""A reply that comes later gets its values back: in another process, after a crash, and nobody else's ever."""

import asyncio
import itertools
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from privguard.core.audit import Cause, Event, Match, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, RestoreError, UnheldError, UnknownReferenceError, VaultError
from privguard.core.holding import Owner
from privguard.core.protocols import Vault
from privguard.core.restoring import RestoreTable
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector, ListSink
from privguard.vault import MemoryStore, SealedVault, VaultKeys, open_vault

ROOT = Path(__file__).parents[2]
KEY = "an-invented-key-of-the-vault-no-1"
ACME, OTHER = Owner(tenant="acme", scope="chat"), Owner(tenant="other", scope="chat")
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


def test_binding_moves_what_is_held(keeping: Guard, vault: Vault) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    held = exchange.hold()
    exchange.close()
    exchange.bind("resp_1")
    exchange.bind("resp_1")
    assert vault.get(Owner(), held) is None
    assert vault.get(Owner(), "resp_1") is not None
    exchange.bind("conv_1", join=True, keep=True)
    assert vault.get(Owner(), "resp_1") == vault.get(Owner(), "conv_1")


class _Clock:
    at = 1e9

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize("again", ["hold", "bind"])
def test_what_is_held_again_under_its_reference_is_kept_from_then_on(make_guard: MakeGuard, again: str) -> None:
    clock = _Clock()
    vault = SealedVault(MemoryStore(), VaultKeys.random(), now=clock)
    exchange = begin(make_guard(vault=vault), "I am Ada Roth")
    exchange.hold("resp_1", ttl_s=100)
    clock.at += 60
    if again == "hold":
        exchange.hold("resp_1", ttl_s=100)
    else:
        exchange.bind("resp_1")
    clock.at += 99
    assert vault.get(Owner(), "resp_1") is not None
    clock.at += 1
    assert vault.get(Owner(), "resp_1") is None


def test_another_process_binds_by_the_request_id(keeping: Guard) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    keeping.reopen(exchange.hold()).bind("resp_1")
    assert keeping.reopen("resp_1").restore(exchange.outgoing) == "I am Ada Roth"
    with pytest.raises(UnknownReferenceError):
        keeping.reopen(exchange.request_id)


def test_a_reference_of_ones_own_is_as_good(keeping: Guard) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    assert exchange.hold("batch-7#line-1", ttl_s=60) == "batch-7#line-1"
    assert keeping.reopen("batch-7#line-1").restore(exchange.outgoing) == "I am Ada Roth"


def test_a_reference_of_another_request_is_not_taken_over(keeping: Guard) -> None:
    first, second = begin(keeping, "I am Ada Roth"), begin(keeping, "I am Ben Kole")
    for exchange in (first, second):
        exchange.hold()
    first.bind("resp_1")
    with pytest.raises(VaultError, match="another table"):
        second.bind("resp_1")
    assert keeping.reopen("resp_1").restore(second.outgoing) == second.outgoing
    assert keeping.reopen(second.request_id).restore(second.outgoing) == "I am Ben Kole"


def test_what_is_released_is_gone(keeping: Guard) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    exchange.hold()
    exchange.release()
    exchange.release()
    with pytest.raises(UnknownReferenceError):
        keeping.reopen(exchange.request_id)
    with pytest.raises(VaultError, match=r"call hold\(\) before"):
        exchange.bind("resp_1")
    assert exchange.restore(exchange.outgoing) == "I am Ada Roth"


def forget(exchange: Exchange[str], how: str) -> None:
    """Let an exchange forget what it holds."""
    if how == "release":
        exchange.release()
    else:
        exchange.close(Outcome.BLOCKED)


forgetting = pytest.mark.parametrize("how", ["release", "blocked"])


@forgetting
def test_what_another_exchange_holds_under_the_reference_stays(keeping: Guard, vault: Vault, how: str) -> None:
    first, second = begin(keeping, "I am Ada Roth"), begin(keeping, "I am Ada Roth")
    first.hold("resp_1")
    second.hold("resp_1")
    forget(second, how)
    assert keeping.reopen("resp_1").restore(first.outgoing) == "I am Ada Roth"
    forget(first, how)
    assert vault.get(Owner(), "resp_1") is None


@forgetting
def test_a_conversation_that_was_there_stays(keeping: Guard, vault: Vault, how: str) -> None:
    first, second = begin(keeping, "I am Ada Roth"), begin(keeping, "I am Ben Kole")
    first.hold("conv_1")
    second.hold()
    second.bind("conv_1", join=True, keep=True)
    forget(second, how)
    assert vault.get(Owner(), second.request_id) is None
    assert keeping.reopen("conv_1").restore(first.outgoing) == "I am Ada Roth"


def test_binding_leaves_what_another_exchange_holds(keeping: Guard, vault: Vault) -> None:
    first, second = begin(keeping, "I am Ada Roth"), begin(keeping, "I am Ada Roth")
    first.hold("order-7")
    second.hold("order-7")
    second.bind("resp_1")
    assert vault.get(Owner(), "order-7") is not None
    first.release()
    assert vault.get(Owner(), "order-7") is None
    assert vault.get(Owner(), "resp_1") is not None


@forgetting
def test_an_exchange_forgets_all_that_it_created(keeping: Guard, vault: Vault, how: str) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    exchange.hold("one")
    exchange.hold("two")
    exchange.hold("two")
    exchange.bind("three")
    exchange.bind("four", keep=True)
    assert [vault.get(Owner(), each) is not None for each in ("one", "two", "three", "four")] == [
        True,
        False,
        True,
        True,
    ]
    forget(exchange, how)
    assert not any(vault.get(Owner(), each) for each in ("one", "two", "three", "four"))


def test_what_could_not_be_forgotten_is_forgotten_by_the_next_try(keeping: Guard, vault: SealedVault) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    for reference in ("one", "two", "three"):
        exchange.hold(reference)

    class Failing:
        def delete(self, owner: Owner, reference: str) -> bool:
            if reference == "two":
                raise VaultError("stopped")
            return vault.delete(owner, reference)

    exchange._life.holding.vault = cast("Vault", Failing())
    with pytest.raises(VaultError, match="stopped"):
        exchange.release()
    assert [vault.get(Owner(), each) is not None for each in ("one", "two", "three")] == [False, True, False]
    exchange._life.holding.vault = vault
    exchange.release()
    assert vault.get(Owner(), "two") is None


def test_what_was_taken_up_again_is_forgotten_when_it_is_released_alone(keeping: Guard, vault: Vault) -> None:
    begin(keeping, "I am Ada Roth").hold("resp_1")
    keeping.reopen("resp_1").close(Outcome.BLOCKED)
    assert vault.get(Owner(), "resp_1") is not None
    keeping.reopen("resp_1").release()
    assert vault.get(Owner(), "resp_1") is None


@pytest.mark.parametrize(
    ("outcome", "stays"),
    [(Outcome.BLOCKED, False), (Outcome.DONE, True), (Outcome.FAILED, True), (Outcome.ABANDONED, True)],
)
def test_only_what_was_not_sent_is_forgotten_with_its_exchange(
    keeping: Guard, vault: Vault, outcome: Outcome, *, stays: bool
) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    exchange.hold()
    exchange.close(outcome)
    assert (vault.get(Owner(), exchange.request_id) is not None) is stays


def test_a_closed_exchange_holds_nothing_new(keeping: Guard) -> None:
    exchange = begin(keeping, "I am Ada Roth")
    exchange.close()
    with pytest.raises(RestoreError, match="closed"):
        exchange.hold()


class TestConversation:
    """Several requests that the provider knows together."""

    def test_a_reply_may_speak_of_earlier_requests(self, keeping: Guard) -> None:
        first = begin(keeping, "I am Ada Roth")
        first.hold("resp_1")
        second = begin(keeping, "and I am Ben Kole", earlier=("resp_1",))
        assert second.restore(f"{first.outgoing} {second.outgoing}") == "I am Ada Roth and I am Ben Kole"
        second.hold("resp_2")
        third = begin(keeping, "who is older?", earlier=("resp_2",))
        assert third.restore(f"{first.outgoing} {second.outgoing}") == "I am Ada Roth and I am Ben Kole"

    def test_an_earlier_request_that_is_forgotten_is_left_out(self, keeping: Guard, sink: ListSink) -> None:
        first = begin(keeping, "I am Ada Roth")
        second = begin(keeping, "and I am Ben Kole", earlier=("resp_1",))
        assert second.restore(f"{first.outgoing} {second.outgoing}") == f"{first.outgoing} and I am Ben Kole"
        record = second.close()
        assert {event.cause for event in record.events} == {None, Cause.UNKNOWN}

    def test_turns_of_one_conversation_join_under_its_id(self, keeping: Guard) -> None:
        exchanges = [begin(keeping, text) for text in ("I am Ada Roth", "I am Ben Kole")]
        for exchange in exchanges:
            exchange.hold()
            exchange.bind("conv_1", join=True)
        reopened = keeping.reopen("conv_1")
        assert [reopened.restore(each.outgoing) for each in exchanges] == ["I am Ada Roth", "I am Ben Kole"]

    def test_an_id_that_an_earlier_request_gave_to_another_value_is_not_given_again(
        self, keeping: Guard, vault: Vault
    ) -> None:
        plain = begin(keeping, "I am Ada Roth")
        (taken,) = plain._life.table.entries
        other = begin(keeping, "I am Ben Kole")._life.table.entries
        (ben,) = other.values()
        for table in (
            RestoreTable(entries={taken: _renamed(ben, taken)}),
            RestoreTable(entries={}, literals=frozenset({taken})),
        ):
            vault.delete(Owner(), "resp_1")
            vault.put(Owner(), "resp_1", table)
            exchange = begin(keeping, "I am Ada Roth", earlier=("resp_1",))
            (given,) = (each for each, entry in exchange._life.table.entries.items() if entry.value == "Ada Roth")
            assert len(given) == len(taken) + 1
            assert exchange.restore(exchange.outgoing) == "I am Ada Roth"

    def test_an_id_with_two_values_is_never_restored_and_the_record_says_so(self, keeping: Guard, vault: Vault) -> None:
        exchange = begin(keeping, "I am Ada Roth")
        (entry,) = exchange._life.table.entries.values()
        vault.put(Owner(), "one", RestoreTable(entries={entry.placeholder_id: entry}))
        vault.put(Owner(), "two", RestoreTable(entries={entry.placeholder_id: _renamed(entry, value="Ben Kole")}))
        reopened = keeping.reopen("one", "two")
        for text in (exchange.outgoing, exchange.outgoing.lower()):
            assert reopened.restore(text) == text
        events = reopened.close().events
        assert {(event.event, event.cause) for event in events} == {(Event.UNRESTORED, Cause.AMBIGUOUS)}
        assert {event.match: event.count for event in events} == {Match.EXACT: 1, Match.TOLERANT: 1}


def _renamed(entry: Any, placeholder_id: str = "", *, value: str = "") -> Any:  # noqa: ANN401 - an entry of a table
    from dataclasses import replace

    return replace(entry, placeholder_id=placeholder_id or entry.placeholder_id, value=value or entry.value)


class _Broken:
    """A vault that fails with content."""

    def _fail(self, *_given: object, **_settings: object) -> Any:  # noqa: ANN401 - it never returns
        raise ValueError("Ada Roth")

    put = get = delete = purge = close = _fail


class TestFailing:
    """What cannot be kept is not sent, and what cannot be read is told."""

    def test_a_vault_that_fails_blocks_the_request_and_tells_no_content(
        self, make_guard: MakeGuard, sink: ListSink
    ) -> None:
        guard = make_guard(vault=_Broken())
        exchange = begin(guard, "I am Ada Roth")
        with pytest.raises(UnheldError, match=r"\(ValueError\); nothing was sent") as caught:
            exchange.hold()
        assert caught.value.__context__ is None
        exchange.close(Outcome.BLOCKED, caught.value)
        with pytest.raises(UnheldError):
            begin(guard, "I am Ada Roth", earlier=("resp_1",))
        assert [(record.outcome, record.error) for record in sink.records] == [(Outcome.BLOCKED, "UnheldError")] * 2

    def test_what_the_vault_says_is_passed_on(self, make_guard: MakeGuard) -> None:
        full = SealedVault(MemoryStore(limit=0), VaultKeys.random())
        with pytest.raises(UnheldError, match="in memory is full"):
            begin(make_guard(vault=full), "I am Ada Roth").hold()

    def test_without_a_vault_it_is_told_what_to_set(self, guard: Guard, sink: ListSink) -> None:
        exchange = begin(guard, "I am Ada Roth")
        for use in (exchange.hold, lambda: guard.reopen("resp_1"), lambda: begin(guard, "x", earlier=("resp_1",))):
            with pytest.raises(ConfigError, match="PRIVGUARD_VAULT"):
                use()

    def test_references_are_a_list(self, keeping: Guard) -> None:
        with pytest.raises(ConfigError, match="a list"):
            begin(keeping, "I am Ada Roth", earlier="resp_1")

    def test_what_has_expired_before_it_was_bound_is_told(self, keeping: Guard, vault: Vault) -> None:
        exchange = begin(keeping, "I am Ada Roth")
        vault.delete(Owner(), exchange.hold())
        with pytest.raises(UnknownReferenceError, match="hold it for longer"):
            exchange.bind("resp_1")


class TestOwners:
    """Nobody gets another's values."""

    def test_what_is_another_ones_is_not_there(self, keeping: Guard) -> None:
        exchange = begin(keeping, "I am Ada Roth", owner=ACME)
        exchange.hold("resp_1")
        for owner in (None, OTHER, Owner(tenant="acme"), Owner(scope="chat"), Owner(tenant="acme", scope="other")):
            with pytest.raises(UnknownReferenceError):
                keeping.reopen("resp_1", owner=owner)
            later = begin(keeping, "who is that?", earlier=("resp_1",), owner=owner)
            assert later.restore(exchange.outgoing) == exchange.outgoing
        assert keeping.reopen("resp_1", owner=ACME).restore(exchange.outgoing) == "I am Ada Roth"

    def test_a_guard_has_an_owner_of_its_own(self, make_guard: MakeGuard, vault: Vault) -> None:
        guards = {owner: make_guard(vault=vault, owner=owner) for owner in (ACME, OTHER)}
        exchange = begin(guards[ACME], "I am Ada Roth")
        exchange.hold("resp_1")
        assert guards[ACME].reopen("resp_1").restore(exchange.outgoing) == "I am Ada Roth"
        with pytest.raises(UnknownReferenceError):
            guards[OTHER].reopen("resp_1")
        exchange.bind("resp_2")
        assert guards[ACME].reopen("resp_2").restore(exchange.outgoing) == "I am Ada Roth"
        with pytest.raises(UnknownReferenceError):
            guards[OTHER].reopen("resp_2")


CANARIES = [f"Canary{first}{second}{third}" for first, second, third in itertools.product("abcdefgh", repeat=3)]


@pytest.fixture(params=["memory", "sqlite"])
def canary_guard(request: pytest.FixtureRequest, tmp_path: Path, make_guard: MakeGuard) -> Iterator[Guard]:
    """Return a guard that finds canaries, each of which is one person."""
    vault = open_vault("memory:" if request.param == "memory" else tmp_path / "vault.sqlite", KEY)
    yield make_guard(vault=vault, detector=FakeDetector(dict.fromkeys(CANARIES, EntityType.PERSON)))
    vault.close()


def life_of(guard: Guard, number: int) -> tuple[str, str]:
    """Run two turns of a conversation whose replies come later, and return what came back and what did not."""
    mine, second = CANARIES[number], CANARIES[(number + 100) % len(CANARIES)]
    owner = Owner(tenant=f"tenant-{number % 7}", scope=f"chat-{number}")
    first = begin(guard, f"I am {mine}", owner=owner)
    first.hold()
    first.bind("resp_1")  # the same id in every conversation
    first.close()
    then = begin(guard, f"and {second}", owner=owner, earlier=("resp_1",))
    then.hold()
    then.bind("resp_2")
    then.close()
    reopened = guard.reopen("resp_2", owner=owner)
    mixed = reopened.restore(f"{first.outgoing} {then.outgoing}")
    foreign = begin(guard, f"I am {CANARIES[(number + 7) % len(CANARIES)]}").outgoing
    left = reopened.restore(foreign)
    reopened.close()
    assert mixed == f"I am {mine} and {second}"
    return left, foreign


def test_threads_get_their_own_values_and_nobody_elses(canary_guard: Guard) -> None:
    with ThreadPoolExecutor(16) as pool:
        for left, foreign in pool.map(lambda number: life_of(canary_guard, number), range(64)):
            assert left == foreign


def test_two_event_loops_get_their_own_values_and_nobody_elses(canary_guard: Guard) -> None:
    async def many(start: int) -> list[tuple[str, str]]:
        return await asyncio.gather(
            *[asyncio.to_thread(life_of, canary_guard, number) for number in range(start, start + 24)]
        )

    with ThreadPoolExecutor(2) as pool:
        for results in pool.map(lambda start: asyncio.run(many(start)), (0, 200)):
            assert all(left == foreign for left, foreign in results)


PROGRAM = """
import sys
from privguard.core.entities import EntityType
from privguard.guard import Guard, Parts
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from privguard.vault import open_vault

path, key, stop = sys.argv[1:]


def wait(*_given, **_settings):
    print("reached", flush=True)
    sys.stdin.read()


vault = open_vault(path, key)
guard = Guard(
    Parts(
        detector=FakeDetector({"Ada Roth": EntityType.PERSON}),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=FakeProfiles(),
        sink=ListSink(),
        key=Key.random(),
        vault=vault,
    )
)
exchange = guard.begin(text_segments("I am Ada Roth"), target="m")
print(exchange.outgoing[0].text, flush=True)
print(exchange.hold(), flush=True)
if stop == "sent":
    wait()
if stop == "put":
    vault.put = wait
if stop == "delete":
    vault.delete = wait
exchange.bind("resp_1")
wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("stop", ["sent", "put", "delete", "bound"])
def test_a_process_that_is_killed_loses_nothing_that_is_still_needed(
    tmp_path: Path, make_guard: MakeGuard, stop: str
) -> None:
    path = tmp_path / "vault.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path), KEY, stop],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    outgoing, held, reached = (process.stdout.readline().strip() for _ in range(3))
    assert reached == "reached"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    vault = open_vault(path, KEY)
    guard = make_guard(vault=vault)
    found = [reference for reference in (held, "resp_1") if vault.get(Owner(), reference)]
    wanted = {"sent": [held], "put": [held], "delete": [held, "resp_1"], "bound": ["resp_1"]}
    assert found == wanted[stop]
    for reference in found:
        assert guard.reopen(reference).restore(outgoing) == "I am Ada Roth"
    if held in found:
        guard.reopen(held).bind("resp_1")  # what was interrupted is taken up
    assert guard.reopen("resp_1").restore(outgoing) == "I am Ada Roth"
    assert vault.get(Owner(), held) is None
    vault.close()
