"""`privguard minimize`: what would leave, and why. Nothing is sent."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from privguard.cli.settings import (
    KEY_VARIABLE,
    DetectorName,
    DetectorOption,
    DeviceOption,
    JsonOption,
    KeyOption,
    ModelOption,
    ProfileOption,
    ProfilesOption,
    TargetOption,
    find_key,
    guard_maker,
)
from privguard.core.errors import ConfigError
from privguard.guard import Exchange, Guard

ROWS_FAILED = 1  # exit code
TERMINATED = 143  # exit code: 128 and the number of SIGTERM

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A text file, - for standard input.")]
JsonlOption = Annotated[
    str | None, typer.Option("--jsonl", metavar="IN", help="A data set instead: one JSON row a line, .gz or - too.")
]
OutOption = Annotated[str, typer.Option("--out", "-o", metavar="OUT", help="Where the rows go, - for standard output.")]
WorkersOption = Annotated[int, typer.Option("--workers", "-w", min=1, help="Processes that share the rows.")]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Start over instead of going on where a run ended.")]


def minimize(
    *,
    target: TargetOption,
    file: FileArgument = "-",
    profile: ProfileOption = None,
    profiles: ProfilesOption = None,
    key_env: KeyOption = KEY_VARIABLE,
    detector: DetectorOption = DetectorName.DEFAULT,
    model: ModelOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
    jsonl: JsonlOption = None,
    out: OutOption = "-",
    workers: WorkersOption = 1,
    fresh: FreshOption = False,
) -> None:
    """Show what would leave of a text, or minimize a data set. Nothing is sent.

    With --jsonl, rows {"id", "text"} or {"id", "messages"} become rows
    {"id", "spans", "minimized"}. An interrupted run goes on where it ended. A bad
    row is reported with its line number and the rest is done; the exit code is
    then 1.
    """
    if jsonl is None:
        if out != "-" or workers != 1 or fresh:
            raise ConfigError("--out, --workers and --fresh go with --jsonl")
        guard = guard_maker(profiles, find_key(key_env), detector, model=model, device=device)()
        _minimize_text(_read_text(file), guard, target=target, profile=profile, as_json=as_json)
        return
    if file != "-" or as_json:
        raise ConfigError("--jsonl goes with neither FILE nor --json")
    from privguard.cli.dataset import Job
    from privguard.cli.dataset_report import Terminated, run_with_progress

    key = find_key(key_env)
    job = Job(
        source=None if jsonl == "-" else Path(jsonl),
        out=None if out == "-" else Path(out),
        target=target,
        profile=profile,
        workers=workers,
        fresh=fresh,
        has_stable_key=key is not None,
    )
    try:
        make_guard = guard_maker(profiles, key, detector, model=model, device=device)
        summary = run_with_progress(job, make_guard)
    except Terminated:
        raise typer.Exit(TERMINATED) from None
    if summary.failed:
        raise typer.Exit(ROWS_FAILED)


def _minimize_text(text: str, guard: Guard, *, target: str, profile: str | None, as_json: bool) -> None:
    from privguard.api import minimize as minimize_content

    with minimize_content(text, target=target, profile=profile, guard=guard) as exchange:
        if as_json:
            _print_json(text, exchange)
        else:
            _print_pretty(text, exchange)


def _print_json(text: str, exchange: Exchange[str]) -> None:
    import json

    from privguard.cli.rows import describe_spans

    target = exchange.plan.target
    report = {
        "target": {
            "name": target.name,
            "theta": target.theta,
            "provenance": target.provenance.value,
            "pattern": target.pattern,
            "known": target.known,
        },
        "profile": exchange.plan.profile_id,
        "artifacts": exchange.plan.artifact_ids,
        "spans": describe_spans(exchange, text),
        "minimized": exchange.outgoing,
    }
    typer.echo(json.dumps(report, ensure_ascii=False))


def _print_pretty(text: str, exchange: Exchange[str]) -> None:
    from rich.console import Console

    from privguard.cli import paint
    from privguard.showing.report import facts_of_unread

    decisions = tuple(exchange.plan)
    console = Console(highlight=False)
    console.print(paint.describe_target(exchange.plan.target))
    console.print(f"profile {exchange.plan.profile_id}", markup=False)
    for name, fact in facts_of_unread([exchange.outgoing]):
        console.print(f"{name}: {fact}", style="yellow", markup=False)
    console.print()
    console.print(paint.panel("original", paint.paint_spans(text, decisions)))
    console.print(paint.panel("minimized", paint.paint_replacements(exchange.outgoing, decisions), "green"))
    console.print(paint.legend())
    if decisions:
        console.print()
        console.print(paint.decisions_table(text, decisions))
    else:
        console.print("nothing to minimize was found")
    console.print("nothing was sent", style="dim")


def _read_text(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode()
    except (OSError, ValueError) as error:
        # The argument is not repeated: it may be the text itself, typed in place of a file name.
        where = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
    # Raised out here: the error before holds the text, and the context of an exception keeps it reachable.
    raise ConfigError(f"FILE cannot be read ({reason}{where}); give a path, or - for standard input")
