"""On a terminal no text is read as markup, and none reaches it with control characters."""

from dataclasses import replace

from rich.console import Console

from privguard.core.plan import Action
from privguard.showing.console import STYLES, painted, renderable_of
from privguard.showing.report import Piece, Report


def shown(report: Report) -> str:
    console = Console(width=300, highlight=False)
    with console.capture() as capture:
        console.print(renderable_of(report))
    return capture.get()


def test_no_text_is_read_as_markup_or_as_a_code_of_the_terminal(hostile: Report) -> None:
    text = shown(hostile)
    assert text.count("[bold]m[/bold]") >= 18
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_originals_and_events_are_shown_only_where_there_are_any(hostile: Report) -> None:
    assert "original" in shown(hostile)
    assert "refused" in shown(hostile)
    plain = shown(replace(hostile, rows=(), events=(), parts=(), footer=""))
    assert "original" not in plain
    assert "refused" not in plain
    assert "nothing to minimize was found" in plain


def test_spans_are_coloured_by_their_action() -> None:
    text = painted([Piece(text="I am "), *(Piece(text="x", action=action) for action in Action)])
    assert text.plain == "I am xxx"
    assert [str(span.style) for span in text.spans] == [f"bold {STYLES[action]}" for action in Action]
