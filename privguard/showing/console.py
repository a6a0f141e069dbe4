"""A report for a terminal, with rich. No text of it is read as markup."""

from collections.abc import Iterable, Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from privguard.core.plan import Action
from privguard.showing.report import Piece, Report, visible

STYLES = {Action.RETAIN: "green", Action.ABSTRACT: "yellow", Action.REDACT: "red"}


def renderable_of(report: Report) -> Group:
    """Lay a report out."""
    return Group(*_blocks(report))


def _blocks(report: Report) -> Iterator[RenderableType]:
    yield Text(visible(report.title), style="bold")
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, value in report.facts:
        grid.add_row(Text(visible(name), style="dim"), Text(visible(value)))
    yield grid
    for part in report.parts:
        if part.given:
            yield Panel(painted(part.given), title=Text(f"given: {visible(part.path)}"), title_align="left")
        yield Panel(painted(part.sent), title=Text(visible(part.path)), title_align="left", border_style="green")
    yield _decisions(report) if report.rows else Text("nothing to minimize was found")
    if report.events:
        yield _events(report)
    if report.footer:
        yield Text(visible(report.footer), style="dim")


def painted(pieces: Iterable[Piece]) -> Text:
    """Colour the spans of a text by their actions."""
    text = Text()
    for piece in pieces:
        text.append(visible(piece.text), style="" if piece.action is None else f"bold {STYLES[piece.action]}")
    return text


def _decisions(report: Report) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=False)
    for name in ("where", "type", "action", "reason"):
        table.add_column(name)
    table.add_column("p survive", justify="right")
    table.add_column("leaves as", overflow="fold")
    if report.shows_originals:
        table.add_column("original", overflow="fold")
    for row in report.rows:
        cells = [
            Text(visible(row.path)),
            Text(visible(row.kind)),
            Text(row.action, style=STYLES[Action[row.action]]),
            Text(visible(row.reason)),
            Text(f"{row.p_survive:.2f}"),
            Text(visible(row.leaves_as) or f"it is ({row.length} characters)"),
        ]
        table.add_row(*cells, *([Text(visible(row.original or ""))] if report.shows_originals else []))
    return table


def _events(report: Report) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=False)
    for name in ("reply", "where", "placeholder", "how", "times"):
        table.add_column(name)
    for each in report.events:
        how = each.cause.value if each.cause else each.match.value if each.match else ""
        placeholder = f"{each.kind}_{each.placeholder_id}" if each.placeholder_id else each.kind
        table.add_row(
            *[Text(visible(cell)) for cell in (each.event.value, each.path, placeholder, how, str(each.count))]
        )
    return table
