"""`privguard audit export`, `purge`, `keygen` and `checkpoint`: keep the log, and keep no more than one should."""

import os
import re
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from privguard.audit.checkpoints import format_checkpoint
from privguard.audit.erasing import Erasure
from privguard.audit.export import write_export
from privguard.audit.read import open_log, read_rows
from privguard.audit.settings import AUDIT_KEY_VARIABLE, SIGNING_KEY_VARIABLE
from privguard.audit.signing import write_key_pair
from privguard.audit.sinks import open_store
from privguard.audit.store import Store
from privguard.audit.wording import number
from privguard.cli.audit_options import KeyEnvOption, PathOption, key_of, place_of, stop
from privguard.cli.audit_out import ForceOption, new_file, new_place
from privguard.core.errors import AuditError, ConfigError

_AGE = re.compile(r"([1-9][0-9]{0,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


def export(
    path: PathOption = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="The file to write; - is standard output.")] = "-",
    *,
    force: ForceOption = False,
) -> None:
    """Write the whole log to one file of JSON lines, with its head and its checkpoints: `verify` reads it anywhere."""
    place = place_of(path)
    target = None if out == "-" else new_place(Path(out), place, force=force)
    try:
        with open_log(place) as log:
            if target is None:
                write_export(log, sys.stdout.buffer)
                return
            with new_file(target) as file:
                count = write_export(log, file)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise stop(f"cannot write the export: {exc.strerror or type(exc).__name__}") from None
    typer.echo(f"{number(count, 'row')} in {out}", err=True)


def purge(
    path: PathOption = None,
    before: Annotated[
        str | None, typer.Option("--before", metavar="DATE", help="Requests before a date, or a time: 2031-04-05.")
    ] = None,
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="AGE", help="Requests of that age: 90d, 12w or 48h.")
    ] = None,
    request: Annotated[str | None, typer.Option("--request", metavar="ID", help="One request: its whole id.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many rows it would be, and change none.")] = False,
    key_env: KeyEnvOption = AUDIT_KEY_VARIABLE,
) -> None:
    """Erase what the log holds of requests. Their rows stay, empty, and the log still verifies."""
    place, key = place_of(path), key_of(key_env)
    erasure = _erasure(before, older_than, request)
    try:
        if dry_run:
            wanted = erasure.chooser()
            count = sum(row is not None and wanted(row) for row in read_rows(place))
            typer.echo(f"{number(count, 'row')} would be erased")
            return
        with closing(_open(place, key)) as store:
            count = store.erase(erasure)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    typer.echo(f"{number(count, 'row')} erased")


def keygen(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Where the private key goes; the public one stands beside it, in .pub."),
    ],
) -> None:
    """Make a key pair for signed checkpoints. The private key is not protected by a password: keep it from others."""
    try:
        public, key_id = write_key_pair(file)
    except ConfigError as exc:
        raise stop(str(exc)) from None
    typer.echo(f"private key {file}: name it in {SIGNING_KEY_VARIABLE} where the log is written")
    typer.echo(f"public key {public}: give it to whoever verifies")
    typer.echo(f"key {key_id}")


def checkpoint(path: PathOption = None, key_env: KeyEnvOption = AUDIT_KEY_VARIABLE) -> None:
    """Print the newest checkpoint, to be kept elsewhere. With a signing key, the end of the log is signed first."""
    place, key = place_of(path), key_of(key_env)
    try:
        if os.environ.get(SIGNING_KEY_VARIABLE):
            with closing(_open(place, key)) as store:
                newest = store.sign()
        else:
            with open_log(place) as log:
                newest = max(log.checkpoints, key=lambda each: each.seq, default=None)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    if newest is None:
        raise stop(f"the log has no checkpoint: name a private key in {SIGNING_KEY_VARIABLE}")
    typer.echo(format_checkpoint(newest))


def _open(place: str | Path, key: bytes | None) -> Store:
    """Open a log that is there."""
    with open_log(place):
        pass
    return open_store(place, key, signing_key=os.environ.get(SIGNING_KEY_VARIABLE) or None)


def _erasure(before: str | None, older_than: str | None, request: str | None) -> Erasure:
    if sum(option is not None for option in (before, older_than, request)) != 1:
        raise stop("name one of --before, --older-than and --request")
    if request is not None:
        if not request:
            raise stop("--request takes the whole id of a request: `privguard audit show` names it")
        return Erasure(request=request)
    return Erasure(before=_moment(before) if before is not None else _moment_ago(older_than or ""))


def _moment(text: str) -> datetime:
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    raise stop("--before takes a date or a time in ISO 8601, such as 2031-04-05")


def _moment_ago(text: str) -> datetime:
    found = _AGE.fullmatch(text)
    if found is not None:
        with suppress(OverflowError):
            return datetime.now(UTC) - timedelta(hours=int(found[1]) * _HOURS[found[2]])
    raise stop("--older-than takes a number of hours, days or weeks: 48h, 90d, 12w")
