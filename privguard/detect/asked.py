"""The letters that mark who asks and who answers: `Q.` and `A.` of a deposition are nobody's initials."""

from collections.abc import Iterable

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.ordinary import is_name_too, is_ordinary

_PAIRS = (("Q", "A"), ("F", "A"), ("D", "R"), ("P", "R"), ("V", "A"), ("В", "О"))  # noqa: RUF001 - the last are Cyrillic
_LEAST = 3  # marks of a pair in a text
# Behind the number of a page or a line.
_MARK = lazy_pattern(r"(?<![^\n])[ \t]{0,8}(?:\d{1,4}(?:[:.]\d{1,3})?[.:)]?[ \t]{1,4})?(?P<v>[A-ZВО])[.:](?=\s)")  # noqa: RUF001
_MARKED = lazy_pattern(r"(?P<v>[A-ZВО])(?:[.:]?\s*(?P<rest>[^\W\d_]+)?)?")  # noqa: RUF001


def without_marks(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Leave out persons that are such a mark where a line begins, alone or with a word behind it that is no name.

    `A. Roth` is a name there as well. A text has such marks where both of a pair stand in it, three times together.
    """
    given = tuple(spans)
    doubtful = {span for span in given if _is_mark(text, span)}
    marks = _marks(text) if doubtful else ()
    return tuple(span for span in given if span.start not in marks or span not in doubtful)


def _is_mark(text: str, span: Span) -> bool:
    """Tell whether this is a letter alone, or with a word behind it that is no name."""
    marked = _MARKED.fullmatch(text, span.start, span.end) if span.kind is EntityType.PERSON else None
    word = marked and marked["rest"]
    return marked is not None and (not word or (is_ordinary(word) and not is_name_too(word)))


def _marks(text: str) -> frozenset[int]:
    """Return where the marks of a text stand."""
    places: dict[str, list[int]] = {}
    for match in _MARK.finditer(text):
        places.setdefault(match["v"], []).append(match.start("v"))
    found: set[int] = set()
    for asks, answers in _PAIRS:
        both = places.get(asks, []), places.get(answers, [])
        if all(both) and sum(map(len, both)) >= _LEAST:
            found.update(*both)
    return frozenset(found)
