"""The options that the commands of the audit log share."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from privguard.audit.checkpoints import Checkpoint
from privguard.audit.jsonl_files import read_checkpoints
from privguard.audit.settings import AUDIT_KEY_VARIABLE, AUDIT_VARIABLE
from privguard.audit.signing import Ed25519Checker, load_public_key
from privguard.audit.sinks import audit_place
from privguard.core.errors import AuditError, ConfigError

FAULTY = 1  # exit code: faults were found, or no such request
UNREADABLE = 2  # exit code: the log cannot be read, judged or written

PathOption = Annotated[
    str | None,
    typer.Option("--path", metavar="PLACE", envvar=AUDIT_VARIABLE, help="The audit log. Default: that of this user."),
]
KeyEnvOption = Annotated[
    str, typer.Option("--key-env", metavar="NAME", help="The environment variable that holds the key of the log.")
]

PublicKeyOption = Annotated[
    list[Path] | None,
    typer.Option("--public-key", metavar="FILE", help="The public key of the checkpoints. May be given again."),
]
CheckpointOption = Annotated[
    list[Path] | None,
    typer.Option("--checkpoint", metavar="FILE", help="A checkpoint that was kept elsewhere. May be given again."),
]


def place_of(path: str | None) -> str | Path:
    """Return the file, or the URL of the database, that the option names."""
    if path in {"off", "memory:"}:
        raise stop("this audit setting keeps no file")
    try:
        return audit_place(path)
    except ConfigError as exc:
        raise stop(str(exc)) from None


def key_of(variable: str) -> bytes | None:
    """Read the key of the log from the environment; None where there is none."""
    key = os.environ.get(variable)
    if key is None and variable != AUDIT_KEY_VARIABLE:
        raise stop(f"the environment variable {variable} is not set")
    return key.encode() if key else None


def witnesses_of(
    public_keys: Sequence[Path], checkpoints: Sequence[Path]
) -> tuple[list[Ed25519Checker], list[Checkpoint]]:
    """Read public keys, and checkpoints that were kept elsewhere.

    Raises:
        AuditError: a file holds no checkpoint, or none of the keys signed one of them.
        ConfigError: a key cannot be used.
    """
    if checkpoints and not public_keys:
        raise stop("a checkpoint proves nothing without the public key: give --public-key too")
    keys = [load_public_key(file) for file in public_keys]
    return keys, [each for file in checkpoints for each in _read(file, keys)]


def _read(file: Path, keys: Sequence[Ed25519Checker]) -> Sequence[Checkpoint]:
    known = {key.key_id: key for key in keys}
    found = tuple(read_checkpoints(file)) if file.is_file() else ()
    if not found:
        raise AuditError(f"there is no checkpoint in {file}")
    for each in found:
        if each.key_id not in known or not known[each.key_id].accepts(each.message, each.signature):
            raise AuditError(f"a checkpoint in {file} was not signed with a key that was given")
    return found


def stop(message: str) -> typer.Exit:
    """Say on standard error why a command cannot go on, and return what ends it."""
    typer.echo(message, err=True)
    return typer.Exit(UNREADABLE)
