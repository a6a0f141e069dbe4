"""One value, one type: where detectors disagree about the mentions of a value, the first mention decides.

A surer type counts from the message on in which it is found: what was said before keeps its type, so that it leaves
as it left.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from privguard.core.entities import Category, EntityType
from privguard.core.letters import folded, one_spaced
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.merge import CERTAIN, is_labelled

Name = TypeVar("Name", str, bytes)
Row: TypeAlias = tuple[Span, ...]


def agree(segments: Sequence[Segment], rows: Sequence[Row]) -> tuple[Row, ...]:
    """Give equal values, compared folded and whatever white space is in them, one type.

    A name detector that reads one mention as a person and the next as a place would split one entity into two
    placeholders. A secret wins over all, then an identity or account number behind its label, then a certain direct
    identifier, else the first mention.
    """
    names = [
        [name_of(segment.text[span.start : span.end]) for span in row]
        for segment, row in zip(segments, rows, strict=True)
    ]
    return agree_by(names, rows)


def name_of(value: str) -> str:
    """Return what makes values equal here."""
    return one_spaced(folded(value))


def agree_by(
    names: Sequence[Sequence[Name]], rows: Sequence[Row], turns: Sequence[Sequence[int]] | None = None
) -> tuple[Row, ...]:
    """Give spans of one name one type, see `agree`.

    Args:
        names: of each span, whatever is equal for equal values.
        rows: the spans.
        turns: the rows of each message, in the order of the conversation; default: all are of one.
    """
    best: dict[Name, tuple[int, EntityType]] = {}
    result = list(rows)
    for turn in (range(len(rows)),) if turns is None else turns:
        if _learn(best, [(names[index], rows[index]) for index in turn]):
            for index in turn:
                result[index] = tuple(
                    span if best[name][1] is span.kind else replace(span, kind=best[name][1])
                    for name, span in zip(names[index], rows[index], strict=True)
                )
    return tuple(result)


def _learn(best: dict[Name, tuple[int, EntityType]], said: Sequence[tuple[Sequence[Name], Row]]) -> bool:
    """Take in the types of one message; return whether a span has another type than its name."""
    torn = False
    for names, row in said:
        for name, span in zip(names, row, strict=True):
            held = best.get(name)
            if held is None:
                best[name] = _rank(span), span.kind
                continue
            torn |= held[1] is not span.kind
            if _rank(span) > held[0]:
                best[name] = _rank(span), span.kind
    return torn


def _rank(span: Span) -> int:
    if span.kind is EntityType.SECRET:
        return 3
    if is_labelled(span):
        return 2
    return int(span.kind.category is Category.DIRECT and span.score >= CERTAIN)
