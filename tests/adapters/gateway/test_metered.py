from collections.abc import Callable

import pytest

from privguard.core.audit import AuditRecord, Intent, Outcome
from privguard.core.errors import AuditError
from privguard.testing import FixedClock, ListSink
from privguard_adapters.gateway.metered import DOUBT_S, MeteredSink
from privguard_adapters.gateway.meters import Meters
from tests.adapters.gateway.test_meters import figure

RECORD = AuditRecord(
    request_id="r",
    at="",
    route="openai.embeddings",
    target="m",
    theta=0.0,
    target_provenance="",
    profile_id="",
    artifact_ids=(),
    outcome=Outcome.DONE,
)


class FailingSink(ListSink):
    failing = True

    def write(self, record: AuditRecord) -> None:
        if self.failing:
            raise AuditError("the disk is full")
        super().write(record)


def test_records_are_counted_and_passed_on() -> None:
    inner, meters = ListSink(), Meters()
    sink = MeteredSink(inner, meters)
    sink.write(RECORD)
    sink.close()
    assert inner.records == [RECORD]
    assert inner.closed
    assert figure(meters, "privguard_requests_total", outcome="done", route="openai.embeddings") == 1
    assert sink.is_healthy


def test_a_failure_is_raised_counted_and_remembered_for_a_while() -> None:
    inner, meters, clock = FailingSink(), Meters(), FixedClock()
    sink = MeteredSink(inner, meters, clock.monotonic)
    with pytest.raises(AuditError, match="disk"):
        sink.write(RECORD)
    assert not sink.is_healthy
    assert figure(meters, "privguard_audit_failures_total") == 1
    clock.seconds = DOUBT_S
    assert not sink.is_healthy
    clock.seconds = DOUBT_S + 1
    assert sink.is_healthy


def test_a_record_that_is_written_ends_the_doubt() -> None:
    inner = FailingSink()
    sink = MeteredSink(inner, Meters(), FixedClock().monotonic)
    with pytest.raises(AuditError):
        sink.write(RECORD)
    inner.failing = False
    sink.write(RECORD)
    assert sink.is_healthy


class Announced(ListSink):
    """A sink that wants to know of requests before they leave."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[Intent] = []
        self.failing = False

    def begin(self, intent: Intent) -> None:
        if self.failing:
            raise AuditError("the disk is full")
        self.begun.append(intent)


INTENT = Intent(request_id="r", at="", route="openai.embeddings", target="m")


def test_a_request_is_announced_where_the_sink_wants_to_know() -> None:
    inner = Announced()
    MeteredSink(inner, Meters()).begin(INTENT)
    assert inner.begun == [INTENT]
    MeteredSink(ListSink(), Meters()).begin(INTENT)


def test_a_request_that_cannot_be_announced_is_a_failure() -> None:
    inner, meters = Announced(), Meters()
    inner.failing = True
    sink = MeteredSink(inner, meters)
    with pytest.raises(AuditError, match="disk"):
        sink.begin(INTENT)
    assert not sink.is_healthy
    assert figure(meters, "privguard_audit_failures_total") == 1


class Waiting(ListSink):
    """A sink that writes later."""

    is_failing = False


class Behind(ListSink):
    """A sink before another one."""

    def __init__(self, sink: Waiting) -> None:
        super().__init__()
        self.sink = sink


@pytest.mark.parametrize("wrap", [lambda sink: sink, Behind], ids=["itself", "the one behind it"])
def test_a_sink_that_writes_later_says_how_it_is(wrap: Callable[[Waiting], ListSink]) -> None:
    waiting = Waiting()
    sink = MeteredSink(wrap(waiting), Meters())
    assert sink.is_healthy
    waiting.is_failing = True
    assert not sink.is_healthy
