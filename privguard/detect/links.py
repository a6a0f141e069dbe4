"""A span inside a link takes the whole link.

R never writes a value into a URL, so a placeholder in the middle of one could not come back; and a link with half of
its path replaced is no use to the model either.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from privguard.core.entities import Category, EntityType
from privguard.core.spans import Span

SOURCE = "rules/link"  # of a link that holds a direct identifier

_LINK = re.compile(
    r"(?i)(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:(?://|\\\\)|(?<![a-z0-9])(?:https?|ftps?|wss?|file):(?=\S)"
    r"|(?<![a-z0-9])www\.|(?:(?<=[\s\"'`(<>=,|{}\[\]])|\A)//(?=[^\s/]))[^\s<>\"`]*"
)
_CLOSING = ".,;:!?'\")]}*_|"


def take_links(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans with every link that one of them touches covered by a single span.

    Args:
        text: of the segment.
        spans: sorted and disjoint.

    Returns:
        Sorted and disjoint spans that cover at least what `spans` cover. A link is a SECRET if it holds one, else a
        URL from `SOURCE` if it holds a direct identifier, else of the type that it holds.
    """
    if not spans:
        return ()
    result = list(spans)
    for link in _LINK.finditer(text):
        inside = [span for span in result if span.start < link.end() and link.start() < span.end]
        if inside:
            covering = _cover(link, text, inside)
            result = sorted([*(span for span in result if span not in inside), covering], key=lambda span: span.start)
    return tuple(result)


def _cover(link: re.Match[str], text: str, inside: Sequence[Span]) -> Span:
    end = len(text[: link.end()].rstrip(_CLOSING))
    start, end = min(link.start(), inside[0].start), max(end, *(span.end for span in inside))
    if len(inside) == 1 and (inside[0].start, inside[0].end) == (start, end):
        return inside[0]
    chief = _chief(inside)
    if chief.kind.category is Category.DIRECT:
        chief = replace(chief, kind=EntityType.URL, source=SOURCE)
    return replace(chief, start=start, end=end)


def _chief(spans: Iterable[Span]) -> Span:
    """Return the most identifying span, the first of equals."""
    order = (Category.SECRET, Category.DIRECT, Category.SENSITIVE, Category.QUASI)
    return min(spans, key=lambda span: order.index(span.kind.category))
