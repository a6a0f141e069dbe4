"""Fakes of every part of the pipeline, for tests that need no detector, no model and no file."""

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from privguard.core.audit import AuditRecord
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Need
from privguard.core.profile import Profile
from privguard.core.protocols import Rung
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.core.targets import Provenance, TargetModel


class FakeDetector:
    """Find literal values, every time they stand in a segment, in exactly this letter case."""

    id = "fake-detector/1"

    def __init__(self, values: Mapping[str, EntityType]) -> None:
        if "" in values:
            raise ValueError("an empty value stands everywhere")
        self._values = dict(values)

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment, sorted; they overlap where the values do."""
        return tuple(tuple(sorted(self._found(segment.text), key=_place)) for segment in segments)

    def _found(self, text: str) -> list[Span]:
        spans = []
        for value, kind in self._values.items():
            start = text.find(value)
            while start >= 0:
                end = start + len(value)
                spans.append(Span(start=start, end=end, kind=kind, score=1.0, source="fake"))
                start = text.find(value, end)
        return spans


class FailingDetector:
    """Raise, always: nothing may be sent."""

    id = "failing-detector/1"

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error or RuntimeError("the detector failed")

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:  # noqa: ARG002 - of the protocol
        """Raise the error."""
        raise self._error


class FakeNeed:
    """Give every span the same difficulties, or those of its type."""

    id = "fake-need/1"

    def __init__(
        self, *, b_redact: float = 0.0, b_abstract: float = 0.0, by_kind: Mapping[EntityType, Need] | None = None
    ) -> None:
        self._default = Need(b_redact=b_redact, b_abstract=b_abstract)
        self._by_kind = dict(by_kind or {})

    def need(
        self,
        segments: Sequence[Segment],  # noqa: ARG002 - of the protocol
        spans: Sequence[Sequence[Span]],
    ) -> tuple[tuple[Need, ...], ...]:
        """Return one `Need` per span, in the shape of `spans`."""
        return tuple(tuple(self._by_kind.get(span.kind, self._default) for span in row) for row in spans)


class FakeAbstractor:
    """Generalise the values that it was given; every other one becomes the noun of its type."""

    id = "fake-ladder/1"

    def __init__(self, rungs: Mapping[str, str] | None = None) -> None:
        self._rungs = dict(rungs or {})

    def abstract(self, kind: EntityType, value: str, forbidden: Collection[str] = ()) -> Rung:
        """Return the given phrase, or the noun where it names the value or one of `forbidden`."""
        phrase = self._rungs.get(value, kind.noun)
        named = any(term and term.casefold() in phrase.casefold() for term in (value, *forbidden))
        return Rung(phrase=kind.noun if named else phrase)

    def is_rung(self, kind: EntityType, phrase: str) -> bool:
        """Tell whether it is one of the given phrases or the noun."""
        return phrase == kind.noun or phrase in self._rungs.values()


class FakeProfiles:
    """Resolve every target to one profile and one capability; by name only the profiles that were given."""

    def __init__(self, *profiles: Profile, theta: float = 0.0, provenance: Provenance = Provenance.CONFIGURED) -> None:
        self._profiles = profiles or (Profile(id="fake:1", name="fake", gamma=0.5),)
        self._theta = theta
        self._provenance = provenance

    def resolve(self, target: str, profile: str | None = None) -> tuple[Profile, TargetModel]:
        """Return the first profile, or the one of that name."""
        found = next((each for each in self._profiles if profile in {None, each.name}), None)
        if found is None:
            raise ConfigError("no profile has that name")
        return found, TargetModel(name=target, theta=self._theta, provenance=self._provenance, pattern="*")


@dataclass(slots=True)
class FixedClock:
    """Tell a fixed time, until it is moved."""

    at: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    seconds: float = 0.0  # the monotonic reading

    def __call__(self) -> datetime:
        """Return the wall time."""
        return self.at

    def monotonic(self) -> float:
        """Return the seconds since the start."""
        return self.seconds


@dataclass(slots=True)
class ListSink:
    """Keep audit records in a list."""

    records: list[AuditRecord] = field(default_factory=list)
    closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        with self._lock:
            self.records.append(record)

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
