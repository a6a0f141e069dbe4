"""A report as HTML for notebooks: no script, no link, every text escaped."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from privguard.core.audit import RestoreEvent
from privguard.core.plan import Action
from privguard.showing.report import Part, Piece, Report, Row, visible

MOST_CHARACTERS = 4_000  # of one text
MOST_ROWS = 200  # of a table, and texts

_COLOURS = {Action.RETAIN: "#1a7f37", Action.ABSTRACT: "#9a6700", Action.REDACT: "#cf222e"}
_CELL = "text-align:left;vertical-align:top;padding:1px 12px 1px 0"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;margin:2px 0 8px 0;font-family:monospace"


def html_of(report: Report) -> str:
    """Write a report."""
    blocks = [
        f"<b>{_text(report.title)}</b>",
        _table((), ((name, value) for name, value in report.facts)),
        _decisions(report.rows, originals=report.shows_originals),
        *_parts(report.parts),
        _events(report.events),
        f"<i>{_text(report.footer)}</i>" if report.footer else "",
    ]
    return "<div>" + "".join(block for block in blocks if block) + "</div>"


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _decisions(rows: Sequence[Row], *, originals: bool) -> str:
    if not rows:
        return "<p>nothing to minimize was found</p>"
    heads = ["where", "type", "action", "reason", "p survive", "leaves as", *(["original"] if originals else [])]
    cells = (
        [
            row.path,
            row.kind,
            row.action,
            row.reason,
            f"{row.p_survive:.2f}",
            row.leaves_as or f"it is ({row.length} characters)",
            *([row.original or ""] if originals else []),
        ]
        for row in rows[:MOST_ROWS]
    )
    return _table(heads, cells) + _more(len(rows), "decisions")


def _events(events: Sequence[RestoreEvent]) -> str:
    if not events:
        return ""
    heads = ("reply", "where", "placeholder", "how", "times")
    cells = (
        [
            each.event.value,
            each.path,
            f"{each.kind}_{each.placeholder_id}" if each.placeholder_id else each.kind,
            each.cause.value if each.cause else each.match.value if each.match else "",
            str(each.count),
        ]
        for each in events[:MOST_ROWS]
    )
    return _table(heads, cells) + _more(len(events), "events")


def _parts(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts[:MOST_ROWS]:
        yield f"<div><small>{_text(part.path)}</small>"
        if part.given:
            yield f"<div style='{_TEXT}'><bdi>{_pieces(part.given)}</bdi></div>"
        yield f"<div style='{_TEXT}'><bdi>{_pieces(part.sent)}</bdi></div></div>"
    yield _more(len(parts), "texts")


def _pieces(pieces: Iterable[Piece]) -> str:
    written: list[str] = []
    room = MOST_CHARACTERS
    for piece in pieces:
        shown = _text(piece.text[:room])
        colour = "" if piece.action is None else _COLOURS[piece.action]
        written.append(f"<b style='color:{colour}'>{shown}</b>" if colour else shown)
        room -= len(piece.text)
        if room <= 0:
            written.append(" …")
            break
    return "".join(written)


def _more(count: int, what: str) -> str:
    return f"<p>… {count - MOST_ROWS} more {what}</p>" if count > MOST_ROWS else ""


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th style='{_CELL}'>{_text(each)}</th>" for each in heads)
    lines = ["".join(f"<td style='{_CELL}'>{_text(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
