"""Commands that other packages bring, by entry points of the group `privguard.commands`."""

from collections.abc import Callable, Collection, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NoReturn

import typer

from privguard.core.errors import ConfigError

GROUP = "privguard.commands"


def add_commands(app: typer.Typer, taken: Collection[str], points: Iterable[EntryPoint] | None = None) -> None:
    """Add the commands to the tree.

    One that cannot be loaded says so when it is called: it must not take the others away. A name that is taken stays
    with whoever has it.

    Args:
        app: the tree.
        taken: the names of its own commands.
        points: default: those of the installed packages.
    """
    found = {point.name: point for point in (entry_points(group=GROUP) if points is None else points)}
    for name in sorted(found.keys() - set(taken)):
        app.command(name)(_load(found[name]))


def _load(point: EntryPoint) -> Callable[..., Any]:
    try:
        command: Callable[..., Any] = point.load()
    except Exception as error:  # noqa: BLE001 - a foreign module may raise anything
        failure = type(error).__name__
    else:
        return command

    def unavailable() -> NoReturn:
        raise ConfigError(f"the command {point.name} of {point.value} cannot be loaded ({failure})")

    unavailable.__doc__ = "Not available: it cannot be loaded."
    return unavailable
