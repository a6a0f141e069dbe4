from rich.console import Console, RenderableType

from privguard.cli import paint
from privguard.core.entities import EntityType
from privguard.core.plan import Action, Decision, Reason
from privguard.core.spans import Span
from privguard.core.targets import Provenance, TargetModel

TEXT = "I am Ada Roth in Bern"


def decide(start: int, end: int, action: Action, replacement: str | None = None) -> Decision:
    return Decision(
        span=Span(start=start, end=end, kind=EntityType.PERSON, score=1.0, source="x"),
        action=action,
        reason=Reason.NEED,
        p_survive=0.876,
        placeholder_id="7QK2" if replacement else None,
        replacement=replacement,
    )


DECISIONS = (decide(5, 13, Action.REDACT, "[PERSON_7QK2]"), decide(17, 21, Action.RETAIN))


def shown(thing: RenderableType) -> str:
    console = Console(width=100, highlight=False)
    with console.capture() as capture:
        console.print(thing)
    return capture.get()


def test_spans_are_coloured_by_action_in_code_points() -> None:
    painted = paint.paint_spans(TEXT, DECISIONS)
    assert [(span.start, span.end, str(span.style)) for span in painted.spans] == [
        (5, 13, "bold red"),
        (17, 21, "bold green"),
    ]
    assert painted.plain == TEXT


def test_markup_in_the_text_is_text() -> None:
    assert shown(paint.paint_spans("[red]x[/red]", ())) == "[red]x[/red]\n"
    assert "[b]x" in shown(paint.panel("t", paint.paint_replacements("[b]x")))


def test_placeholders_are_coloured_by_what_happened_to_their_span() -> None:
    painted = paint.paint_replacements(
        "[DATE_A2B3: spring] [DATE_A2B3] [PERSON_7QK2]", [decide(0, 1, Action.ABSTRACT, "x")]
    )
    assert [str(span.style) for span in painted.spans] == ["bold yellow", "bold red", "bold yellow"]


def test_every_mention_of_a_value_is_coloured() -> None:
    painted = paint.paint_values("ab ab", ["ab", "", "zz"])
    assert [(span.start, span.end) for span in painted.spans] == [(0, 2), (3, 5)]


def test_the_table_says_what_why_and_how_sure() -> None:
    table = shown(paint.decisions_table(TEXT, DECISIONS))
    for word in ("5-13", "PERSON", "REDACT", "need", "0.88", "[PERSON_7QK2]", "RETAIN", "Bern"):
        assert word in table
    assert "Ada Roth" not in table


def test_an_unknown_model_is_named_as_one() -> None:
    known = TargetModel(name="m", theta=1.0, provenance=Provenance.PUBLISHED, pattern="m*")
    unknown = TargetModel(name="m", theta=1.0, provenance=Provenance.ASSUMED, pattern="*")
    assert "unknown model" not in paint.describe_target(known).plain
    assert "unknown model" in paint.describe_target(unknown).plain
    assert "RETAIN" in paint.legend().plain
