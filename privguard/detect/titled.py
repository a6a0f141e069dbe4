"""Titles that the network takes for a person of their own: "Mrs" before "Roth" is no second person."""

from collections.abc import Iterable

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.pronouns import is_title

_BETWEEN = lazy_pattern(r"\.?[^\S\r\n]*")


def without_titles(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Leave out the spans that are titles alone and stand right before the span of a person, in the same line.

    A title that nobody follows is kept: it may be a name ("Don", "Dean").
    """
    given = tuple(spans)
    persons = {span.start for span in given if span.kind is EntityType.PERSON}
    return tuple(span for span in given if not _leads(text, span, persons))


def _leads(text: str, span: Span, persons: set[int]) -> bool:
    if span.kind is not EntityType.PERSON or not is_title(text[span.start : span.end]):
        return False
    between = _BETWEEN.match(text, span.end)
    return between is not None and between.end() > span.end and between.end() in persons


__all__ = ["without_titles"]
