"""Terms of the caller: what must never leave, and what may."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.phrases import PhraseBook, fold

SOURCE = "lists/deny"


class DenyBook:
    """The denied terms, indexed once for many texts."""

    def __init__(self, deny: Mapping[str, EntityType]) -> None:
        self._terms = sorted(deny)
        self._kinds = [deny[term] for term in self._terms]
        self._book = PhraseBook(self._terms)

    def find(self, text: str) -> tuple[Span, ...]:
        """Find the terms wherever they stand between word boundaries, whatever their letter case."""
        if not self._terms:
            return ()
        return tuple(
            Span(start=start, end=end, kind=self._kinds[number], score=1.0, source=SOURCE)
            for start, end, number in self._book.find(text)
        )


def find_denied(segments: Sequence[Segment], deny: Mapping[str, EntityType]) -> tuple[tuple[Span, ...], ...]:
    """Find the denied terms wherever they stand between word boundaries, whatever their letter case."""
    book = DenyBook(deny)
    return tuple(book.find(segment.text) for segment in segments)


class Allowed:
    """The allowed terms, read once for many values; `*`, `?` and `[…]` in them are wildcards."""

    def __init__(self, allow: Sequence[str]) -> None:
        self._terms = [_plain(term) for term in allow]

    def __bool__(self) -> bool:
        """Tell whether there is any term."""
        return bool(self._terms)

    def __contains__(self, value: str) -> bool:
        """Tell whether a whole value is one of the terms."""
        if not self._terms:
            return False
        folded = _plain(value)
        return any(folded == term or fnmatchcase(folded, term) for term in self._terms)


def is_allowed(value: str, allow: Sequence[str]) -> bool:
    """Tell whether a whole value is one of the allowed terms, in which `*`, `?` and `[…]` are wildcards."""
    return value in Allowed(allow)


def _plain(text: str) -> str:
    return " ".join(fold(text).text.split())
