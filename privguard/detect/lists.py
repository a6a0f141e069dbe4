"""Terms of the caller: what must never leave, and what may."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.phrases import PhraseBook, fold

SOURCE = "lists/deny"


def find_denied(segments: Sequence[Segment], deny: Mapping[str, EntityType]) -> tuple[tuple[Span, ...], ...]:
    """Find the denied terms wherever they stand between word boundaries, whatever their letter case."""
    terms = sorted(deny)
    if not terms:
        return ((),) * len(segments)
    book = PhraseBook(terms)
    return tuple(
        tuple(
            Span(start=start, end=end, kind=deny[terms[number]], score=1.0, source=SOURCE)
            for start, end, number in book.find(segment.text)
        )
        for segment in segments
    )


def is_allowed(value: str, allow: Sequence[str]) -> bool:
    """Tell whether a whole value is one of the allowed terms, in which `*`, `?` and `[…]` are wildcards."""
    if not allow:
        return False
    folded = _plain(value)
    return any(folded == term or fnmatchcase(folded, term) for term in map(_plain, allow))


def _plain(text: str) -> str:
    return " ".join(fold(text).text.split())
