"""The options that the commands of the audit log share."""

import os
from pathlib import Path
from typing import Annotated

import typer

from privguard.audit.settings import AUDIT_KEY_VARIABLE, AUDIT_VARIABLE
from privguard.audit.sinks import audit_path

FAULTY = 1  # exit code: faults were found, or no such request
UNREADABLE = 2  # exit code: the log cannot be read, judged or written

PathOption = Annotated[
    str | None,
    typer.Option("--path", envvar=AUDIT_VARIABLE, help="The audit log. Default: the one of this user."),
]
KeyEnvOption = Annotated[
    str, typer.Option("--key-env", metavar="NAME", help="The environment variable that holds the key of the log.")
]


def place_of(path: str | None) -> Path:
    """Return the file that the option names."""
    if path in {"off", "memory:"}:
        raise stop("this audit setting keeps no file")
    return audit_path(path)


def key_of(variable: str) -> bytes | None:
    """Read the key of the log from the environment; None where there is none."""
    key = os.environ.get(variable)
    if key is None and variable != AUDIT_KEY_VARIABLE:
        raise stop(f"the environment variable {variable} is not set")
    return key.encode() if key else None


def stop(message: str) -> typer.Exit:
    """Say on standard error why a command cannot go on, and return what ends it."""
    typer.echo(message, err=True)
    return typer.Exit(UNREADABLE)


def number(count: int, noun: str) -> str:
    """Write how many there are of something."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
