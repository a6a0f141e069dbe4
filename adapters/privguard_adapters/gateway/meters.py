"""What the gateway counts and times, for Prometheus. Every label is one of a closed list: none holds content."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from privguard.core import errors
from privguard.core.audit import AuditRecord, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import PrivguardError

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
OTHER = "other"

_ERRORS = frozenset(
    name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, PrivguardError)
)
_KINDS = frozenset(kind.value for kind in EntityType)
_ROUTES = frozenset({"openai.chat.completions", "openai.completions", "openai.embeddings", "openai.models"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_STAGES = ("detect", "need", "render")


class Meters:
    """The figures of one gateway, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "privguard_requests", "Audit records, by route and outcome", ("route", "outcome"), registry=registry
        )
        self._refused = Counter(
            "privguard_refused_requests", "Requests refused before anything was sent", ("route", "error"),
            registry=registry,
        )  # fmt: skip
        self._spans = Counter(
            "privguard_spans", "Sensitive spans in requests, by type and action", ("kind", "action"), registry=registry
        )
        self._placeholders = Counter(
            "privguard_placeholders", "Placeholders in replies, by what was done with them and why",
            ("route", "event", "cause"), registry=registry,
        )  # fmt: skip
        self._audit_failures = Counter("privguard_audit_failures", "Records that were not written", registry=registry)
        self._responses = Counter(
            "privguard_responses", "Replies to callers, by route and status", ("route", "status"), registry=registry
        )
        self._left = Counter(
            "privguard_callers_left", "Callers that hung up before the end", ("route",), registry=registry
        )
        self._open = Gauge("privguard_open_requests", "Requests that are being served", registry=registry)
        self._protect = _histogram("privguard_protect_seconds", "From the whole request to what leaves", registry)
        self._first = _histogram("privguard_first_byte_seconds", "From the first byte in to the first out", registry)
        self._whole = _histogram("privguard_request_seconds", "From the first byte in to the last out", registry)

    def text(self) -> bytes:
        """Return all figures in the text format of Prometheus."""
        return generate_latest(self._registry)

    def note_record(self, record: AuditRecord) -> None:
        """Count what an audit record tells."""
        route = record.route if record.route in _ROUTES else OTHER
        self._requests.labels(route, record.outcome.value).inc()
        if record.outcome is Outcome.BLOCKED:
            self._refused.labels(route, record.error if record.error in _ERRORS else OTHER).inc()
        for decision in record.decisions:
            self._spans.labels(decision.kind if decision.kind in _KINDS else OTHER, decision.action).inc()
        for event in record.events:
            cause = event.cause.value if event.cause is not None else ""
            self._placeholders.labels(route, event.event.value, cause).inc(event.count)
        if record.decisions or record.outcome is not Outcome.BLOCKED:
            self._protect.labels(route).observe(_protect_s(record.stage_ms or {}))

    def note_audit_failure(self) -> None:
        """Count a record that could not be written."""
        self._audit_failures.inc()

    def begin(self) -> None:
        """Count a request in."""
        self._open.inc()

    def end(self, route: str, *, status: int, left: bool, first_s: float | None, whole_s: float) -> None:
        """Count a request out.

        Args:
            route: its label.
            status: that of the reply, 0 where none was begun.
            left: whether the caller hung up.
            first_s: seconds from the beginning to the first byte of the reply's body, None where none came.
            whole_s: seconds from the beginning to the end.
        """
        self._open.dec()
        if status:
            self._responses.labels(route, str(status)).inc()
        if left:
            self._left.labels(route).inc()
        if first_s is not None:
            self._first.labels(route).observe(first_s)
        self._whole.labels(route).observe(whole_s)


def _histogram(name: str, told: str, registry: CollectorRegistry) -> Histogram:
    return Histogram(name, told, ("route",), registry=registry, buckets=_SECONDS)


def _protect_s(stage_ms: Mapping[str, float]) -> float:
    return sum(stage_ms.get(stage, 0.0) for stage in _STAGES) / 1000
