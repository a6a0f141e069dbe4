"""The command tree, and the promise that no error shows content."""

import traceback
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from privguard import __version__
from privguard.cli.audit import app as audit_app
from privguard.cli.demo import demo
from privguard.cli.doctor import doctor
from privguard.cli.minimize import minimize
from privguard.cli.plugins import add_commands
from privguard.cli.train import app as train_app
from privguard.cli.vault import app as vault_app
from privguard.core.errors import PrivguardError

_UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # which has no public name
REFUSED = 2  # exit code of an error of privguard, and of wrong options
INTERNAL = 70  # exit code of a fault in privguard itself


class _Commands(TyperGroup):
    """Print the errors of privguard as one line: their messages hold no content, a traceback might.

    Those of options as well, which come in a box otherwise, broken where the terminal ends.
    """

    def make_context(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401 - typer's own, whose types are private
        """Read the options before the command."""
        try:
            return super().make_context(*args, **extra)
        except _UsageError as error:
            raise _refused(error) from None

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override] # typer's own context, whose base is private
        """Run the command."""
        try:
            return super().invoke(ctx)
        except PrivguardError as error:
            complain(f"{type(error).__name__}: {error}")
            raise typer.Exit(REFUSED) from None
        except _UsageError as error:
            raise _refused(error) from None


app = typer.Typer(
    cls=_Commands,
    help="Send the least that the target model needs, give the caller the full answer back, and prove both.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("minimize")(minimize)
app.command("demo")(demo)
app.command("doctor")(doctor)
app.add_typer(audit_app, name="audit")
app.add_typer(train_app, name="train")
app.add_typer(vault_app, name="vault")
add_commands(app, taken=("minimize", "demo", "doctor", "audit", "train", "vault"))


def main(run: Callable[[], object] = app) -> None:
    """Run the command line and exit. A fault of our own is named by its class and place, never by its text."""
    try:
        run()
    except Exception as error:  # noqa: BLE001 - the last line of defence: the message may hold content
        frame = traceback.extract_tb(error.__traceback__)[-1]
        complain(f"internal error: {type(error).__name__} in {frame.name}, {frame.filename}:{frame.lineno}")
        raise SystemExit(INTERNAL) from None


def complain(message: str) -> None:
    """Print one red line on standard error."""
    typer.secho(" ".join(message.split()), fg=typer.colors.RED, err=True)


def _refused(error: Any) -> typer.Exit:  # noqa: ANN401 - typer's own, whose base is private
    """Print what is wrong with the options, and where the right ones are told."""
    message = error.format_message()
    if not message:  # without anything the help is shown, and was
        return typer.Exit(error.exit_code)
    told = "" if error.ctx is None else f" Try '{error.ctx.command_path} --help'."
    complain(f"{message}{told}")
    return typer.Exit(error.exit_code)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"privguard {__version__}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Send the least that the target model needs, give the caller the full answer back, and prove both."""
