"""The audit record of one request: what left and what came back, nothing of the content."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a request ended."""

    DONE = "done"  # the reply was read to its end
    BLOCKED = "blocked"  # refused before anything was sent
    ABANDONED = "abandoned"  # the caller stopped reading
    FAILED = "failed"  # sent, but the provider or the connection failed


class Match(StrEnum):
    """How a placeholder was recognised in a reply."""

    EXACT = "exact"
    TOLERANT = "tolerant"  # other case, spaces, escapes, lost brackets
    PHRASE = "phrase"  # a bare abstract phrase


class Event(StrEnum):
    """What happened in a reply: to something that looks like a placeholder, or to a value of the model's own."""

    RESTORED = "restored"
    UNRESTORED = "unrestored"  # unknown, ambiguous or cut off: left as it stands
    REFUSED = "refused"  # known, but it must not be restored where it stands
    FLAGGED = "flagged"  # a value that the model brought by itself: seen, and left
    REDACTED = "redacted"  # likewise, and hidden from the caller


class Cause(StrEnum):
    """Why a placeholder was not restored, or was refused."""

    UNKNOWN = "unknown"  # this request carried no such value
    TRUNCATED = "truncated"  # the reply ends inside a placeholder
    AMBIGUOUS = "ambiguous"  # more than one value fits
    URL = "url"  # inside a URL whose host is not allowed
    REMOTE_TOOL = "remote_tool"  # inside the arguments of a tool that the profile marks as remote
    TOOL_RULE = "tool_rule"  # likewise of one whose rule leaves out values of this type
    PROVENANCE = "provenance"  # a value of the system or developer text, or a secret, that the profile keeps from here


class AuditMode(StrEnum):
    """What happens to a request that cannot be recorded."""

    REQUIRED = "required"  # it does not leave
    BEST_EFFORT = "best-effort"  # it leaves, and the log says later how many records are missing


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEvent:
    """One kind of event at one path, counted."""

    event: Event
    path: str = ""
    placeholder_id: str = ""  # "" where no known id was read: foreign text is never recorded; "" of a model's own value
    kind: str = ""  # entity type, "" when unknown
    match: Match | None = None
    cause: Cause | None = None
    length: int = 0  # code points of a value of the model's own, 0 for a placeholder
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """One decision without its value."""

    path: str
    kind: str
    source: str
    action: str
    reason: str
    length: int  # code points of the original
    p_survive: float
    placeholder_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What is known of a request just before it leaves."""

    request_id: str  # that of its record
    at: str  # UTC, ISO 8601
    route: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """Everything that is kept of one request. Holds no content and no key."""

    request_id: str  # random
    at: str  # UTC, ISO 8601
    route: str  # the adapter's name of the route, or "by-hand"
    target: str
    theta: float
    target_provenance: str
    profile_id: str
    artifact_ids: tuple[str, ...]
    outcome: Outcome
    error: str = ""  # class name of the error, never its text
    decisions: tuple[DecisionRecord, ...] = ()
    events: tuple[RestoreEvent, ...] = ()
    stage_ms: Mapping[str, float] | None = None
