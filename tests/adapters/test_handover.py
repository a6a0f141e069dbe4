import asyncio
import threading
from contextvars import ContextVar

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import RestoreError, UnprotectedRouteError
from privguard.core.profile import OnReply, Profile
from privguard_adapters import handover
from privguard_adapters.call import HttpRequest
from privguard_adapters.gate import Gate
from privguard_adapters.handover import drop_in_thread, open_in_thread, restore_beside_loop
from tests.adapters.fake_guard import FakeGuard

REQUEST = HttpRequest(
    method="POST",
    url="https://api.example/v1/completions",
    headers=((b"content-type", b"application/json"),),
    body=b'{"model": "m", "prompt": "Ada Roth"}',
)
PROFILE: ContextVar[str] = ContextVar("PROFILE", default="none")


def gate(guard: FakeGuard) -> Gate:
    return Gate(guard, lambda: "https://api.example/v1/")


async def test_the_call_is_opened_in_another_thread_with_the_context_of_the_task() -> None:
    seen: list[tuple[str, bool]] = []

    class Looking(FakeGuard):
        def scan(self, text: str, *, key: str = "") -> bool:
            seen.append((PROFILE.get(), threading.current_thread() is threading.main_thread()))
            return False

    PROFILE.set("strict")
    guard = Looking()
    call = await open_in_thread(gate(guard), REQUEST)
    assert b"Ada" not in call.request.body
    assert seen == [("strict", False)]
    assert guard.outcomes == [None]


async def test_a_refusal_reaches_the_task() -> None:
    request = HttpRequest(method="POST", url="https://api.example/v1/uploads", headers=(), body=b"")
    with pytest.raises(UnprotectedRouteError):
        await open_in_thread(gate(FakeGuard()), request)


async def test_what_a_cancelled_task_no_longer_takes_is_left() -> None:
    started, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    class Slow(FakeGuard):
        def scan(self, text: str, *, key: str = "") -> bool:
            started.set()
            go_on.wait()
            return False

        def ended(self) -> None:
            ended.set()

    guard = Slow()
    task = asyncio.create_task(open_in_thread(gate(guard), REQUEST))
    await asyncio.to_thread(started.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await asyncio.to_thread(ended.wait)
    assert guard.outcomes == [Outcome.ABANDONED]


def test_a_call_that_nobody_waits_for_is_closed_at_once() -> None:
    guard = FakeGuard()
    call = gate(guard).open(REQUEST)
    drop_in_thread(call)
    assert guard.outcomes == [Outcome.ABANDONED]
    drop_in_thread(call)


def test_closing_waits_for_no_lock_that_this_thread_holds() -> None:
    lock, closed = threading.Lock(), threading.Event()

    class Locked(FakeGuard):
        def ended(self) -> None:
            with lock:
                closed.set()

    guard = Locked()
    call = gate(guard).open(REQUEST)
    with lock:
        drop_in_thread(call)
        assert not closed.is_set()
    assert closed.wait(60)


def test_a_call_is_closed_where_no_thread_starts_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread at interpreter shutdown")

    monkeypatch.setattr(handover, "start_new_thread", refuse)
    guard = FakeGuard()
    drop_in_thread(gate(guard).open(REQUEST))
    assert guard.outcomes == [Outcome.ABANDONED]


async def test_a_reply_that_a_detector_reads_is_restored_in_another_thread() -> None:
    seen: list[bool] = []

    def restore() -> bytes:
        seen.append(threading.current_thread() is threading.main_thread())
        return b"restored"

    for on_reply in OnReply:
        guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, on_reply=on_reply))
        call = await open_in_thread(gate(guard), REQUEST)
        assert await restore_beside_loop(call, restore) == b"restored"
    assert seen == [True, False, False]


async def test_a_reply_that_cannot_be_searched_is_an_error_of_the_task() -> None:
    def fail() -> bytes:
        raise RestoreError("not searched")

    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, on_reply=OnReply.REDACT))
    call = await open_in_thread(gate(guard), REQUEST)
    with pytest.raises(RestoreError, match="not searched"):
        await restore_beside_loop(call, fail)
