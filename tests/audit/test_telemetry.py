"""What OpenTelemetry is told of a request, beside its record: numbers and names, and no content."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, NumberDataPoint
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, get_tracer

from privguard.audit.memory import MemorySink, NullSink
from privguard.audit.telemetry import MODELS, OTHER_MODELS, TelemetrySink, operation, span_attributes
from privguard.core.audit import AuditRecord, Event, Intent, Outcome, RestoreEvent
from privguard.core.errors import AuditError
from privguard.core.protocols import AuditSink

Make = Callable[..., AuditRecord]
MODEL = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5-mini"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An SDK that keeps what it is told."""

    spans: InMemorySpanExporter
    reader: InMemoryMetricReader
    tracers: TracerProvider
    meters: MeterProvider

    def observe(self, sink: AuditSink) -> TelemetrySink:
        """Return a sink that tells this SDK."""
        return TelemetrySink(sink, tracer_provider=self.tracers, meter_provider=self.meters)

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """Return attributes and value of each point of a metric: the count of a histogram, with its sum."""
        data = self.reader.get_metrics_data()
        metrics = [
            metric
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
        ]
        return [
            (
                dict(point.attributes or {}),
                point.value if isinstance(point, NumberDataPoint) else (point.count, point.sum),
            )
            for metric in metrics
            for point in metric.data.data_points
        ]


@pytest.fixture
def told() -> Iterator[Told]:
    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers, meters = TracerProvider(), MeterProvider(metric_readers=[reader])
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    yield Told(spans=spans, reader=reader, tracers=tracers, meters=meters)
    tracers.shutdown()
    meters.shutdown()


def intent_of(record: AuditRecord) -> Intent:
    """Return what is known of a request before it leaves."""
    return Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target)


def test_a_span_lasts_from_the_beginning_to_the_record_below_the_span_of_the_caller(
    told: Told, record: AuditRecord
) -> None:
    inner = MemorySink()
    sink = told.observe(inner)
    with told.tracers.get_tracer("app").start_as_current_span("app") as outer:
        sink.begin(intent_of(record))
    thread = threading.Thread(target=sink.write, args=(record,))
    thread.start()
    thread.join()
    sink.close()
    assert inner.records == (record,)
    span = told.spans.get_finished_spans()[-1]
    assert (span.name, span.status.status_code) == ("privguard chat.completions", StatusCode.UNSET)
    assert span.parent is not None
    assert span.parent.span_id == outer.get_span_context().span_id
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.start_time <= span.end_time
    assert dict(span.attributes or {}) == {
        **MODEL,
        "privguard.request_id": "r0000",
        "privguard.route": "chat.completions",
        "privguard.profile": "default:1f2e3d",
        "privguard.outcome": "done",
        "privguard.values.retained": 1,
        "privguard.values.abstracted": 0,
        "privguard.values.redacted": 1,
        "privguard.events.restored": 2,
        "privguard.events.unrestored": 0,
        "privguard.events.refused": 1,
        "privguard.events.flagged": 0,
        "privguard.events.redacted": 0,
    }


def test_counts_and_times_are_metrics(told: Told, make_record: Make) -> None:
    sink = told.observe(NullSink())
    for number in range(3):
        sink.write(make_record(number))
    assert told.points("privguard.requests") == [({**MODEL, "privguard.outcome": "done"}, 3)]
    values = told.points("privguard.values")
    assert ({**MODEL, "privguard.action": "redacted", "privguard.type": "PERSON"}, 3) in values
    assert ({**MODEL, "privguard.action": "retained", "privguard.type": "LOCATION"}, 3) in values
    events = told.points("privguard.events")
    restored = {"privguard.event": "restored", "privguard.type": "PERSON", "privguard.match": "exact"}
    refused = {"privguard.event": "refused", "privguard.type": "PERSON", "privguard.cause": "url"}
    assert ({**MODEL, **restored}, 6) in events
    assert ({**MODEL, **refused}, 3) in events
    stages = told.points("privguard.stage.duration")
    assert ({**MODEL, "privguard.stage": "detect"}, (3, pytest.approx(0.0045))) in stages
    assert [len(values), len(events), len(stages)] == [2, 2, 2]


@pytest.mark.parametrize("outcome", Outcome)
def test_a_request_that_was_blocked_or_failed_is_an_error_and_nothing_of_a_blocked_one_left(
    told: Told, make_record: Make, outcome: Outcome
) -> None:
    failed = outcome in {Outcome.BLOCKED, Outcome.FAILED}
    record = replace(make_record(outcome=outcome), error="DetectionError" if failed else "")
    told.observe(NullSink()).write(record)
    (span,) = told.spans.get_finished_spans()
    attributes = span.attributes or {}
    assert (span.status.status_code is StatusCode.ERROR) == failed
    assert attributes.get("error.type") == ("DetectionError" if failed else None)
    assert attributes["privguard.values.redacted"] == (0 if outcome is Outcome.BLOCKED else 1)
    assert len(told.points("privguard.values")) == (0 if outcome is Outcome.BLOCKED else 2)


def test_no_content_is_told_whatever_the_record_holds(
    told: Told, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    sink = told.observe(MemorySink())
    sink.begin(intent_of(hostile_record))
    event = RestoreEvent(event=Event.RESTORED, path="Ada", placeholder_id="Ada", kind="Ada", count=-7)
    sink.write(replace(hostile_record, events=(*hostile_record.events, event)))
    (span,) = told.spans.get_finished_spans()
    data = told.reader.get_metrics_data()
    assert data is not None
    assert find_marks(span.to_json() + data.to_json()) == []
    assert span.name == "privguard request"


class Failing(MemorySink):
    """A sink that keeps nothing, or lets nothing go."""

    def begin(self, intent: Intent) -> None:
        raise AuditError("no room")

    def write(self, record: AuditRecord) -> None:
        raise AuditError("no room")


def test_what_the_sink_says_is_passed_on_and_the_request_is_told_of(told: Told, record: AuditRecord) -> None:
    sink = told.observe(Failing())
    assert isinstance(sink.sink, Failing)
    with pytest.raises(AuditError, match="no room"):
        sink.begin(intent_of(record))
    with pytest.raises(AuditError, match="no room"):
        sink.write(record)
    assert len(told.spans.get_finished_spans()) == 1


def test_telemetry_that_fails_costs_neither_request_nor_record(
    told: Told, record: AuditRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = MemorySink()
    sink = told.observe(inner)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the exporter is broken")

    monkeypatch.setattr(sink, "_note", fail)
    monkeypatch.setattr(sink, "_tell", fail)
    sink.begin(intent_of(record))
    sink.write(record)
    assert inner.last == record
    odd = replace(record, outcome="Ada Roth")  # type: ignore[arg-type]
    with pytest.raises(AuditError):
        sink.write(odd)


def test_models_without_end_are_one_in_metrics(told: Told, record: AuditRecord) -> None:
    sink = told.observe(NullSink())
    for number in range(MODELS + 5):
        sink.write(replace(record, target=f"m{number}"))
    models = {attributes["gen_ai.request.model"]: count for attributes, count in told.points("privguard.requests")}
    assert len(models) == MODELS + 1
    assert models[OTHER_MODELS] == 5


def test_requests_that_never_end_are_forgotten(
    told: Told, record: AuditRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privguard.audit.telemetry._MOST_OPEN", 3)
    sink = told.observe(NullSink())
    for number in range(9):
        sink.begin(replace_id(intent_of(record), number))
    assert sorted(sink._begun) == ["r6", "r7", "r8"]
    sink.write(replace(record, request_id="r8"))
    assert sorted(sink._begun) == ["r6", "r7"]


def replace_id(intent: Intent, number: int) -> Intent:
    """Return an intent of another request."""
    return replace(intent, request_id=f"r{number}")


def test_without_an_sdk_nothing_is_told_and_nothing_fails(record: AuditRecord) -> None:
    inner = MemorySink()
    sink = TelemetrySink(inner)
    sink.begin(intent_of(record))
    sink.write(record)
    sink.close()
    assert inner.last == record
    assert not get_tracer("x").start_span("x").is_recording()


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("openai.chat.completions", "chat"),
        ("chat.completions", "chat"),
        ("openai.completions", "text_completion"),
        ("openai.embeddings", "embeddings"),
        ("by-hand", ""),
        ("?", ""),
    ],
    ids=range(6),
)
def test_operations_are_those_of_the_conventions(record: AuditRecord, route: str, name: str) -> None:
    assert operation(route) == name
    assert ("gen_ai.operation.name" in span_attributes(replace(record, route=route))) == bool(name)
