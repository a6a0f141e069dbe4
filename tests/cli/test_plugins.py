from importlib.metadata import EntryPoint

import pytest
import typer
from typer.testing import CliRunner

from privguard.cli.plugins import GROUP, add_commands
from privguard.core.errors import ConfigError


def hello() -> None:
    """Say hello."""
    typer.echo("hello")


def tree(*points: EntryPoint, taken: tuple[str, ...] = ("own",)) -> typer.Typer:
    app = typer.Typer()

    @app.command("own")
    def own() -> None:
        typer.echo("mine")

    @app.command("other")
    def other() -> None:
        typer.echo("other")

    add_commands(app, taken, points)
    return app


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name=name, value=value, group=GROUP)


def test_a_command_of_another_package_stands_beside_the_own() -> None:
    app = tree(point("greet", f"{__name__}:hello"))
    assert CliRunner().invoke(app, ["greet"]).output == "hello\n"
    assert CliRunner().invoke(app, ["own"]).output == "mine\n"


def test_no_name_is_taken_away() -> None:
    app = tree(point("own", f"{__name__}:hello"))
    assert CliRunner().invoke(app, ["own"]).output == "mine\n"


@pytest.mark.parametrize("value", ["no.such.module:hello", f"{__name__}:nothing"])
def test_a_command_that_cannot_be_loaded_says_so_when_it_is_called(value: str) -> None:
    app = tree(point("greet", value))
    assert CliRunner().invoke(app, ["own"]).output == "mine\n"
    done = CliRunner().invoke(app, ["greet"])
    assert isinstance(done.exception, ConfigError)
    assert "greet" in str(done.exception)
    assert done.exception.__context__ is None
