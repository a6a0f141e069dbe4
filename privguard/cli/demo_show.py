"""Show the scenes of the demo."""

import json
from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from privguard.cli import paint
from privguard.cli.demo_scenes import Play, Scene
from privguard.core.audit import AuditRecord, Event
from privguard.core.plan import Action, Plan
from privguard.showing.console import STYLES

_BORDER = "\u2502"


def show(console: Console, play: Play) -> bool:
    """Print everything, and return whether every promise held."""
    console.print(_heading(play))
    console.print(paint.describe_target(play.target))
    console.print(paint.legend())
    for number, scene in enumerate(play.scenes, start=1):
        console.print()
        console.print(Rule(Text(f"{number}. {scene.title}", style="bold"), align="left", style="dim"))
        for panel in _panels(scene):
            console.print(panel)
        if max(len(scene.raw), len(scene.got)) > 1:
            console.print(Text(f"{_BORDER} marks where one event of the stream ends and the next begins", style="dim"))
        if number == 1:
            console.print(paint.decisions_table(scene.prompt, scene.decisions))
            console.print(Text("\nthe same prompt for other models: a weaker one is told more", style="dim"))
            console.print(_targets_table(play.others))
    console.print()
    console.print(Rule(Text("the record", style="bold"), align="left", style="dim"))
    console.print(_records_table(play.records))
    for check in play.checks:
        mark = ("held    ", "bold green") if check.held else ("BROKEN  ", "bold red")
        console.print(Text.assemble(mark, check.promise))
    return all(check.held for check in play.checks)


def _heading(play: Play) -> Text:
    if play.host:
        return Text.assemble(("privguard demo", "bold"), f", the model at {play.host}. All values are invented.")
    return Text.assemble(
        ("privguard demo", "bold"),
        ", the real OpenAI SDK against a ",
        ("scripted server: no model is involved", "bold"),
        ". All values are invented.",
    )


def _panels(scene: Scene) -> list[object]:
    values = tuple(sorted(scene.values, key=len, reverse=True))
    panels: list[object] = [
        paint.panel("asked", paint.paint_spans(scene.prompt, scene.decisions)),
        paint.panel("left this machine", paint.paint_replacements(scene.left, scene.decisions), "magenta"),
    ]
    if scene.raw:
        raw = [paint.paint_replacements(_readable(piece), scene.decisions) for piece in scene.raw]
        panels.append(paint.panel("came back", _joined(raw), "magenta"))
    got = [paint.paint_values(_readable(piece), values) for piece in scene.got]
    panels.append(paint.panel("the caller got", _joined(got), "green"))
    return panels


def _readable(piece: str) -> str:
    """Indent a JSON document; anything else stays as it is."""
    try:
        document = json.loads(piece)
    except ValueError:
        return piece
    return json.dumps(document, indent=2, ensure_ascii=False) if isinstance(document, dict) else piece


def _joined(pieces: list[Text]) -> Text:
    """Set the events of a stream side by side with a mark between them."""
    return Text(_BORDER, style="dim").join(pieces)


def _targets_table(plans: tuple[Plan, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("target", "theta", "evidence"):
        table.add_column(name)
    for action, style in STYLES.items():
        table.add_column(Text(action.name, style=style), justify="right")
    for plan in plans:
        counts = Counter(decision.action for decision in plan)
        row = (plan.target.name, f"{plan.target.theta:+.2f}", plan.target.provenance.value)
        table.add_row(*row, *(str(counts[action]) for action in STYLES))
    return table


def _records_table(records: tuple[AuditRecord, ...]) -> Group:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("route", "target", "outcome", "spans", "in the reply", "ms"):
        # Whole, however long the times are.
        table.add_column(name, overflow="fold", no_wrap=name in {"route", "ms"})
    for record in records:
        actions = Counter(decision.action for decision in record.decisions)
        events: Counter[Event] = Counter()
        for event in record.events:
            events[event.event] += event.count
        table.add_row(
            record.route,
            record.target,
            record.outcome.value,
            ", ".join(f"{actions[action.name]} {action.name}" for action in Action if actions[action.name]),
            ", ".join(f"{events[event]} {event.value}" for event in Event if events[event]),
            f"{sum((record.stage_ms or {}).values()):.1f}",
        )
    return Group(
        table, Text("kept per decision: path, type, action, reason, length and placeholder; no value\n", "dim")
    )
