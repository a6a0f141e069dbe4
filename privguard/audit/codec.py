"""Canonical JSON of an audit record, and the fixed syntax of each of its fields.

The guard never puts content into a record. This module does not rely on it: a field that does not look like the id,
the name or the path that it should be is replaced by `?`, which no field accepts, so that the mask is also the mark.
The record is kept: an odd model name must not cost the proof of what was done.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Match, Outcome, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.errors import AuditError
from privguard.core.placeholders import is_placeholder_id
from privguard.core.plan import Action, Reason
from privguard.core.targets import Provenance

MASK = "?"
VERSION = 1

# A name has a letter and is no e-mail address: a telephone number or an address in the place of a model is masked.
_NAME_TEXT = r"(?!.*@[A-Za-z0-9.-]+\.[A-Za-z]{2})(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._:/@+-]{1,200}"
_NAME = re.compile(_NAME_TEXT)
_ROUTE = re.compile(rf"(?:[A-Z]{{3,7}} )?{_NAME_TEXT}")
_STEP = r"(?:\$|\$?[a-z_][A-Za-z0-9_]{0,47}|\d{1,7})?(?:\[\d{1,7}\])*"
_PATH = re.compile(rf"{_STEP}(?:\.{_STEP})*")
_REQUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)")
_ERROR = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")
_STAGE = re.compile(r"[a-z][a-z0-9_]{0,39}")

_KINDS = frozenset(kind.value for kind in EntityType)
_ACTIONS = frozenset(action.name for action in Action) | frozenset(action.name.lower() for action in Action)
_REASONS = frozenset(reason.value for reason in Reason)
_PROVENANCES = frozenset(provenance.value for provenance in Provenance)
_LONGEST = 400  # code points of any field
_MOST = 2**31  # no length and no count is longer; a card number is

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
_E = TypeVar("_E", bound=StrEnum)


def encode(record: AuditRecord) -> bytes:
    """Write a record as canonical JSON, each field masked that breaks its syntax.

    Equal records give equal bytes; `encode(decode(encode(record))) == encode(record)`.
    """
    return _ENCODER.encode(_document(clean(record))).encode("ascii")


def decode(body: bytes) -> AuditRecord:
    """Read a record back, masking again: a file that someone else wrote is not trusted.

    Raises:
        AuditError: the bytes are no record of this version.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise AuditError(f"an audit row of {len(body)} bytes is not JSON") from None
    if not isinstance(document, dict):
        raise AuditError("an audit row is not a JSON object")
    if document.get("v") != VERSION:
        raise AuditError(f"an audit row is not of version {VERSION}: read it with the version that wrote it")
    try:
        return clean(_record(document))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise AuditError("an audit row lacks a field or has one of another type") from None


def clean(record: AuditRecord) -> AuditRecord:
    """Return the record as it is kept: odd fields masked, numbers rounded."""
    return AuditRecord(
        request_id=_match(_REQUEST, record.request_id),
        at=_match(_TIME, record.at),
        route=_match(_ROUTE, record.route),
        target=_match(_NAME, record.target),
        theta=_number(record.theta, 6),
        target_provenance=_one_of(_PROVENANCES, record.target_provenance),
        profile_id=_match(_NAME, record.profile_id),
        artifact_ids=tuple(_match(_NAME, artifact) for artifact in record.artifact_ids),
        outcome=_enum(Outcome, record.outcome),
        error=_match(_ERROR, record.error) if record.error else "",
        decisions=tuple(_clean_decision(decision) for decision in record.decisions),
        events=tuple(_clean_event(event) for event in record.events),
        stage_ms=None if record.stage_ms is None else _clean_stages(record.stage_ms),
    )


def _clean_decision(decision: DecisionRecord) -> DecisionRecord:
    return DecisionRecord(
        path=_path(decision.path),
        kind=_one_of(_KINDS, decision.kind),
        source=_match(_NAME, decision.source),
        action=_one_of(_ACTIONS, decision.action),
        reason=_one_of(_REASONS, decision.reason),
        length=_count(decision.length),
        p_survive=_number(decision.p_survive, 6),
        placeholder_id=_placeholder_id(decision.placeholder_id),
    )


def _clean_event(event: RestoreEvent) -> RestoreEvent:
    return replace(
        event,
        event=_enum(Event, event.event),
        path=_path(event.path),
        placeholder_id=_placeholder_id(event.placeholder_id),
        kind=_one_of(_KINDS, event.kind) if event.kind else "",
        match=None if event.match is None else _enum(Match, event.match),
        cause=None if event.cause is None else _enum(Cause, event.cause),
        count=_count(event.count),
    )


def _clean_stages(stages: Mapping[str, float]) -> dict[str, float]:
    kept: dict[str, float] = {}
    for stage, milliseconds in sorted(stages.items()):
        name = _match(_STAGE, stage)
        kept[name] = _number(kept.get(name, 0.0) + _number(milliseconds, 3), 3)
    return kept


def _match(pattern: re.Pattern[str], text: object) -> str:
    """Return the text when it has the syntax; `str` drops subclasses, an enum member becomes its value."""
    return str(text) if isinstance(text, str) and len(text) <= _LONGEST and pattern.fullmatch(text) else MASK


def _one_of(names: frozenset[str], text: object) -> str:
    return str(text) if isinstance(text, str) and text in names else MASK


def _path(path: object) -> str:
    return "" if path == "" else _match(_PATH, path)


def _placeholder_id(text: object) -> str:
    return str(text) if isinstance(text, str) and (text == "" or is_placeholder_id(text)) else MASK


def _number(number: object, digits: int) -> float:
    """Round a number; whatever is not a finite one becomes NaN, which is written as null."""
    if not isinstance(number, int | float) or isinstance(number, bool) or not math.isfinite(number):
        return math.nan
    return round(float(number), digits) + 0.0  # -0.0 and 0.0 are written alike


def _count(number: object) -> int:
    return int(number) if type(number) is int and 0 <= number < _MOST else -1


def _enum(kind: type[_E], value: str) -> _E:
    try:
        return kind(value)
    except ValueError:
        raise AuditError(f"an audit record holds an {kind.__name__} that there is not") from None


def _document(record: AuditRecord) -> dict[str, object]:
    return {
        "v": VERSION,
        "request_id": record.request_id,
        "at": record.at,
        "route": record.route,
        "target": record.target,
        "theta": _finite(record.theta),
        "target_provenance": record.target_provenance,
        "profile_id": record.profile_id,
        "artifact_ids": record.artifact_ids,
        "outcome": record.outcome,
        "error": record.error,
        "decisions": [
            {
                "path": decision.path,
                "kind": decision.kind,
                "source": decision.source,
                "action": decision.action,
                "reason": decision.reason,
                "length": decision.length,
                "p_survive": _finite(decision.p_survive),
                "placeholder_id": decision.placeholder_id,
            }
            for decision in record.decisions
        ],
        "events": [
            {
                "event": event.event,
                "path": event.path,
                "placeholder_id": event.placeholder_id,
                "kind": event.kind,
                "match": event.match,
                "cause": event.cause,
                "count": event.count,
            }
            for event in record.events
        ],
        "stage_ms": None
        if record.stage_ms is None
        else {stage: _finite(milliseconds) for stage, milliseconds in record.stage_ms.items()},
    }


def _finite(number: float) -> float | None:
    return None if math.isnan(number) else number


def _record(document: Mapping[str, Any]) -> AuditRecord:
    stages = document["stage_ms"]
    return AuditRecord(
        request_id=document["request_id"],
        at=document["at"],
        route=document["route"],
        target=document["target"],
        theta=document["theta"],
        target_provenance=document["target_provenance"],
        profile_id=document["profile_id"],
        artifact_ids=tuple(document["artifact_ids"]),
        outcome=Outcome(document["outcome"]),
        error=document["error"],
        decisions=tuple(
            DecisionRecord(
                path=row["path"],
                kind=row["kind"],
                source=row["source"],
                action=row["action"],
                reason=row["reason"],
                length=row["length"],
                p_survive=row["p_survive"],
                placeholder_id=row["placeholder_id"],
            )
            for row in document["decisions"]
        ),
        events=tuple(
            RestoreEvent(
                event=Event(row["event"]),
                path=row["path"],
                placeholder_id=row["placeholder_id"],
                kind=row["kind"],
                match=None if row["match"] is None else Match(row["match"]),
                cause=None if row["cause"] is None else Cause(row["cause"]),
                count=row["count"],
            )
            for row in document["events"]
        ),
        stage_ms=None if stages is None else dict(stages.items()),
    )
