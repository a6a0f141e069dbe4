"""A span inside a link takes the whole link.

R never writes a value into a URL, so a placeholder in the middle of one could not come back; and a link with half of
its path replaced is no use to the model either.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from privguard.core.entities import Category, EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span

SOURCE = "rules/link"  # of a link that holds a direct identifier

# What begins a link, as R reads it. Looked for by its rare part, which the engine skips to: a scheme is read backwards
# from its colon.
_MARK = lazy_pattern(
    r"[:/Ww](?:(?<=:)(?://|\\\\)|(?:(?<=[Hh][Tt][Tt][Pp]:)|(?<=[Hh][Tt][Tt][Pp][Ss\u017f]:)|(?<=[Ff][Tt][Pp]:)"
    r"|(?<=[Ff][Tt][Pp][Ss\u017f]:)|(?<=[Ww][Ss\u017f]:)|(?<=[Ww][Ss\u017f][Ss\u017f]:)"
    r"|(?<=[Ff][Ii\u0130\u0131][Ll][Ee]:))(?=\S)"
    r"|(?<=[Ww])(?<![A-Za-z0-9\u0130\u0131\u017f\u212a].)[Ww][Ww]\.|(?:(?<=[\s\"'`(<>=,|{}\[\]]/)|(?<=\A/))/)"
)
_REST = lazy_pattern(r"[^\s<>\"`]*")
_SCHEME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
_LONGEST_SCHEME = 31
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
    result: list[Span] = []
    waiting = list(reversed(spans))
    for start, end in _links(text):
        while waiting and waiting[-1].end <= start:
            result.append(waiting.pop())
        inside: list[Span] = []
        while waiting and waiting[-1].start < end:
            inside.append(waiting.pop())
        if inside:
            waiting.append(_cover(start, end, text, inside))
    return (*result, *reversed(waiting))


def _links(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over the half-open intervals of all links, from the scheme to the next white space, `<`, `>` or quote."""
    end = 0
    for mark in _MARK.finditer(text):
        if mark.start() < end:
            continue
        start = mark.start()
        if mark[0][0] == ":":
            before = text[max(end, start - _LONGEST_SCHEME) : start]
            start -= len(before) - len(before.rstrip(_SCHEME_LETTERS))
        end = _REST.match(text, mark.start()).end()  # type: ignore[union-attr]  # matches nothing at the least
        yield start, end


def _cover(start: int, end: int, text: str, inside: Sequence[Span]) -> Span:
    end = start + len(text[start:end].rstrip(_CLOSING))
    start, end = min(start, inside[0].start), max(end, *(span.end for span in inside))
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
