"""What is counted, what is not, and how much is kept of it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from privguard.audit.chain import Hasher, Row
from privguard.audit.codec import decode, encode
from privguard.audit.lines import Torn
from privguard.audit.report.counts import DAYS, LIMIT, OTHERS, Counts, Period
from privguard.core.audit import AuditRecord, Cause, Event, Match, Outcome, RestoreEvent

Make = Callable[..., AuditRecord]


def counted(*records: AuditRecord, period: Period | None = None) -> Counts:
    """Count records."""
    counts = Counts(period=period or Period())
    for record in records:
        counts.add(record)
    return counts


def test_what_left_is_counted_by_type_model_and_day(make_record: Make) -> None:
    later = replace(make_record(2), at="2031-04-06T06:07:08Z", target="gpt-5")
    counts = counted(make_record(1), later)
    assert counts.requests == 2
    assert counts.kinds == {"PERSON": Counter(REDACT=2), "LOCATION": Counter(RETAIN=2)}
    assert counts.reasons == {"need": Counter(REDACT=2, RETAIN=2)}
    assert counts.targets["gpt-5"] == Counter(requests=1, REDACT=1, RETAIN=1)
    assert set(counts.days) == {date(2031, 4, 5), date(2031, 4, 6)}
    assert (counts.first, counts.last) == (date(2031, 4, 5), date(2031, 4, 6))


def test_what_came_back_and_what_did_not_is_counted_with_its_cause(make_record: Make) -> None:
    events = (
        RestoreEvent(event=Event.RESTORED, match=Match.EXACT, count=2),
        RestoreEvent(event=Event.RESTORED, match=Match.TOLERANT),
        RestoreEvent(event=Event.REFUSED, cause=Cause.URL, count=3),
        RestoreEvent(event=Event.UNRESTORED, cause=Cause.UNKNOWN),
        RestoreEvent(event=Event.FLAGGED, kind="EMAIL", length=9),
        RestoreEvent(event=Event.REDACTED, kind="EMAIL", length=9, count=-1),
    )
    counts = counted(replace(make_record(), events=events))
    assert counts.matches == Counter(exact=2, tolerant=1)
    assert counts.causes == {"url": Counter({Event.REFUSED: 3}), "unknown": Counter({Event.UNRESTORED: 1})}
    assert counts.own == {"EMAIL": Counter({Event.FLAGGED: 1, Event.REDACTED: 0})}


def test_nothing_of_a_blocked_request_left(make_record: Make) -> None:
    blocked = replace(make_record(outcome=Outcome.BLOCKED), error="DetectionError")
    counts = counted(blocked)
    assert (counts.kinds, counts.held_back, counts.requests) == ({}, 2, 1)
    assert counts.targets == {"gpt-5-mini": Counter(requests=1)}
    assert counts.outcomes == Counter({Outcome.BLOCKED: 1})
    assert counts.errors == {"DetectionError": Counter({Outcome.BLOCKED: 1})}


@pytest.mark.parametrize(
    ("since", "until", "wanted"),
    [(None, None, 4), (5, None, 2), (None, 5, 2), (5, 5, 1), (7, None, 0)],
    ids=range(5),
)
def test_the_first_and_the_last_day_belong_to_the_period_and_what_has_no_day_to_none(
    make_record: Make, since: int | None, until: int | None, wanted: int
) -> None:
    first, last = (None if day is None else date(2031, 4, day) for day in (since, until))
    period = Period(since=first, until=last)
    records = [replace(make_record(), at=f"2031-04-{day:02d}T23:59:59.999999+00:00") for day in (4, 5, 6)]
    records.append(replace(make_record(), at="?"))
    hasher = Hasher()
    rows = [hasher.follow(hasher.genesis("00"), encode(record), "5a" * 16) for record in records]
    streamed = Counts(period=period)
    assert len(list(streamed.watch(iter(rows)))) == 4
    assert counted(*records, period=period).requests == streamed.requests == wanted


def test_rows_pass_as_they_are_and_what_is_no_record_is_told_apart(record: AuditRecord) -> None:
    hasher = Hasher()
    genesis = hasher.genesis("00")
    sound = hasher.follow(genesis, encode(record), "5a" * 16)
    rows: list[Row | Torn | None] = [
        genesis,
        sound,
        hasher.erase(sound),
        replace(sound, body=b'{"entry":"opened"}'),
        replace(sound, body=b"{}"),
        replace(sound, hash=""),
        Torn(lead=b"{"),
        None,
    ]
    counts = Counts()
    assert list(counts.watch(iter(rows))) == rows
    assert (counts.requests, counts.erased, counts.unreadable) == (1, 1, 3)


def test_names_and_days_without_end_are_counted_together(make_record: Make) -> None:
    counts = Counts()
    record = make_record()
    for number in range(LIMIT + 7):
        counts.add(replace(record, target=f"m{number}"))
    assert len(counts.targets) == LIMIT + 1
    assert counts.targets[OTHERS]["requests"] == 7
    first = date(1990, 1, 1)
    for number in range(DAYS + 10):
        counts.add(replace(record, at=f"{first + timedelta(days=number)}T00:00:00Z"))
    assert len(counts.days) == DAYS + 1
    assert counts.days[None]["requests"] == 11
    assert sum(found["requests"] for found in counts.days.values()) == counts.requests


def test_a_hostile_record_is_counted_without_a_byte_of_its_content(
    hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    assert find_marks(repr(counted(hostile_record)))
    assert find_marks(repr(counted(decode(encode(hostile_record))))) == []
