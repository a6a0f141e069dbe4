"""`privguard audit show`: what left in the last requests, what came back, how they ended."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from privguard.audit.chain import Row
from privguard.audit.codec import decode, encode
from privguard.audit.entries import is_entry
from privguard.audit.read import read_rows
from privguard.audit.wording import number
from privguard.cli.audit_options import FAULTY, PathOption, place_of, stop
from privguard.core.audit import AuditRecord, Event, Outcome
from privguard.core.errors import AuditError, ConfigError
from privguard.core.plan import Action

_TAKEN = 19 + 12 + 12 + 4  # characters of the time, the counts and the gaps between columns
_NARROWEST = 12
_PART = re.compile(r"[A-Z]*[^A-Z.:/@_-]*[.:/@_-]?")

_STYLES = {Outcome.DONE: "green", Outcome.BLOCKED: "yellow", Outcome.ABANDONED: "yellow", Outcome.FAILED: "red"}
_ACTIONS = {Action.RETAIN: "retained", Action.ABSTRACT: "abstracted", Action.REDACT: "redacted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The wanted records, and how many rows hold none that can be read."""

    records: tuple[AuditRecord, ...]
    unreadable: int
    erased: int


def show(
    path: PathOption = None,
    last: Annotated[int, typer.Option("--last", min=1, help="How many requests, the newest last.")] = 20,
    request: Annotated[
        str | None, typer.Option("--request", metavar="ID", help="One request: its id, or how its id begins.")
    ] = None,
    outcome: Annotated[Outcome | None, typer.Option("--outcome", help="Only requests that ended so.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the last requests: what left, what came back, how they ended."""
    place = place_of(path)

    def wanted(record: AuditRecord) -> bool:
        return outcome in {None, record.outcome} and (request is None or record.request_id.startswith(request))

    try:
        found = _load(place, wanted, last, needles=_needles(request, outcome))
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    records = found.records
    if found.unreadable:
        typer.echo(f"{number(found.unreadable, 'row')} could not be read: run `privguard audit verify`", err=True)
    if found.erased:
        typer.echo(f"{number(found.erased, 'row')} had been erased", err=True)
    if request is not None and not records:
        typer.echo("no request in the log has an id that begins so", err=True)
        raise typer.Exit(FAULTY)
    if as_json:
        for record in records:
            typer.echo(encode(record))
        return
    console = Console(highlight=False, markup=False)
    if request is not None and len(records) == 1:
        _print_request(console, records[0])
    elif records:
        console.print(_requests_table(records, console.width))
    else:
        console.print("no requests")


def _needles(request: str | None, outcome: Outcome | None) -> tuple[bytes, ...]:
    """Return what stands in the body of every wanted row: the others need not be decoded."""
    by_request = () if request is None else (b'"request_id":"%s' % request.encode(),)
    return by_request if outcome is None else (*by_request, b'"outcome":"%s"' % outcome.encode())


def _load(path: str | Path, wanted: Callable[[AuditRecord], bool], last: int, *, needles: Sequence[bytes]) -> _Found:
    """Return the last wanted records, and how many rows hold none that can be read."""
    unreadable = erased = 0

    def bodies() -> Iterator[Row]:
        nonlocal unreadable, erased
        for row in read_rows(path):
            if row is None or not row.hash:
                unreadable += 1
            elif row.erased is not None:
                erased += 1
            elif row.seq > 0 and not is_entry(row.body) and all(needle in row.body for needle in needles):
                yield row

    records: list[AuditRecord] = []
    for row in deque(bodies(), maxlen=last):
        try:
            record = decode(row.body)
        except AuditError:
            unreadable += 1
            continue
        if wanted(record):
            records.append(record)
    return _Found(records=tuple(records), unreadable=unreadable, erased=erased)


def _requests_table(records: Sequence[AuditRecord], width: int) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("time, request", no_wrap=True, min_width=19)
    table.add_column("route, target", overflow="fold")
    table.add_column("profile, outcome", overflow="fold")
    table.add_column("spans", no_wrap=True)
    table.add_column("reply", no_wrap=True)
    room = max(_NARROWEST, (width - _TAKEN) // 2)
    for record in records:
        outcome = Text(record.outcome.value, style=_STYLES[record.outcome])
        if record.error:
            outcome.append(f" {_fold(record.error, room)}")
        table.add_row(
            Text(f"{_time(record)}\n{record.request_id}"),
            Text(f"{_fold(record.route, room)}\n{_fold(record.target, room)}"),
            Text(f"{_fold(record.profile_id, room)}\n").append_text(outcome),
            Text(_span_counts(record)),
            Text(_event_counts(record)),
        )
    return table


def _fold(name: str, room: int) -> str:
    """Break a name that is too long between its parts, never within one."""
    lines = [""]
    for part in _PART.findall(name):
        if lines[-1] and len(lines[-1]) + len(part) > room:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _print_request(console: Console, record: AuditRecord) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    stages = ", ".join(f"{stage} {duration:g} ms" for stage, duration in (record.stage_ms or {}).items())
    for name, value in (
        ("request", record.request_id),
        ("time", _time(record)),
        ("route", record.route),
        ("target", _target(record)),
        ("profile", record.profile_id),
        ("artifacts", ", ".join(record.artifact_ids)),
        ("outcome", f"{record.outcome.value} {record.error}".rstrip()),
        ("stages", stages),
    ):
        if value:
            grid.add_row(name, Text(value))
    console.print(grid)
    _print_decisions(console, record)
    _print_events(console, record)


def _target(record: AuditRecord) -> str:
    """Return what is known of the target: of a refused request its name at most, since no profile was asked."""
    if not record.profile_id:
        return record.target
    return f"{record.target}, theta {record.theta:g}, {record.target_provenance}"


def _print_decisions(console: Console, record: AuditRecord) -> None:
    table = _details("path", "type", "action", "reason", "source", "length", "p", "id")
    for decision in record.decisions:
        table.add_row(
            Text(decision.path),
            Text(decision.kind),
            Text(decision.action),
            Text(decision.reason),
            Text(decision.source),
            Text(str(decision.length)),
            Text(f"{decision.p_survive:.2f}"),
            Text(decision.placeholder_id),
        )
    console.print()
    console.print(table if record.decisions else "no spans")


def _print_events(console: Console, record: AuditRecord) -> None:
    table = _details("path", "event", "type", "id", "match", "cause", "length", "times")
    for event in record.events:
        table.add_row(
            Text(event.path),
            Text(event.event.value, style="" if event.event is Event.RESTORED else "yellow"),
            Text(event.kind),
            Text(event.placeholder_id),
            Text(event.match.value if event.match else ""),
            Text(event.cause.value if event.cause else ""),
            Text(str(event.length) if event.length else ""),
            Text(str(event.count)),
        )
    console.print()
    console.print(table if record.events else "no placeholders in the reply")


def _details(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold", justify="right" if name in {"length", "p", "times"} else "left")
    return table


def _time(record: AuditRecord) -> str:
    return record.at[:19].replace("T", " ")


def _span_counts(record: AuditRecord) -> str:
    counts = Counter(decision.action.upper() for decision in record.decisions)
    return "\n".join(f"{counts[action.name]} {word}" for action, word in _ACTIONS.items() if counts[action.name])


def _event_counts(record: AuditRecord) -> str:
    counts: Counter[Event] = Counter()
    for event in record.events:
        counts[event.event] += event.count
    return "\n".join(f"{counts[event]} {event.value}" for event in Event if counts[event])
