"""The options that commands share, turned into a guard."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from privguard.core.errors import ConfigError
from privguard.guard import Guard

KEY_VARIABLE = "PRIVGUARD_KEY"


class DetectorName(StrEnum):
    """A shipped detector."""

    DEFAULT = "default"  # rules, secrets, and the model
    RULES = "rules"  # rules and secrets alone: needs no extra


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The parts that a command is told to use; None is what the environment names, or else the default."""

    detector: DetectorName = DetectorName.DEFAULT
    model: str | None = None
    device: str | None = None


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
DetectorOption = Annotated[
    DetectorName,
    typer.Option("--detector", help="What finds values. rules needs no extra, and finds few names in prose."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|FOLDER",
        help="What finds values and judges need: a shipped model, a folder (./mine), or off. Default: PRIVGUARD_MODEL.",
    ),
]
DeviceOption = Annotated[
    str | None,
    typer.Option("--device", metavar="DEVICE", help="Where it runs: auto, cpu or cuda. Default: PRIVGUARD_DEVICE."),
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


def guard_maker(
    profiles: Path | None,
    key: str | None,
    detector: DetectorName = DetectorName.DEFAULT,
    *,
    model: str | None = None,
    device: str | None = None,
) -> Callable[[], Guard]:
    """Return what builds the guard of a dry run, here or in a worker process: nothing is sent, so nothing is recorded.

    Without a key a random one is drawn here, once, so that all workers write the same placeholders.
    """
    chosen = key or secrets.token_bytes(32)
    return partial(load_dry_guard, profiles, chosen, detector, model=model, device=device)


def load_dry_guard(
    profiles: Path | None,
    key: str | bytes | None,
    detector: DetectorName,
    *,
    model: str | None = None,
    device: str | None = None,
) -> Guard:
    """Build a guard that records and keeps nothing."""
    from privguard.api import load_guard
    from privguard.detect import rules_detector

    chosen = rules_detector() if detector is DetectorName.RULES else None
    return load_guard(profiles=profiles, key=key, detector=chosen, audit="off", model=model, device=device, vault="off")
