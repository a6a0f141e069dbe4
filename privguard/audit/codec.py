"""Canonical JSON of an audit record, and the fixed syntax of each of its fields.

The guard never puts content into a record. This module does not rely on it: a field that does not look like the id,
the name or the path that it should be is replaced by `?`, which no field accepts, so that the mask is also the mark.
The record is kept: an odd model name must not cost the proof of what was done.
"""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Any

from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Intent, Match, Outcome, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.errors import AuditError
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import ALPHABET, MAX_ID, MIN_ID
from privguard.core.plan import Action, Reason
from privguard.core.targets import Provenance

MASK = "?"
VERSION = 2
FIRST_VERSION = 1  # its events have no length

# A name has a letter and is no e-mail address: a telephone number or an address in the place of a model is masked.
_NAME = lazy_pattern(r"[0-9._:/@+-]*[A-Za-z][A-Za-z0-9._:/@+-]*")
_ADDRESS = lazy_pattern(r"@[A-Za-z0-9.-]+\.[A-Za-z]{2}")
_VERB = lazy_pattern(r"(?:[A-Z]{3,7}|\{method\}) ")  # `{method}` stands for one that the caller made up
_ID_STEP = "{id}"  # in a route, for what a caller chose
# A field name of an API, `$` for a document in a string, `{3}` and `{3}#key` for a key that the caller chose.
_STEP = r"(?:\$|\$?[a-z_][A-Za-z0-9_]{0,47}|\{\d{1,7}\}|\d{1,7})?(?:\[\d{1,7}\])*"
_PATH = lazy_pattern(rf"{_STEP}(?:\.{_STEP})*(?:#key)?")
# `is_placeholder_id` as one pattern: a record has many ids, and the caller waits.
_ID = lazy_pattern(rf"(?=.*\d)(?=.*[A-Z])[{ALPHABET}]{{{MIN_ID},{MAX_ID}}}")
_REQUEST = lazy_pattern(r"[A-Za-z0-9_-]{1,64}")
_TIME = lazy_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)")
_ERROR = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]{0,79}")
_STAGE = lazy_pattern(r"[a-z][a-z0-9_]{0,39}")

_KINDS = frozenset(kind.value for kind in EntityType)
_ACTIONS = frozenset(action.name for action in Action) | frozenset(action.name.lower() for action in Action)
_REASONS = frozenset(reason.value for reason in Reason)
_PROVENANCES = frozenset(provenance.value for provenance in Provenance)
_LONGEST_NAME = 200  # code points
_LONGEST = 400  # code points of any other field
_LARGEST = 1e15  # of a capability, a probability or a time
_MOST = 2**31  # no length and no count is longer; a card number is

_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def encode(record: AuditRecord) -> bytes:
    """Write a record as canonical JSON, each field masked that breaks its syntax.

    Equal records give equal bytes; `encode(decode(encode(record))) == encode(record)`.
    """
    return _ENCODER.encode(_document(record)).encode("ascii")


def decode(body: bytes) -> AuditRecord:
    """Read a record back, masking again: a file that someone else wrote is not trusted.

    Raises:
        AuditError: the bytes are no record of this version or an earlier one.
    """
    # Errors are raised where no other is handled: a row that somebody else wrote may hold anything, and the context of
    # an exception keeps it reachable.
    document = _json(body)
    if document is None:
        raise AuditError(f"an audit row of {len(body)} bytes is not JSON")
    if not isinstance(document, dict):
        raise AuditError("an audit row is not a JSON object")
    version = document.get("v")
    if type(version) is not int or not FIRST_VERSION <= version <= VERSION:
        raise AuditError(f"an audit row is not of version {VERSION} or before: read it with the version that wrote it")
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        return clean(_record(document))
    raise AuditError("an audit row lacks a field or has one of another type")


def _json(body: bytes) -> object:
    """Return a document, None where the bytes hold none."""
    with suppress(ValueError, RecursionError):
        document: object = json.loads(body)
        return document
    return None


def clean(record: AuditRecord) -> AuditRecord:
    """Return the record as it is kept: odd fields masked, numbers rounded."""
    return _record(_document(record))


def masked_intent(intent: Intent) -> dict[str, str]:
    """Return what is kept of a request that is about to leave, by field in order, masked like a record."""
    return {
        "at": _match(_TIME, intent.at),
        "request_id": _match(_REQUEST, intent.request_id),
        "route": _route(intent.route),
        "target": _name(intent.target),
    }


def _document(record: AuditRecord) -> dict[str, Any]:
    """Return the cleaned record as JSON values, the keys in order: sorting them costs time at every write."""
    return {
        "artifact_ids": [_name(artifact) for artifact in record.artifact_ids],
        "at": _match(_TIME, record.at),
        "decisions": [_decision_document(decision) for decision in record.decisions],
        "error": _match(_ERROR, record.error),
        "events": [_event_document(event) for event in record.events],
        "outcome": _member(Outcome, record.outcome),
        "profile_id": _name(record.profile_id),
        "request_id": _match(_REQUEST, record.request_id),
        "route": _route(record.route),
        "stage_ms": None if record.stage_ms is None else _stages(record.stage_ms),
        "target": _name(record.target),
        "target_provenance": _one_of(_PROVENANCES, record.target_provenance),
        "theta": _number(record.theta, 6),
        "v": VERSION,
    }


def _decision_document(decision: DecisionRecord) -> dict[str, Any]:
    return {
        "action": _one_of(_ACTIONS, decision.action),
        "kind": _one_of(_KINDS, decision.kind),
        "length": _count(decision.length),
        "p_survive": _number(decision.p_survive, 6),
        "path": _match(_PATH, decision.path),
        "placeholder_id": _match(_ID, decision.placeholder_id),
        "reason": _one_of(_REASONS, decision.reason),
        "source": _name(decision.source),
    }


def _event_document(event: RestoreEvent) -> dict[str, Any]:
    return {
        "cause": None if event.cause is None else _member(Cause, event.cause),
        "count": _count(event.count),
        "event": _member(Event, event.event),
        "kind": _one_of(_KINDS, event.kind),
        "length": _count(event.length),
        "match": None if event.match is None else _member(Match, event.match),
        "path": _match(_PATH, event.path),
        "placeholder_id": _match(_ID, event.placeholder_id),
    }


def _match(pattern: re.Pattern[str], text: object) -> str:
    """Return the text when it is empty or has the syntax; `str` makes the value out of an enum member."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        return MASK
    return str(text) if text == "" or pattern.fullmatch(text) else MASK


def _name(text: object) -> str:
    found = _match(_NAME, text)
    return MASK if len(found) > _LONGEST_NAME or ("@" in found and _ADDRESS.search(found)) else found


def _route(text: object) -> str:
    """Return the name of a route, which an HTTP method may precede; `{id}` may stand for whole steps of its path."""
    if not isinstance(text, str):
        return MASK
    verb = _VERB.match(text)
    name = text[verb.end() :] if verb else text
    # Without those steps, so that they make no name of a telephone number.
    rest = "/".join(step for step in name.split("/") if step != _ID_STEP)
    return MASK if len(name) > _LONGEST_NAME or _name(rest) == MASK else str(text)


def _one_of(names: frozenset[str], text: object) -> str:
    return str(text) if isinstance(text, str) and (text == "" or text in names) else MASK


def _number(number: object, digits: int) -> float | None:
    """Round a number; whatever is not a finite one, or too large, becomes null."""
    if not isinstance(number, float) and type(number) is not int:
        return None
    if not -_LARGEST < number < _LARGEST:
        return None
    return round(float(number), digits) + 0.0  # -0.0 and 0.0 are written alike


def _count(number: object) -> int:
    return number if type(number) is int and 0 <= number < _MOST else -1


def _member(kind: type[StrEnum], value: str) -> str:
    if isinstance(value, kind):
        return value.value
    if value not in kind.__members__.values():
        raise AuditError(f"an audit record holds an {kind.__name__} that there is not")
    return kind(value).value


def _stages(stages: Mapping[str, float]) -> dict[str, float | None]:
    kept: dict[str, float | None] = {}
    for stage, milliseconds in sorted(stages.items()):
        kept[_match(_STAGE, stage)] = _number(milliseconds, 3)
    return dict(sorted(kept.items()))


def _record(document: Mapping[str, Any]) -> AuditRecord:
    stages = document["stage_ms"]
    return AuditRecord(
        request_id=document["request_id"],
        at=document["at"],
        route=document["route"],
        target=document["target"],
        theta=_float(document["theta"]),
        target_provenance=document["target_provenance"],
        profile_id=document["profile_id"],
        artifact_ids=tuple(document["artifact_ids"]),
        outcome=Outcome(document["outcome"]),
        error=document["error"],
        decisions=tuple(_decision(row) for row in document["decisions"]),
        events=tuple(_event(row) for row in document["events"]),
        stage_ms=None if stages is None else {stage: _float(duration) for stage, duration in stages.items()},
    )


def _decision(row: Mapping[str, Any]) -> DecisionRecord:
    return DecisionRecord(
        path=row["path"],
        kind=row["kind"],
        source=row["source"],
        action=row["action"],
        reason=row["reason"],
        length=row["length"],
        p_survive=_float(row["p_survive"]),
        placeholder_id=row["placeholder_id"],
    )


def _event(row: Mapping[str, Any]) -> RestoreEvent:
    return RestoreEvent(
        event=Event(row["event"]),
        path=row["path"],
        placeholder_id=row["placeholder_id"],
        kind=row["kind"],
        match=None if row["match"] is None else Match(row["match"]),
        cause=None if row["cause"] is None else Cause(row["cause"]),
        length=row.get("length", 0),
        count=row["count"],
    )


def _float(number: float | None) -> float:
    """Return a float; null, which is what no finite number was written as, is NaN."""
    return math.nan if number is None else number
