import inspect
import subprocess
import sys

import pytest
from typer import Typer
from typer.models import CommandInfo, TyperInfo
from typer.testing import CliRunner

from privguard import __version__
from privguard.cli import app
from privguard.cli.commands import INTERNAL, REFUSED, complain, main


def test_all_commands_are_there() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for command in ("minimize", "demo", "doctor", "audit"):
        assert command in shown
    assert CliRunner().invoke(app, ["--version"]).stdout == f"privguard {__version__}\n"


def test_help_breaks_no_line_in_a_terminal_of_80_columns() -> None:
    # A line that is longer is broken twice: where the terminal ends and where the line of the source does.
    for command in (
        *app.registered_commands,
        *(each for group in app.registered_groups for each in commands_of(group)),
    ):
        paragraphs = inspect.getdoc(command.callback).split("\n\n")  # type: ignore[union-attr]  # all have one
        several = [each.splitlines() for each in paragraphs if "\n" in each]
        assert not [line for lines in several for line in lines if len(line) > 78], command.name


def commands_of(group: TyperInfo) -> list[CommandInfo]:
    assert isinstance(group.typer_instance, Typer)
    return group.typer_instance.registered_commands


def test_the_module_is_the_command_and_its_help_is_light() -> None:
    code = (
        "import sys, runpy; sys.argv = ['privguard', '--help']\n"
        "try: runpy.run_module('privguard', run_name='__main__')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "minimize" in done.stdout
    heavy = {"spacy", "presidio_analyzer", "openai", "httpx2", "numpy", "pydantic", "phonenumbers", "http.server"}
    assert heavy.isdisjoint(done.stderr.split())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--nothing",), "No such option: --nothing Try 'privguard --help'."),
        (("nothing",), "No such command 'nothing'. Try 'privguard --help'."),
        (("minimize", "--nothing"), "No such option: --nothing Try 'privguard minimize --help'."),
        (("audit", "show", "--last", "x"), "Invalid value for '--last'"),
    ],
)
def test_what_is_wrong_with_options_is_one_line_however_narrow_the_terminal(given: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(app, given, env={"COLUMNS": "20"}, prog_name="privguard")
    assert done.exit_code == REFUSED
    assert done.stderr.startswith(told)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("given", [(), ("audit",)])
def test_help_alone_is_shown_where_nothing_is_given(given: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, given, prog_name="privguard")
    assert done.exit_code == REFUSED
    assert "Usage: privguard" in done.output
    assert "Try " not in done.output


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("a\n  b\tc")
    assert "a b c" in capsys.readouterr().err


def test_a_fault_of_our_own_shows_its_place_and_not_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise RuntimeError("Ada Roth")

    with pytest.raises(SystemExit) as caught:
        main(broken)
    told = capsys.readouterr().err
    assert caught.value.code == INTERNAL
    assert caught.value.__suppress_context__
    assert "RuntimeError in broken" in told
    assert "Ada" not in told


def test_tracebacks_never_show_locals() -> None:
    assert app.pretty_exceptions_enable is False
