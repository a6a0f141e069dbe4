"""One value, one type: where detectors disagree about the mentions of a value, the first mention decides."""

from collections.abc import Sequence
from dataclasses import replace

from privguard.core.entities import Category, EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.merge import CERTAIN


def agree(segments: Sequence[Segment], rows: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Give equal values, compared without letter case and white space, one type.

    A name detector that reads one mention as a person and the next as a place would split one entity into two
    placeholders. A secret wins over all, a certain direct identifier over the rest, else the first mention, so that
    a conversation that goes on does not rename its entities.
    """
    best: dict[str, tuple[int, EntityType]] = {}
    keys = [
        [" ".join(segment.text[span.start : span.end].casefold().split()) for span in row]
        for segment, row in zip(segments, rows, strict=True)
    ]
    for names, row in zip(keys, rows, strict=True):
        for name, span in zip(names, row, strict=True):
            if name not in best or _rank(span) > best[name][0]:
                best[name] = (_rank(span), span.kind)
    return tuple(
        tuple(
            span if best[name][1] is span.kind else replace(span, kind=best[name][1])
            for name, span in zip(names, row, strict=True)
        )
        for names, row in zip(keys, rows, strict=True)
    )


def _rank(span: Span) -> int:
    if span.kind is EntityType.SECRET:
        return 2
    return int(span.kind.category is Category.DIRECT and span.score >= CERTAIN)
