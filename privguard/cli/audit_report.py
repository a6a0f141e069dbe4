"""`privguard audit report`: what left, what came back and what was refused, as a page and as numbers."""

from contextlib import suppress
from datetime import UTC, date, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from privguard.audit.read import open_log
from privguard.audit.report.counts import Period
from privguard.audit.report.gather import gather
from privguard.audit.report.page import page
from privguard.audit.report.tables import tables, write_csv
from privguard.audit.settings import AUDIT_KEY_VARIABLE
from privguard.audit.wording import number
from privguard.cli.audit_options import (
    FAULTY,
    CheckpointOption,
    KeyEnvOption,
    PathOption,
    PublicKeyOption,
    key_of,
    place_of,
    stop,
    witnesses_of,
)
from privguard.cli.audit_out import ForceOption, new_file, new_place
from privguard.core.errors import AuditError, ConfigError


def report(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The HTML page to write.")],
    path: PathOption = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="The same numbers, for a program.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="The first day, in UTC: 2031-04-05.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="The last day.")] = None,
    key_env: KeyEnvOption = AUDIT_KEY_VARIABLE,
    public_key: PublicKeyOption = None,
    checkpoint: CheckpointOption = None,
    force: ForceOption = False,
) -> None:
    """Write a page of what left, to which models, what came back, what was refused, and whether the log holds."""
    place, key = place_of(path), key_of(key_env)
    period = Period(since=_day("--since", since), until=_day("--until", until))
    if period.since and period.until and period.since > period.until:
        raise stop("--since lies behind --until")
    page_place = new_place(out, place, force=force)
    csv_place = None if csv is None else new_place(csv, place, force=force)
    if page_place == csv_place:
        raise stop("--out and --csv name one file")
    try:
        keys, kept = witnesses_of(public_key or (), checkpoint or ())
        with open_log(place) as log:
            found = gather(log, period, key=key, public_keys=keys, checkpoints=kept)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    try:
        with new_file(page_place) as file:
            file.write(page(found, datetime.now(UTC)).encode())
        if csv_place is not None:
            with new_file(csv_place) as file:
                text = TextIOWrapper(file, encoding="utf-8", newline="")
                write_csv(tables(found.counts), text)
                text.detach()
    except OSError as exc:
        raise stop(f"cannot write the report: {exc.strerror or type(exc).__name__}") from None
    typer.echo(f"{number(found.counts.requests, 'request')} in {out}", err=True)
    if not found.verdict.ok:
        typer.echo("the log has faults: the page names them", err=True)
        raise typer.Exit(FAULTY)


def _day(option: str, text: str | None) -> date | None:
    if text is None:
        return None
    with suppress(ValueError):
        return date.fromisoformat(text)
    raise stop(f"{option} takes a day in ISO 8601, such as 2031-04-05")
