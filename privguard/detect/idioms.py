"""Ages that are nobody's: "explain it like I'm five" asks for simple words."""

from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span

_BEFORE = 40  # code points
_AS_IF = lazy_pattern(
    r"\b(?:like|as if|as though) (?:i['\u2019]?m|i am|i was|i were)(?: an?| only| just| about)? ?\Z"
    r"|\bals (?:w\u00e4re ich|ob ich)(?: erst| ein)? ?\Z|\balsof ik(?: een)? ?\Z"
    r"|\bcomme si j['\u2019](?:avais|\u00e9tais)(?: un)? ?\Z|\bcomo si (?:tuviera|tuviese|yo tuviera) ?\Z"
    r"|\bcomo se eu tivesse ?\Z|\bcome se (?:io )?avessi ?\Z",
)


def without_idioms(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Leave out the ages that somebody wants to be spoken to at."""
    for span in spans:
        if span.kind is not EntityType.AGE or not _AS_IF.search(
            text[max(0, span.start - _BEFORE) : span.start].lower()
        ):
            yield span
