"""The options that commands share, turned into a guard."""

import os
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from privguard.core.errors import ConfigError
from privguard.guard import Guard

KEY_VARIABLE = "PRIVGUARD_KEY"

TargetOption = Annotated[
    str,
    typer.Option("--target", "-t", metavar="MODEL", help="The model that will read the prompt, such as gpt-5-mini."),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", "-p", metavar="NAME", help="The profile. Default: the one named default.")
]
ProfilesOption = Annotated[
    Path | None,
    typer.Option("--profiles", metavar="FILE", help="The profile file. Default: the one that doctor names."),
]
KeyOption = Annotated[
    str,
    typer.Option("--key-env", metavar="NAME", help="The environment variable that holds the key of the placeholders."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def find_key(variable: str) -> str | None:
    """Read the key from the environment.

    Raises:
        ConfigError: a variable was named, and it is not set.
    """
    key = os.environ.get(variable)
    if not key and variable != KEY_VARIABLE:
        raise ConfigError(f"--key-env names {variable}, which is not set")
    return key or None


def guard_maker(profiles: Path | None, key: str | None) -> Callable[[], Guard]:
    """Return what builds the guard of a dry run, here or in a worker process: nothing is sent, so nothing is recorded.

    Without a key a random one is drawn here, once, so that all workers write the same placeholders.
    """
    from privguard.api import load_guard

    return partial(load_guard, profiles=profiles, key=key or secrets.token_bytes(32), audit="off")
