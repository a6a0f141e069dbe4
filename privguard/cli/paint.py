"""Show a plan: the text with its spans in colour, and a table of the decisions."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from privguard.core.plan import Action, Decision
from privguard.core.targets import TargetModel
from privguard.showing.console import STYLES
from privguard.showing.report import visible
from privguard.testing.found import PLACEHOLDER


def paint_spans(text: str, decisions: Iterable[Decision]) -> Text:
    """Colour every span of an original text by its action."""
    painted = Text(visible(text))
    for decision in decisions:
        painted.stylize(f"bold {STYLES[decision.action]}", decision.span.start, decision.span.end)
    return painted


def paint_replacements(text: str, decisions: Iterable[Decision] = ()) -> Text:
    """Colour the placeholders of a minimized text, those of abstracted spans like the spans."""
    abstracted = {each.placeholder_id for each in decisions if each.action is Action.ABSTRACT}
    painted = Text(visible(text))
    for match in PLACEHOLDER.finditer(visible(text)):
        style = STYLES[Action.ABSTRACT if match[3] or match[2] in abstracted else Action.REDACT]
        painted.stylize(f"bold {style}", *match.span())
    return painted


def paint_values(text: str, values: Iterable[str], style: str = "bold cyan") -> Text:
    """Colour every mention of some values."""
    painted = Text(visible(text))
    for value in values:
        start = text.find(value)
        while value and start >= 0:
            painted.stylize(style, start, start + len(value))
            start = text.find(value, start + len(value))
    return painted


def panel(title: str, body: Text | Group | Table, style: str = "blue") -> Panel:
    """Frame a text."""
    return Panel(body, title=f"[bold]{title}[/bold]", title_align="left", border_style=style)


def decisions_table(text: str, decisions: Sequence[Decision]) -> Table:
    """List the decisions: what stood there, what is done, why, and how likely the answer survives it."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=False)
    table.caption, table.caption_justify = "p survive: how likely the answer survives the action", "left"
    for name in ("span", "type", "action", "reason"):
        table.add_column(name)
    table.add_column("p survive", justify="right")
    table.add_column("leaves as", overflow="fold")
    for each in decisions:
        original = visible(text[each.span.start : each.span.end])
        table.add_row(
            Text(f"{each.span.start}-{each.span.end}"),
            Text(each.span.kind.value),
            Text(each.action.name, style=STYLES[each.action]),
            Text(each.reason.value),
            Text(f"{each.p_survive:.2f}"),
            Text(original if each.replacement is None else visible(each.replacement)),
        )
    return table


def legend() -> Text:
    """Explain the colours."""
    parts: list[str | tuple[str, str]] = []
    for action, style in STYLES.items():
        parts += [(action.name, f"bold {style}"), "  "]
    return Text.assemble(*parts)


def describe_target(target: TargetModel) -> Text:
    """Say how capable the target is, and on what evidence; an unknown model is named as one."""
    line = Text(f"target {visible(target.name)}: theta {target.theta:+.2f}, {target.provenance.value}")
    line.append(f" (pattern {target.pattern})", style="dim")
    line.append("\ntheta: how capable the target model is, in logits, from about -2 (weak) to +1 (strong)", style="dim")
    if not target.known:
        line.append(
            "\nunknown model: its capability is assumed. Set theta for it in the profile file.", style="bold yellow"
        )
    return line
