"""`privguard demo`: a real SDK client, wrapped by one line, and everything that can be seen of it."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from privguard.cli.settings import DeviceOption, ModelOption
from privguard.core.errors import ConfigError

BROKEN = 1  # exit code: a promise did not hold
_WIDTH = 100

TargetOption = Annotated[
    str | None, typer.Option("--target", "-t", metavar="MODEL", help="The target model; a real provider must know it.")
]
ScriptedOption = Annotated[
    bool, typer.Option("--scripted", help="Stay on this machine even when OPENAI_BASE_URL or OPENAI_API_KEY is set.")
]
SvgOption = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Also draw the terminal into a file.")]


def demo(
    *,
    target: TargetOption = None,
    scripted: ScriptedOption = False,
    svg: SvgOption = None,
    model: ModelOption = None,
    device: DeviceOption = None,
) -> None:
    """Watch a wrapped OpenAI client: what is asked, what leaves, what comes back, what the caller gets.

    Runs against a scripted server on this machine, with no target model involved,
    unless OPENAI_BASE_URL or OPENAI_API_KEY is set. All values are invented. The
    exit code is 1 when a value left in clear or did not come back.
    """
    if find_spec("openai") is None:
        raise ConfigError("the demo needs the OpenAI SDK: pip install 'privguard[openai]'")
    from rich.console import CONSOLE_SVG_FORMAT, Console  # type: ignore[attr-defined] # its template, not in __all__

    from privguard.cli.demo_scenes import play
    from privguard.cli.demo_show import show

    console = Console(record=svg is not None, highlight=False, width=_WIDTH if svg else None)
    if not svg and console.width > _WIDTH:
        console.width = _WIDTH
    ok = show(console, play(target=target, scripted=scripted, model=model, device=device))
    if svg is not None:
        try:
            console.save_svg(str(svg), title="privguard demo", code_format=_own_fonts(CONSOLE_SVG_FORMAT))
        except OSError as error:
            raise ConfigError(f"--svg cannot be written: {error.strerror or type(error).__name__}") from None
    if not ok:
        raise typer.Exit(BROKEN)


def _own_fonts(template: str) -> str:
    """Drop the fonts that the picture would fetch from elsewhere: whoever looks at it calls nobody."""
    return re.sub(r"@font-face \{\{.*?\}\}\s*", "", template, flags=re.DOTALL)
