"""`privguard audit`: show what was kept of each request, and verify that nobody touched it."""

import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from privguard.audit.chain import Row
from privguard.audit.codec import decode, encode
from privguard.audit.read import read_rows, verify_file
from privguard.audit.sinks import audit_path
from privguard.audit.verify import Fault, FaultKind, Verdict
from privguard.core.audit import AuditRecord, Event, Outcome
from privguard.core.errors import AuditError, ConfigError
from privguard.core.plan import Action

KEY_VARIABLE = "PRIVGUARD_AUDIT_KEY"
FAULTY = 1  # exit code: faults were found, or no such request
UNREADABLE = 2  # exit code: the log cannot be read or judged

_TAKEN = 19 + 12 + 12 + 4  # characters of the time, the counts and the gaps between columns
_NARROWEST = 12
_PART = re.compile(r"[A-Z]*[^A-Z.:/@_-]*[.:/@_-]?")

app = typer.Typer(help="Show and verify the audit log.", no_args_is_help=True, pretty_exceptions_show_locals=False)

PathOption = Annotated[
    str | None,
    typer.Option("--path", envvar="PRIVGUARD_AUDIT", help="The audit log. Default: the one of this user."),
]

_STYLES = {Outcome.DONE: "green", Outcome.BLOCKED: "yellow", Outcome.ABANDONED: "yellow", Outcome.FAILED: "red"}
_ACTIONS = {Action.RETAIN: "retained", Action.ABSTRACT: "abstracted", Action.REDACT: "redacted"}
_FAULTS = {
    FaultKind.CHANGED: ("was changed", "were changed"),
    FaultKind.REMOVED: ("is missing", "are missing"),
    FaultKind.REORDERED: ("stands out of order", "stand out of order"),
    FaultKind.DUPLICATED: ("stands there more than once", "stand there more than once"),
    FaultKind.TRUNCATED: ("is missing at the end", "are missing at the end"),
}


@app.command()
def show(
    path: PathOption = None,
    last: Annotated[int, typer.Option("--last", min=1, help="How many requests, the newest last.")] = 20,
    request: Annotated[str | None, typer.Option("--request", help="One request: its id, or how its id begins.")] = None,
    outcome: Annotated[Outcome | None, typer.Option("--outcome", help="Only requests that ended so.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the last requests: what left, what came back, how they ended."""
    place = _place(path)

    def wanted(record: AuditRecord) -> bool:
        return outcome in {None, record.outcome} and (request is None or record.request_id.startswith(request))

    try:
        records, unreadable = _load(place, wanted, last, needles=_needles(request, outcome))
    except AuditError as exc:
        raise _stop(str(exc)) from None
    if unreadable:
        typer.echo(f"{unreadable} rows could not be read: run `privguard audit verify`", err=True)
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


@app.command()
def verify(
    path: PathOption = None,
    key_env: Annotated[
        str, typer.Option("--key-env", metavar="NAME", help="The environment variable that holds the key.")
    ] = KEY_VARIABLE,
) -> None:
    """Check the whole log: exit code 1 when a row was changed, removed, moved or cut off."""
    place = _place(path)
    key = os.environ.get(key_env)
    if key is None and key_env != KEY_VARIABLE:
        raise _stop(f"the environment variable {key_env} is not set")
    try:
        verdict = verify_file(place, key.encode() if key else None)
    except (AuditError, ConfigError) as exc:
        raise _stop(str(exc)) from None
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for note in verdict.notes:
        console.print(_describe(note), style="yellow")
    for fault in verdict.faults:
        console.print(_describe(fault), style="red")
    if not verdict.ok:
        if key and _is_all_changed(verdict):
            console.print("every row: was the log written with this key?", style="yellow")
        raise typer.Exit(FAULTY)
    console.print(f"{_number(verdict.rows - 1, 'record')}, no fault", style="green")
    if verdict.head is not None:
        console.print(f"ends with row {verdict.head.seq}, hash {verdict.head.hash}")
    if not key:
        console.print("without a key: whoever can write the file could have written it anew", style="dim")


def _place(path: str | None) -> Path:
    if path in {"off", "memory:"}:
        raise _stop("this audit setting keeps no file")
    return audit_path(path)


def _stop(message: str) -> typer.Exit:
    typer.echo(message, err=True)
    return typer.Exit(UNREADABLE)


def _needles(request: str | None, outcome: Outcome | None) -> tuple[bytes, ...]:
    """Return what stands in the body of every wanted row: the others need not be decoded."""
    by_request = () if request is None else (b'"request_id":"%s' % request.encode(),)
    return by_request if outcome is None else (*by_request, b'"outcome":"%s"' % outcome.encode())


def _load(
    path: Path, wanted: Callable[[AuditRecord], bool], last: int, *, needles: Sequence[bytes]
) -> tuple[Sequence[AuditRecord], int]:
    """Return the last wanted records, and how many rows could not be read."""
    unreadable = 0

    def bodies() -> Iterator[Row]:
        nonlocal unreadable
        for row in read_rows(path):
            if row is None or not row.hash:
                unreadable += 1
            elif row.seq > 0 and all(needle in row.body for needle in needles):
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
    return records, unreadable


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
        ("target", f"{record.target}, theta {record.theta:g}, {record.target_provenance}"),
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
    table = _details("path", "event", "type", "id", "match", "cause", "times")
    for event in record.events:
        table.add_row(
            Text(event.path),
            Text(event.event.value, style="" if event.event is Event.RESTORED else "yellow"),
            Text(event.kind),
            Text(event.placeholder_id),
            Text(event.match.value if event.match else ""),
            Text(event.cause.value if event.cause else ""),
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


def _describe(fault: Fault) -> str:
    several = fault.last > fault.first
    rows = f"rows {fault.first} to {fault.last}" if several else f"row {fault.first}"
    match fault.kind:
        case FaultKind.HEAD_MISSING:
            return f"the head of the log is missing: rows after {fault.first} may have been cut off"
        case FaultKind.HEAD_CHANGED:
            return f"the head of the log was changed, or does not belong to it: it names row {fault.first}"
        case FaultKind.FOREIGN:
            return f"something that is no row of this log stands before row {fault.first}"
        case FaultKind.UNFINISHED:
            return f"an unfinished line stands before row {fault.first}: a writer was killed, no row is missing"
        case _:
            return f"{rows} {_FAULTS[fault.kind][several]}"


def _is_all_changed(verdict: Verdict) -> bool:
    return any(
        fault.kind is FaultKind.CHANGED and fault.last - fault.first + 1 >= verdict.rows for fault in verdict.faults
    )


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
