"""The tables of a report: what each chart draws, and what the CSV holds."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TextIO, TypeVar

from privguard.audit.report.counts import OTHERS, REQUESTS, Counts
from privguard.core.audit import Event, Match, Outcome
from privguard.core.plan import Action

UNKNOWN = "not told"  # what has no name
_MOST_DAYS = 62  # a longer time is told by months
_MOST_MONTHS = 60  # a longer one by years
_MONTHS = 12
_Name = TypeVar("_Name", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of numbers."""

    name: str
    tone: str = ""  # how a chart draws it; "" where it does not


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Numbers by name."""

    id: str  # a lower-case word
    title: str
    label: str  # what the rows are
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    note: str = ""
    is_over_time: bool = False

    @property
    def drawn(self) -> tuple[Column, ...]:
        """Return the columns that a chart draws."""
        return tuple(column for column in self.columns if column.tone)

    def drawn_values(self, values: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of a row that a chart draws."""
        return tuple(value for column, value in zip(self.columns, values, strict=True) if column.tone)


_ACTIONS = tuple(action.name for action in Action)
_ACTION_COLUMNS = (
    Column(name="retained", tone="retained"),
    Column(name="abstracted", tone="abstracted"),
    Column(name="redacted", tone="redacted"),
)
_REQUEST_COLUMN = Column(name="requests")


def tables(counts: Counts) -> tuple[Table, ...]:
    """Return all tables of a report, in its order."""
    return (
        _kinds(counts),
        _targets(counts),
        _time(counts),
        _reasons(counts),
        _matches(counts),
        _causes(counts),
        _own(counts),
        _outcomes(counts),
        _errors(counts),
    )


def write_csv(found: Sequence[Table], out: TextIO) -> None:
    """Write the tables as rows of `table,row,column,count`, with a heading."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "row", "column", "count"))
    for table in found:
        for name, values in table.rows:
            writer.writerows(
                (table.id, _guarded(name), column.name, value)
                for column, value in zip(table.columns, values, strict=True)
            )


def _guarded(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{name}" if name[:1] in {"=", "+", "-", "@"} else name


def _kinds(counts: Counts) -> Table:
    return Table(
        id="types",
        title="What was found, and what left of it",
        label="type",
        columns=_ACTION_COLUMNS,
        rows=_rows(counts.kinds, _ACTIONS),
        note=(
            "Retained values left as they were, abstracted ones as something more general, of redacted ones only a "
            "placeholder. Requests that were blocked are not counted: nothing of them was sent."
        ),
    )


def _targets(counts: Counts) -> Table:
    return Table(
        id="models",
        title="To which models",
        label="model",
        columns=(_REQUEST_COLUMN, *_ACTION_COLUMNS),
        rows=_rows(counts.targets, (REQUESTS, *_ACTIONS)),
        note="Requests count all that were made, also those that were blocked.",
    )


def _reasons(counts: Counts) -> Table:
    return Table(
        id="reasons",
        title="Why it was decided so",
        label="reason",
        columns=_ACTION_COLUMNS,
        rows=_rows(counts.reasons, _ACTIONS),
        note=(
            "need: what the task asks for; floor, policy, allowed, public: what the profile says; joint: the one "
            "carrier of a fact that is told more than once; fallback: no estimate could be made."
        ),
    )


def _matches(counts: Counts) -> Table:
    names = (*(match.value for match in Match), *sorted(set(counts.matches) - set(Match)))
    return Table(
        id="restorations",
        title="What came back, and how it was recognised",
        label="match",
        columns=(Column(name="restored", tone="plain"),),
        rows=tuple((_named(name), (counts.matches[name],)) for name in names if counts.matches[name]),
        note="exact: as it was sent; tolerant: mangled by the model; phrase: a bare abstraction.",
    )


def _causes(counts: Counts) -> Table:
    return Table(
        id="refusals",
        title="What did not come back, and why",
        label="cause",
        columns=(Column(name="refused", tone="alert"), Column(name="unrestored", tone="quiet")),
        rows=_rows(counts.causes, (Event.REFUSED, Event.UNRESTORED)),
        note=(
            "Refused: known, but not for where it stood (url, remote_tool, tool_rule, provenance). Unrestored: no "
            "value of this request, more than one, or cut off."
        ),
    )


def _own(counts: Counts) -> Table:
    return Table(
        id="own",
        title="Values that the model brought by itself",
        label="type",
        columns=(Column(name="flagged", tone="alert"), Column(name="redacted", tone="redacted")),
        rows=_rows(counts.own, (Event.FLAGGED, Event.REDACTED)),
    )


def _outcomes(counts: Counts) -> Table:
    return Table(
        id="outcomes",
        title="How requests ended",
        label="outcome",
        columns=(Column(name="requests", tone="plain"),),
        rows=tuple((outcome.value, (counts.outcomes[outcome],)) for outcome in Outcome if counts.outcomes[outcome]),
        note="blocked: refused before anything was sent; abandoned: the caller stopped reading; failed: after sending.",
    )


def _errors(counts: Counts) -> Table:
    return Table(
        id="errors",
        title="Blocked and failed requests, by error",
        label="error",
        columns=(Column(name="blocked", tone="alert"), Column(name="failed", tone="quiet"), Column(name="other")),
        rows=tuple(
            (name, (blocked, failed, total - blocked - failed))
            for name, (blocked, failed, total) in _rows(counts.errors, (Outcome.BLOCKED, Outcome.FAILED), total=True)
        ),
    )


def _rows(
    groups: Mapping[str, Counter[_Name]], columns: Sequence[_Name], *, total: bool = False
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the groups, the largest first."""
    order = sorted(groups, key=lambda name: (name == OTHERS, -groups[name].total(), name))
    return tuple(
        (_named(name), tuple(groups[name][column] for column in columns) + ((groups[name].total(),) if total else ()))
        for name in order
    )


def _named(name: str) -> str:
    return name or UNKNOWN


def _time(counts: Counts) -> Table:
    days = sorted(day for day in counts.days if day is not None)
    unit, periods = _periods(days)
    by_period: dict[str, Counter[str]] = {period: Counter() for period in periods}
    for day, found in counts.days.items():
        by_period.setdefault(UNKNOWN if day is None else day.isoformat()[: len(unit)], Counter()).update(found)
    return Table(
        id="time",
        title="Over time",
        label=_UNITS[unit],
        columns=(_REQUEST_COLUMN, *_ACTION_COLUMNS),
        rows=tuple(
            (period, (found[REQUESTS], *(found[name] for name in _ACTIONS))) for period, found in by_period.items()
        ),
        note="Days are those of UTC.",
        is_over_time=True,
    )


_UNITS = {"yyyy-mm-dd": "day", "yyyy-mm": "month", "yyyy": "year"}


def _periods(days: Sequence[date]) -> tuple[str, Iterator[str] | Sequence[str]]:
    """Return the form of a period that suits these days, and all periods from the first to the last."""
    if not days:
        return "yyyy-mm-dd", ()
    first, last = days[0], days[-1]
    if (last - first).days < _MOST_DAYS:
        return "yyyy-mm-dd", ((first + timedelta(days=n)).isoformat() for n in range((last - first).days + 1))
    months = range(_MONTHS * first.year + first.month - 1, _MONTHS * last.year + last.month)
    if len(months) <= _MOST_MONTHS:
        return "yyyy-mm", (f"{month // _MONTHS:04d}-{month % _MONTHS + 1:02d}" for month in months)
    return "yyyy", sorted({f"{day.year:04d}" for day in days})
