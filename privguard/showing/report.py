"""What is shown of a request: its decisions, what left of it, what came back. Originals only where they are asked for.

A report is data. `html` and `console` write it, and escape every text in it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from privguard.core.audit import AuditRecord, DecisionRecord, RestoreEvent
from privguard.core.plan import Action, Decision
from privguard.core.segments import Segment
from privguard.core.targets import TargetModel
from privguard.detect.unread import find_unread
from privguard.guard import Content

# Control characters and halves of characters reach no terminal and no page: pictures stand for them.
_PICTURES = (
    {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}
    | {0x7F: 0x2421}
    | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
    | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
    # What turns the direction of a text would turn that of what stands beside it.
    | dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD)
)


def visible(text: str) -> str:
    """Replace what must not reach a terminal or a page, one character for one, so that offsets stay."""
    return text.translate(_PICTURES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a text: a span that was decided, or what stands between two."""

    text: str = field(repr=False)
    action: Action | None = None  # None: no span


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One text of the request."""

    path: str
    sent: tuple[Piece, ...]
    given: tuple[Piece, ...] = ()  # where originals are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One decision."""

    path: str
    kind: str
    action: str
    reason: str
    length: int  # code points of the original
    p_survive: float
    leaves_as: str = field(default="", repr=False)  # a placeholder or a phrase, "" where the span leaves as it is
    original: str | None = field(default=None, repr=False)  # where originals are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is shown of one request. Shows itself in notebooks and with rich."""

    title: str
    facts: tuple[tuple[str, str], ...]  # what is known of the request as a whole
    rows: tuple[Row, ...]
    parts: tuple[Part, ...] = ()  # of its content, where there is any to show
    events: tuple[RestoreEvent, ...] = ()  # of its reply
    footer: str = ""

    @property
    def shows_originals(self) -> bool:
        """Tell whether any original is in it."""
        return any(row.original is not None for row in self.rows)

    def _repr_html_(self) -> str:
        from privguard.showing.html import html_of

        return html_of(self)

    def __rich__(self) -> object:
        from privguard.showing.console import renderable_of

        return renderable_of(self)


def facts_of_target(target: TargetModel) -> tuple[tuple[str, str], ...]:
    """Return what is known of the model that reads the request."""
    known = "" if target.known else "; the model is not known: its capability is assumed"
    return (("target", f"{target.name}, theta {target.theta:+.2f}, {target.provenance.value}{known}"),)


def facts_of_unread(sent: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return how much leaves that the shipped models cannot read; nothing where they can read all of it."""
    length = sum(span.end - span.start for text in sent for span in find_unread(text))
    if not length:
        return ()
    return (
        ("not read", f"{length} characters in scripts or words that the models cannot read; see unread in the profile"),
    )


def rows_of_content(content: Content, *, originals: bool) -> tuple[Row, ...]:
    """Return the decisions with what leaves for each, and what stood there where that is asked for."""
    return tuple(
        Row(
            path=segment.path,
            kind=decision.span.kind.value,
            action=decision.action.name,
            reason=decision.reason.value,
            length=decision.span.length,
            p_survive=decision.p_survive,
            leaves_as=decision.replacement or "",
            original=segment.text[decision.span.start : decision.span.end] if originals else None,
        )
        for segment, decisions in zip(content.given, content.plan.decisions, strict=True)
        for decision in decisions
    )


def rows_of_record(record: AuditRecord) -> tuple[Row, ...]:
    """Return the decisions as a record tells them, without any content."""
    return tuple([_row(each) for each in record.decisions])


def _row(decision: DecisionRecord) -> Row:
    hidden = decision.placeholder_id
    return Row(
        path=decision.path,
        kind=decision.kind,
        action=decision.action,
        reason=decision.reason,
        length=decision.length,
        p_survive=decision.p_survive,
        leaves_as=f"{decision.kind}_{hidden}" if hidden else "",
    )


def parts_of_content(content: Content, *, originals: bool) -> tuple[Part, ...]:
    """Return the texts of the request in pieces, as they leave, and as they were given where that is asked for."""
    rows = zip(content.given, content.plan.decisions, strict=True)
    return tuple(
        [
            Part(
                path=segment.path,
                sent=tuple(_pieces(segment, decisions, _sent)),
                given=tuple(_pieces(segment, decisions, lambda _decision, text: text)) if originals else (),
            )
            for segment, decisions in rows
        ]
    )


def _sent(decision: Decision, text: str) -> str:
    return text if decision.replacement is None else decision.replacement


def _pieces(segment: Segment, decisions: Sequence[Decision], write: Callable[[Decision, str], str]) -> Iterator[Piece]:
    position = 0
    for each in decisions:
        if each.span.start > position:
            yield Piece(text=segment.text[position : each.span.start])
        yield Piece(text=write(each, segment.text[each.span.start : each.span.end]), action=each.action)
        position = each.span.end
    if position < len(segment.text):
        yield Piece(text=segment.text[position:])
