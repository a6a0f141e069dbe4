"""One value, one type: where detectors disagree about the mentions of a value, the first mention decides."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from privguard.core.entities import Category, EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.merge import CERTAIN

Name = TypeVar("Name", str, bytes)


def agree(segments: Sequence[Segment], rows: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """Give equal values, compared without letter case and white space, one type.

    A name detector that reads one mention as a person and the next as a place would split one entity into two
    placeholders. A secret wins over all, a certain direct identifier over the rest, else the first mention, so that
    a conversation that goes on does not rename its entities.
    """
    names = [
        [name_of(segment.text[span.start : span.end]) for span in row]
        for segment, row in zip(segments, rows, strict=True)
    ]
    return agree_by(names, rows)


def name_of(value: str) -> str:
    """Return what makes values equal here."""
    return " ".join(value.casefold().split())


def agree_by(names: Sequence[Sequence[Name]], rows: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """Give spans of one name one type, see `agree`.

    Args:
        names: of each span, whatever is equal for equal values.
        rows: the spans.
    """
    best: dict[Name, tuple[int, EntityType]] = {}
    torn: set[Name] = set()  # the names of more than one type
    for row_names, row in zip(names, rows, strict=True):
        for name, span in zip(row_names, row, strict=True):
            held = best.get(name)
            if held is None:
                best[name] = _rank(span), span.kind
            elif held[1] is not span.kind:
                torn.add(name)
                if _rank(span) > held[0]:
                    best[name] = _rank(span), span.kind
            elif held[0] == 0 and _rank(span) > 0:
                best[name] = _rank(span), span.kind
    if not torn:
        return tuple(rows)
    return tuple(
        tuple(
            span if best[name][1] is span.kind else replace(span, kind=best[name][1])
            for name, span in zip(row_names, row, strict=True)
        )
        for row_names, row in zip(names, rows, strict=True)
    )


def _rank(span: Span) -> int:
    if span.kind is EntityType.SECRET:
        return 2
    return int(span.kind.category is Category.DIRECT and span.score >= CERTAIN)
