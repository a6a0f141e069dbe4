import pytest

from privguard.core.audit import AuditRecord, Outcome
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
