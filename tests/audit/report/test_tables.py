"""Each table adds up to what was counted, and the CSV holds the same numbers."""

import csv
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from io import StringIO

import pytest

from privguard.audit.report.counts import Counts
from privguard.audit.report.tables import UNKNOWN, Column, Table, tables, write_csv
from privguard.core.audit import AuditRecord, Cause, Event, Match, Outcome, RestoreEvent

Make = Callable[..., AuditRecord]


def table_of(counts: Counts, name: str) -> Table:
    """Return the table of that name."""
    return next(table for table in tables(counts) if table.id == name)


def counted(*records: AuditRecord) -> Counts:
    """Count records."""
    counts = Counts()
    for record in records:
        counts.add(record)
    return counts


def test_an_empty_log_has_empty_tables() -> None:
    assert all(table.rows == () for table in tables(Counts()))
    assert len({table.id for table in tables(Counts())}) == 9


def test_the_largest_comes_first_and_what_has_no_name_is_said_to_have_none(make_record: Make) -> None:
    record = make_record()
    counts = counted(
        record,
        replace(record, target=""),
        replace(record, target="?"),
        replace(record, target="gpt-5"),
        replace(record, target="gpt-5"),
    )
    assert table_of(counts, "models").rows == (
        (UNKNOWN, (2, 2, 0, 2)),
        ("gpt-5", (2, 2, 0, 2)),
        ("gpt-5-mini", (1, 1, 0, 1)),
    )
    assert table_of(counts, "types").rows == (("LOCATION", (5, 0, 0)), ("PERSON", (0, 0, 5)))


def test_every_event_and_every_outcome_has_its_place(make_record: Make) -> None:
    events = (
        *(RestoreEvent(event=Event.RESTORED, match=match, count=2) for match in Match),
        *(RestoreEvent(event=event, cause=cause) for event in (Event.REFUSED, Event.UNRESTORED) for cause in Cause),
        RestoreEvent(event=Event.FLAGGED, kind=""),
    )
    records = [replace(make_record(outcome=outcome), events=(), error="DetectionError") for outcome in Outcome]
    counts = counted(replace(make_record(), events=events), *records)
    assert table_of(counts, "restorations").rows == (("exact", (2,)), ("tolerant", (2,)), ("phrase", (2,)))
    assert dict(table_of(counts, "refusals").rows) == {cause.value: (1, 1) for cause in Cause}
    assert table_of(counts, "own").rows == ((UNKNOWN, (1, 0)),)
    assert dict(table_of(counts, "outcomes").rows) == {"done": (2,), "blocked": (1,), "abandoned": (1,), "failed": (1,)}
    assert table_of(counts, "errors").rows == (("DetectionError", (1, 1, 2)),)


@pytest.mark.parametrize(
    ("days", "label", "first", "last", "length"),
    [
        (0, "day", "2031-01-30", "2031-01-30", 1),
        (61, "day", "2031-01-30", "2031-04-01", 62),
        (62, "month", "2031-01", "2031-04", 4),
        (1795, "month", "2031-01", "2035-12", 60),
        (1800, "year", "2031", "2036", 2),
    ],
    ids=range(5),
)
def test_time_is_told_in_a_unit_that_suits_it_and_what_has_none_behind_it(
    make_record: Make, days: int, label: str, first: str, last: str, length: int
) -> None:
    begin = date(2031, 1, 30)
    ends = [begin, begin + timedelta(days=days)] if days else [begin]
    records = [replace(make_record(), at=f"{day}T00:00:00Z") for day in ends]
    table = table_of(counted(*records), "time")
    assert (table.label, table.rows[0][0], table.rows[-1][0], len(table.rows)) == (label, first, last, length)
    assert sum(values[0] for _, values in table.rows) == len(records)
    odd = table_of(counted(*records, replace(make_record(), at="?")), "time")
    assert odd.rows == (*table.rows, (UNKNOWN, (1, 1, 0, 1)))


def test_the_csv_has_each_number_once(make_record: Make) -> None:
    found = tables(counted(make_record(1), make_record(2, Outcome.BLOCKED)))
    out = StringIO()
    write_csv(found, out)
    rows = list(csv.DictReader(StringIO(out.getvalue())))
    assert {(row["table"], row["row"], row["column"]): int(row["count"]) for row in rows} == {
        (table.id, name, column.name): value
        for table in found
        for name, values in table.rows
        for column, value in zip(table.columns, values, strict=True)
    }
    assert len(rows) == sum(len(table.rows) * len(table.columns) for table in found)


@pytest.mark.parametrize("name", ["@cf/meta/llama", "-model", "+model", "=model"], ids=range(4))
def test_no_name_is_a_formula_of_a_spreadsheet(name: str) -> None:
    out = StringIO()
    write_csv([Table(id="t", title="T", label="l", columns=(Column(name="c"),), rows=((name, (1,)),))], out)
    assert out.getvalue().splitlines()[1] == f"t,'{name},c,1"
