"""Terms of the caller: what must never leave, and what may."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from privguard.core.entities import EntityType
from privguard.core.letters import folded, one_spaced
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.bare import readings
from privguard.detect.codes import written_views
from privguard.detect.terms import TermBook

SOURCE = "lists/deny"
_WILDCARDS = frozenset("*?[")


class DenyBook:
    """The denied terms, indexed once for many texts."""

    def __init__(self, deny: Mapping[str, EntityType]) -> None:
        terms = sorted(deny)
        self._kinds = [deny[term] for term in terms]
        self._book = TermBook(terms)

    def find(self, text: str) -> tuple[Span, ...]:
        """Find the terms in every spelling that a reader takes for them.

        In any letter case, with other separators or none, in codes and compatibility forms, garbled as mojibake, with
        what is invisible or markup within; terms of four letters and more also within words and identifiers. Spans may
        overlap.
        """
        if not self._kinds:
            return ()
        found = dict.fromkeys(self._places(text))
        for view in written_views(text):
            for start, end, number in self._places(view.text):
                if view.touches(start, end):
                    found[*view.back(start, end), number] = None
        return tuple(
            Span(start=start, end=end, kind=self._kinds[number], score=1.0, source=SOURCE)
            for start, end, number in found
        )

    def _places(self, text: str) -> Iterator[tuple[int, int, int]]:
        return (place for reading in readings(text) for place in self._book.find(reading))


def find_denied(segments: Sequence[Segment], deny: Mapping[str, EntityType]) -> tuple[tuple[Span, ...], ...]:
    """Find the denied terms in every segment, see `DenyBook.find`."""
    book = DenyBook(deny)
    return tuple(book.find(segment.text) for segment in segments)


def touched(spans: Sequence[Span], denied: Iterable[Span]) -> tuple[bool, ...]:
    """Tell of each span, sorted and disjoint, whether it holds anything of a denied term."""
    terms = sorted((term.start, term.end) for term in denied)
    marks: list[bool] = []
    at, reach = 0, -1
    for span in spans:
        while at < len(terms) and terms[at][0] < span.end:
            reach = max(reach, terms[at][1])
            at += 1
        marks.append(reach > span.start)
    return tuple(marks)


class Allowed:
    """The allowed terms, read once for many values; `*`, `?` and `[…]` in them are wildcards."""

    def __init__(self, allow: Sequence[str]) -> None:
        self._terms = frozenset([_plain(term) for term in allow])
        self._patterns = [term for term in self._terms if not _WILDCARDS.isdisjoint(term)]

    def __bool__(self) -> bool:
        """Tell whether there is any term."""
        return bool(self._terms)

    def __contains__(self, value: str) -> bool:
        """Tell whether a whole value is one of the terms. Only those with wildcards are tried one after the other."""
        if not self._terms:
            return False
        folded = _plain(value)
        return folded in self._terms or any(fnmatchcase(folded, pattern) for pattern in self._patterns)


def is_allowed(value: str, allow: Sequence[str]) -> bool:
    """Tell whether a whole value is one of the allowed terms, in which `*`, `?` and `[…]` are wildcards."""
    return value in Allowed(allow)


def _plain(text: str) -> str:
    return one_spaced(folded(text))
