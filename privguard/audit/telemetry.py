"""Spans and metrics of OpenTelemetry beside the audit log: what a record says in numbers and names, and no content.

Only the API is used: where they go, and whether anywhere, is up to the SDK that the application has set up.
"""

import time
from collections import Counter, OrderedDict
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING

from privguard.audit.codec import MASK, clean
from privguard.core.audit import AuditRecord, Event, Intent, Outcome
from privguard.core.errors import ConfigError
from privguard.core.plan import Action
from privguard.core.protocols import AuditSink

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    Attributes = dict[str, str | int | float]

SCOPE = "privguard"
OTHER_MODELS = "_OTHER"
MODELS = 100  # that metrics tell apart

_MOST_OPEN = 4096  # requests whose beginning is kept
_SECOND_NS = 1_000_000_000
_OPERATIONS = {"chat.completions": "chat", "completions": "text_completion", "embeddings": "embeddings"}
_ACTIONS = {Action.RETAIN: "retained", Action.ABSTRACT: "abstracted", Action.REDACT: "redacted"}
_EVENT_NAMES = ("privguard.event", "privguard.type", "privguard.match", "privguard.cause")
_BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class TelemetrySink:
    """Pass everything on to a sink, and tell OpenTelemetry of each request that has ended.

    A span lasts from when the request was about to leave until its record is written, below the span in which it
    began. What goes wrong with telemetry concerns neither the request nor its record.

    Args:
        sink: what keeps the records.
        tracer_provider: default: the one of the process.
        meter_provider: likewise.

    Raises:
        ConfigError: the extra `otel` is missing.
    """

    def __init__(
        self,
        sink: AuditSink,
        *,
        tracer_provider: "TracerProvider | None" = None,
        meter_provider: "MeterProvider | None" = None,
    ) -> None:
        try:
            from opentelemetry import metrics, trace
        except ImportError:
            raise ConfigError("telemetry needs an extra: pip install 'privguard[otel]'") from None
        self._sink = sink
        self._tracer = trace.get_tracer(SCOPE, tracer_provider=tracer_provider)
        meter = metrics.get_meter(SCOPE, meter_provider=meter_provider)
        self._requests = meter.create_counter(
            "privguard.requests", unit="{request}", description="Requests that ended."
        )
        self._values = meter.create_counter(
            "privguard.values", unit="{value}", description="Values that were found in requests that were sent."
        )
        self._events = meter.create_counter(
            "privguard.events", unit="{event}", description="Placeholders and values of the model's own in replies."
        )
        self._stages = meter.create_histogram(
            "privguard.stage.duration",
            unit="s",
            description="Time of a stage of one request.",
            explicit_bucket_boundaries_advisory=_BOUNDS_S,
        )
        self._lock = Lock()
        self._begun: OrderedDict[str, tuple[Context, int]] = OrderedDict()
        self._models: set[str] = set()

    @property
    def sink(self) -> AuditSink:
        """Return what keeps the records."""
        return self._sink

    def begin(self, intent: Intent) -> None:
        """Pass on that a request is about to leave.

        Raises:
            AuditError: the request cannot be recorded, and must be.
        """
        with suppress(Exception):
            self._note(intent)
        begin = getattr(self._sink, "begin", None)
        if begin is not None:
            begin(intent)

    def write(self, record: AuditRecord) -> None:
        """Pass a record on, and tell of it.

        Raises:
            AuditError: it could not be written.
        """
        try:
            self._sink.write(record)
        finally:
            with suppress(Exception):
                self._tell(clean(record), self._taken(record.request_id))

    def close(self) -> None:
        """Close the sink. Spans and metrics are the SDK's to flush."""
        self._sink.close()

    def _note(self, intent: Intent) -> None:
        from opentelemetry import context

        with self._lock:
            self._begun[intent.request_id] = (context.get_current(), time.time_ns())
            while len(self._begun) > _MOST_OPEN:
                self._begun.popitem(last=False)

    def _taken(self, request_id: str) -> "tuple[Context, int] | None":
        with self._lock:
            return self._begun.pop(request_id, None)

    def _tell(self, record: AuditRecord, begun: "tuple[Context, int] | None") -> None:
        from opentelemetry.trace import Status, StatusCode

        ended_ns = time.time_ns()
        parent, started_ns = begun or (None, min(_nanoseconds(record.at), ended_ns))
        span = self._tracer.start_span(
            f"privguard {_told(record.route) or 'request'}",
            context=parent,
            start_time=started_ns,
            attributes=span_attributes(record),
        )
        if record.outcome in {Outcome.BLOCKED, Outcome.FAILED}:
            span.set_status(Status(StatusCode.ERROR))
        span.end(ended_ns)
        self._count(record)

    def _count(self, record: AuditRecord) -> None:
        model = self._bounded(record.target)
        common = _filled({"gen_ai.operation.name": operation(record.route), "gen_ai.request.model": model})
        ending = _filled({"privguard.outcome": record.outcome.value, "error.type": record.error})
        self._requests.add(1, {**common, **ending})
        for (action, kind), count in _values(record).items():
            self._values.add(count, {**common, **_filled({"privguard.action": action, "privguard.type": kind})})
        for names, count in _events(record).items():
            self._events.add(count, {**common, **_filled(dict(zip(_EVENT_NAMES, names, strict=True)))})
        for stage, milliseconds in (record.stage_ms or {}).items():
            if milliseconds >= 0:
                self._stages.record(milliseconds / 1000, {**common, **_filled({"privguard.stage": stage})})

    def _bounded(self, model: str) -> str:
        """Return the model, or one name for all that come late: a caller may choose it."""
        with self._lock:
            if model not in self._models and len(self._models) >= MODELS:
                return OTHER_MODELS
            self._models.add(model)
            return model


def span_attributes(record: AuditRecord) -> "Attributes":
    """Return what the span of a request says, of a record that is masked already."""
    names = {
        "gen_ai.operation.name": operation(record.route),
        "gen_ai.request.model": record.target,
        "privguard.request_id": record.request_id,
        "privguard.route": record.route,
        "privguard.profile": record.profile_id,
        "privguard.outcome": record.outcome.value,
        "error.type": record.error,
    }
    actions: Counter[str] = Counter()
    for (action, _), count in _values(record).items():
        actions[action] += count
    events: Counter[Event] = Counter()
    for event in record.events:
        events[event.event] += max(event.count, 0)
    return {
        **_filled(names),
        **{f"privguard.values.{action}": actions[action] for action in _ACTIONS.values()},
        **{f"privguard.events.{event.value}": events[event] for event in Event},
    }


def operation(route: str) -> str:
    """Return what the conventions for generative AI call the operation of a route, "" where they have no name."""
    name = _told(route)
    return next((found for ending, found in _OPERATIONS.items() if name == ending or name.endswith(f".{ending}")), "")


def _values(record: AuditRecord) -> Counter[tuple[str, str]]:
    """Count values by action and type. Nothing of a blocked request was sent."""
    if record.outcome is Outcome.BLOCKED:
        return Counter()
    names = {action.name: name for action, name in _ACTIONS.items()}
    return Counter((names.get(each.action.upper(), ""), each.kind) for each in record.decisions)


def _events(record: AuditRecord) -> Counter[tuple[str, ...]]:
    """Count events by what they were, type, match and cause."""
    found: Counter[tuple[str, ...]] = Counter()
    for event in record.events:
        found[event.event.value, event.kind, event.match or "", event.cause or ""] += max(event.count, 0)
    return found


def _told(name: str) -> str:
    return "" if name == MASK else name


def _filled(names: dict[str, str]) -> "Attributes":
    """Return the names that are there."""
    return {key: str(name) for key, name in names.items() if _told(name)}


def _nanoseconds(at: str) -> int:
    try:
        return int(datetime.fromisoformat(at).timestamp() * _SECOND_NS)
    except ValueError:
        return time.time_ns()
