"""The last exchange is seen from outside, and nothing of it lives longer than the exchange."""

import asyncio
import gc
import threading
from collections.abc import Callable
from weakref import ref

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import DetectionError, UnknownReferenceError
from privguard.core.segments import Segment
from privguard.guard import Exchange, Guard, Watch, expect_trace, last_trace, watched
from privguard.guard.shapes import text_segments
from privguard.guard.tracing import Trace
from privguard.testing import FailingDetector
from privguard.vault import open_vault

MakeGuard = Callable[..., Guard]
TEXT = "I am Ada Roth"


def begin(guard: Guard, text: str = TEXT) -> Exchange[tuple[Segment, ...]]:
    return guard.begin(text_segments(text), target="m")


def noted() -> Trace:
    trace = last_trace()
    assert trace is not None
    return trace


def told(trace: Trace) -> tuple[list[str], list[int]]:
    """Return the types of the decisions, and the counts of the events."""
    record = trace.record
    assert record is not None
    return [each.kind for each in record.decisions], [each.count for each in record.events]


def in_a_thread(work: Callable[[], object]) -> None:
    """Do something in a context of its own."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_an_open_exchange_is_seen_as_far_as_it_has_come(guard: Guard) -> None:
    exchange = begin(guard)
    trace = noted()
    assert (trace.ended, told(trace)) == (False, (["PERSON"], []))
    exchange.restore(exchange.outgoing[0].text)
    assert (trace.ended, told(trace)) == (False, (["PERSON"], [1]))
    record = exchange.close()
    assert (trace.ended, trace.record) == (True, record)


def test_a_trace_keeps_no_exchange_alive(guard: Guard) -> None:
    exchange = begin(guard)
    life, trace = ref(exchange._life), noted()
    del exchange
    gc.collect()
    assert life() is None
    assert (trace.ended, trace.record, trace.content) == (False, None, None)


def test_what_is_left_of_an_exchange_that_has_ended_holds_no_content(guard: Guard) -> None:
    exchange = begin(guard)
    outgoing = exchange.outgoing[0].text
    exchange.close()
    trace = noted()
    life = ref(exchange._life)
    del exchange
    gc.collect()
    assert life() is None
    assert "Roth" not in repr(trace.record)
    assert outgoing not in repr(trace.record)
    assert trace.content is None


def test_a_refused_request_is_the_last_one(make_guard: MakeGuard, guard: Guard) -> None:
    begin(guard).close()
    with pytest.raises(DetectionError):
        begin(make_guard(detector=FailingDetector()))
    record = noted().record
    assert record is not None
    assert (record.outcome, record.error) == (Outcome.BLOCKED, "DetectionError")


def test_another_thread_has_exchanges_of_its_own(guard: Guard) -> None:
    begin(guard).close()
    mine, theirs = noted(), []

    def work() -> None:
        theirs.append(last_trace())
        begin(guard).close()
        theirs.append(last_trace())

    in_a_thread(work)
    assert theirs[0] is None
    assert theirs[1] is not None
    assert noted() is mine


async def test_a_task_sees_what_a_thread_began_for_it_and_no_other_task_does(guard: Guard) -> None:
    async def ask(text: str) -> int:
        expect_trace()
        (await asyncio.to_thread(begin, guard, text)).close()
        await asyncio.sleep(0)
        return len(told(noted())[0])

    begin(guard, "x").close()
    mine = noted()
    found = await asyncio.gather(ask("Ada Roth, Ben Kole"), ask("Ada Roth"), ask("x"))
    assert list(found) == [2, 1, 0]
    assert noted() is mine


def test_a_watch_sees_all_threads_and_keeps_content_only_where_it_is_asked(guard: Guard) -> None:
    watch = Watch()

    def work() -> None:
        with watched(watch):
            begin(guard).close()

    in_a_thread(work)
    assert watch.trace is not None
    assert [watch.trace.content] == [None]
    watch.keeps = True
    in_a_thread(work)
    first: Trace = watch.trace
    assert first.content is not None
    assert [segment.text for segment in first.content.given] == [TEXT]
    assert "Roth" not in first.content.sent[0].text
    assert "Roth" not in repr(first.content)
    in_a_thread(work)
    assert [trace.content is None for trace in (first, watch.trace)] == [True, False]
    watch.forget()
    assert [trace.content for trace in (first, watch.trace)] == [None, None]
    in_a_thread(work)
    assert [watch.trace.content] == [None]


def test_a_reopened_exchange_is_the_last_one(make_guard: MakeGuard) -> None:
    guard = make_guard(vault=open_vault("memory:"))
    exchange = begin(guard)
    reference = exchange.hold()
    exchange.close()
    reopened = guard.reopen(reference, route="openai.responses")
    reopened.restore(exchange.outgoing[0].text)
    assert told(noted()) == ([], [1])
    reopened.close()
    assert noted().record is not None
    with pytest.raises(UnknownReferenceError):
        guard.reopen("not there")
    assert [trace.record.error for trace in [noted()] if trace.record is not None] == ["UnknownReferenceError"]
