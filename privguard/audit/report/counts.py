"""Count what the records of a log say, one after the other, in memory that does not grow with them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from privguard.audit.chain import Row
from privguard.audit.codec import MASK, decode
from privguard.audit.entries import is_entry, time_of
from privguard.audit.lines import Torn
from privguard.core.audit import AuditRecord, Event, Outcome, RestoreEvent
from privguard.core.errors import AuditError

OTHERS = "(others)"  # what came after the first `LIMIT` names of a sort; no name has brackets
LIMIT = 500  # names of one sort that are told apart
DAYS = 4000  # days that are told apart: eleven years
REQUESTS = "requests"

_DAY = len("2031-04-05")
_Key = TypeVar("_Key")
_Name = TypeVar("_Name", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Days in UTC, the first and the last included; None for no limit."""

    since: date | None = None
    until: date | None = None

    @property
    def is_limited(self) -> bool:
        """Tell whether there is a limit."""
        return self.since is not None or self.until is not None

    def holds(self, day: date | None) -> bool:
        """Tell whether a day lies in it. What has no day lies in no limited period."""
        if day is None:
            return not self.is_limited
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)


@dataclass(slots=True, kw_only=True)
class Counts:
    """What was counted. All names have the syntax that the codec asks of them.

    The spans of requests that were blocked are counted by themselves: nothing of them left.
    """

    period: Period = field(default_factory=Period)
    requests: int = 0
    unreadable: int = 0  # rows and lines, in and out of the period
    erased: int = 0  # likewise
    held_back: int = 0  # spans of blocked requests
    first: date | None = None  # the first day with a record
    last: date | None = None
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    errors: dict[str, Counter[Outcome]] = field(default_factory=dict)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)  # actions by type
    reasons: dict[str, Counter[str]] = field(default_factory=dict)  # actions by reason
    targets: dict[str, Counter[str]] = field(default_factory=dict)  # requests and actions by model
    days: dict[date | None, Counter[str]] = field(default_factory=dict)  # likewise by day
    matches: Counter[str] = field(default_factory=Counter)  # restorations
    causes: dict[str, Counter[Event]] = field(default_factory=dict)  # refused and unrestored
    own: dict[str, Counter[Event]] = field(default_factory=dict)  # flagged and redacted values of the model, by type

    def watch(self, rows: Iterator[Row | Torn | None]) -> Iterator[Row | Torn | None]:
        """Pass the rows of a log on, and count each on its way."""
        for row in rows:
            self._take(row)
            yield row

    def add(self, record: AuditRecord) -> None:
        """Count one record, if it lies in the period."""
        day = _day(record.at)
        if not self.period.holds(day):
            return
        self.requests += 1
        self.outcomes[record.outcome] += 1
        if day is not None:
            self.first = day if self.first is None else min(self.first, day)
            self.last = day if self.last is None else max(self.last, day)
        if record.error:
            _of(self.errors, _told(record.error), OTHERS, LIMIT)[record.outcome] += 1
        places = (_of(self.targets, _told(record.target), OTHERS, LIMIT), _of(self.days, day, None, DAYS))
        for place in places:
            place[REQUESTS] += 1
        if record.outcome is Outcome.BLOCKED:
            self.held_back += len(record.decisions)
        else:
            for decision in record.decisions:
                action = decision.action.upper()
                _of(self.kinds, _told(decision.kind), OTHERS, LIMIT)[action] += 1
                _of(self.reasons, _told(decision.reason), OTHERS, LIMIT)[action] += 1
                for place in places:
                    place[action] += 1
        for event in record.events:
            self._add_event(event)

    def _take(self, row: Row | Torn | None) -> None:
        if not isinstance(row, Row) or not row.hash:
            self.unreadable += not isinstance(row, Torn)
        elif row.erased is not None:
            self.erased += 1
        elif row.seq > 0 and not is_entry(row.body):
            # A record is not decoded only to learn that it lies elsewhere.
            if self.period.is_limited and not self.period.holds(_day(time_of(row.body).decode("ascii"))):
                return
            try:
                record = decode(row.body)
            except AuditError:
                self.unreadable += 1
            else:
                self.add(record)

    def _add_event(self, event: RestoreEvent) -> None:
        count = max(event.count, 0)  # -1 stands for what was no count
        match event.event:
            case Event.RESTORED:
                self.matches["" if event.match is None else event.match.value] += count
            case Event.REFUSED | Event.UNRESTORED:
                _of(self.causes, "" if event.cause is None else event.cause.value, OTHERS, LIMIT)[event.event] += count
            case Event.FLAGGED | Event.REDACTED:
                _of(self.own, _told(event.kind), OTHERS, LIMIT)[event.event] += count


def _of(groups: dict[_Key, Counter[_Name]], key: _Key, rest: _Key, limit: int) -> Counter[_Name]:
    """Return the counts of one group; beyond the limit, those of all others together."""
    found = groups.get(key)
    if found is None:
        found = groups.setdefault(key if len(groups) < limit else rest, Counter())
    return found


def _told(name: str) -> str:
    """Return a name, "" where the log masks it."""
    return "" if name == MASK else name


def _day(at: str) -> date | None:
    try:
        return date.fromisoformat(at[:_DAY])
    except ValueError:
        return None
