"""What the log says of itself, in rows of the chain between the records: entries.

A record tells how a request ended. Entries tell what would otherwise be missing without a trace: that a request was
about to leave, when a writer came and went, how many records it had to drop, and which rows were erased. An entry holds
no content, and nothing of a request but its id, its route and its target.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from privguard.audit.codec import masked_intent
from privguard.core.audit import AuditMode, Intent

_LEAD = b'{"entry":'  # a record begins otherwise
_REQUEST_ID = re.compile(rb'"request_id":"([A-Za-z0-9_-]{1,64})"')
_AT = re.compile(rb'"at":"([0-9T:.Z+-]{19,40})"')


class EraseReason(StrEnum):
    """Why rows were erased."""

    AGE = "age"  # they were older than the log keeps
    REQUEST = "request"  # one request was to be forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A request is about to leave. Its record follows when it has ended."""

    intent: Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A writer begins."""

    session: str  # random, of this writer
    at: str
    mode: AuditMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a writer has seen since it began."""

    session: str
    at: str
    begun: int  # requests that were about to leave
    open: int  # of these, the ones that have not ended
    recorded: int  # records that were written, also those of requests that were refused
    dropped: int  # records that could not be written
    final: bool  # whether the writer ends with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """The bodies of these rows were removed."""

    at: str
    reason: EraseReason
    before: str = ""  # the time before which they were made, "" for another reason
    rows: tuple[tuple[int, int], ...]  # inclusive ranges, in order


Entry = Begun | Opened | Tally | Erased


def is_entry(body: bytes) -> bool:
    """Tell whether a body is an entry of the log, by how it begins."""
    return body.startswith(_LEAD)


def encode_entry(entry: Entry) -> bytes:
    """Write an entry as JSON of one fixed form."""
    return json.dumps(_document(entry), separators=(",", ":"), ensure_ascii=True).encode("ascii")


def decode_entry(body: bytes) -> Entry | None:
    """Read an entry; None for whatever is none."""
    document: Any = None
    if is_entry(body):
        with suppress(ValueError, RecursionError):
            document = json.loads(body)
    if isinstance(document, dict):
        with suppress(KeyError, TypeError, ValueError):
            return _entry(document)
    return None


def request_of(body: bytes) -> bytes:
    """Return the request id in a record or in the entry of a request that begins, b"" where there is none."""
    found = _REQUEST_ID.search(body)
    return found[1] if found else b""


def time_of(body: bytes) -> bytes:
    """Return the time in a record or an entry, as it is written, b"" where there is none."""
    found = _AT.search(body)
    return found[1] if found else b""


def _document(entry: Entry) -> dict[str, object]:
    match entry:
        case Begun():
            return {"entry": "begun", **masked_intent(entry.intent)}
        case Opened():
            return {"entry": "opened", "at": entry.at, "mode": entry.mode.value, "session": entry.session}
        case Tally():
            return {
                "entry": "closed" if entry.final else "counted",
                "at": entry.at,
                "begun": entry.begun,
                "dropped": entry.dropped,
                "open": entry.open,
                "recorded": entry.recorded,
                "session": entry.session,
            }
        case Erased():
            return {
                "entry": "erased",
                "at": entry.at,
                "before": entry.before,
                "reason": entry.reason.value,
                "rows": [list(pair) for pair in entry.rows],
            }


def _entry(document: Mapping[str, Any]) -> Entry | None:
    match document["entry"]:
        case "begun":
            names = ("request_id", "at", "route", "target")
            return Begun(intent=Intent(**{name: _text(document[name]) for name in names}))
        case "opened":
            return Opened(
                session=_text(document["session"]), at=_text(document["at"]), mode=AuditMode(document["mode"])
            )
        case "counted" | "closed":
            return Tally(
                session=_text(document["session"]),
                at=_text(document["at"]),
                begun=_count(document["begun"]),
                open=_count(document["open"]),
                recorded=_count(document["recorded"]),
                dropped=_count(document["dropped"]),
                final=document["entry"] == "closed",
            )
        case "erased":
            return Erased(
                at=_text(document["at"]),
                reason=EraseReason(document["reason"]),
                before=_text(document["before"]),
                rows=tuple((_count(first), _count(last)) for first, last in document["rows"]),
            )
        case _:
            return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError("not a count")
    return value
