"""`privguard vault`: what lies in the vault and for how long, under the newest key, and no longer than it should."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from privguard.audit.wording import number
from privguard.cli.audit_options import FAULTY, stop
from privguard.core.errors import ConfigError, VaultError
from privguard.vault.opening import MEMORY, NO_VAULT, VAULT_KEY_VARIABLE, VAULT_VARIABLE, open_vault, vault_file

if TYPE_CHECKING:
    from privguard.vault.sealed import SealedVault, VaultStatus

app = typer.Typer(
    help="Look after the vault: count what it keeps, change its keys, remove what has expired.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)

VaultOption = Annotated[
    str | None,
    typer.Option("--vault", envvar=VAULT_VARIABLE, metavar="PLACE", help="The vault: a file, or a URL of Redis."),
]
KeyEnvOption = Annotated[
    str,
    typer.Option("--key-env", metavar="NAME", help="The environment variable with the keys, the newest first."),
]


@app.command()
def status(
    place: VaultOption = None,
    key_env: KeyEnvOption = VAULT_KEY_VARIABLE,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one object.")] = False,
) -> None:
    """Count the tables by their keys, and say when they expire. What they hold is neither read nor shown."""
    with _opened(place, key_env) as vault:
        found = vault.status()
    if as_json:
        import json

        typer.echo(json.dumps(asdict(found)))
    else:
        _print(found)


@app.command()
def rotate(place: VaultOption = None, key_env: KeyEnvOption = VAULT_KEY_VARIABLE) -> None:
    """Put what lies under older keys under the newest. May be stopped, run again, and run while the vault is used."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        _opened(place, key_env) as vault,
        Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress,
    ):
        found = vault.status()
        task = progress.add_task("tables", total=found.older + found.foreign)
        done = vault.rotate(seen=lambda: progress.advance(task))
    moved = f"{number(done.moved, 'table')} moved under the newest key"
    typer.echo(moved if done.unreadable else f"{moved}; the older keys may go")
    if done.unreadable:
        typer.echo(
            f"{number(done.unreadable, 'table')} could not be read: no key in {key_env} opens them, or they were "
            "altered; they stay as they are",
            err=True,
        )
        raise typer.Exit(FAULTY)


@app.command()
def purge(place: VaultOption = None, key_env: KeyEnvOption = VAULT_KEY_VARIABLE) -> None:
    """Remove what has expired. Redis does that by itself, and a file with every table that is kept in it."""
    with _opened(place, key_env) as vault:
        count = vault.purge()
    typer.echo(f"{number(count, 'table')} removed")


@contextmanager
def _opened(place: str | None, key_env: str) -> "Iterator[SealedVault]":
    """Open a vault that is there, and end the command with one line where anything fails."""
    if not place or place == NO_VAULT:
        raise stop(f"no vault is named: give --vault, or set {VAULT_VARIABLE}")
    if place == MEMORY:
        raise stop("a vault in memory lives and ends with its process: there is nothing to look after")
    keys = os.environ.get(key_env)
    if keys is None and key_env != VAULT_KEY_VARIABLE:
        raise stop(f"the environment variable {key_env} is not set")
    file = vault_file(place)
    if file is not None and not Path(file).expanduser().is_file():
        raise stop(f"there is no vault in {file}")
    try:
        with closing(open_vault(place, keys)) as vault:
            yield vault
    except (ConfigError, VaultError) as error:
        raise stop(str(error)) from None


def _print(found: "VaultStatus") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not found.tables:
        console.print("the vault is empty")
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    rows = [
        (found.newest, "under the newest key", "", ""),
        (found.older, "under an older key", "yellow", "`privguard vault rotate` puts them under the newest"),
        (found.foreign, "under no key that is given", "red", "no key opens them: give the one they were kept with too"),
        (found.expired, "expired", "yellow", "nobody gets them any more; `privguard vault purge` removes them"),
    ]
    for count, words, style, remedy in rows:
        if count or not style:
            told = Text(words)
            if remedy:
                told.append(f"\n-> {remedy}", style=style)
            table.add_row(f"{count:,}", told)
    console.print(f"{number(found.tables, 'table')} in the vault")
    console.print(table)
    if found.first_expiry is not None and found.last_expiry is not None:
        console.print(f"they expire from {_moment(found.first_expiry)} to {_moment(found.last_expiry)}")


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
