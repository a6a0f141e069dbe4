"""In which sentence a mention stands."""

from collections.abc import Iterator, Sequence

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.linking.generations import WORDS as GENERATIONS
from privguard.detect.linking.titles import TITLES

_END = lazy_pattern(r"[.!?\u2026][\"')\]\u00bb\u201d\u2019]*(?=\s|\Z)|[;\u2022\u3002\uff01\uff1f\uff1b]|[\n\r]")
_LAST_WORD = lazy_pattern(r"[^\W\d_]+(?:\.[^\W\d_]+)*\Z")
_NEXT = lazy_pattern(r"\s*(\S)")
_ABBREVIATIONS = frozenset(("vs", "etc", "resp", "bzw", "approx", "ca", "cf", "geb", "st", "no", "nr"))
_MAX_GAP = 400  # code points: no sentence is longer between two names


def number_sentences(text: str, spans: Sequence[Span], numbers: Iterator[int]) -> list[int | None]:
    """Return the number of the sentence that each mention of a person stands in; None for all other spans.

    Args:
        text: the text.
        spans: its spans, sorted and disjoint.
        numbers: numbers that no sentence of the request has yet.
    """
    found: list[int | None] = []
    current, end = -1, -1
    for span in spans:
        if span.kind is not EntityType.PERSON:
            found.append(None)
            continue
        if end < 0 or ends_between(text[end : span.start]):
            current = next(numbers)
        found.append(current)
        end = span.end
    return found


def ends_between(gap: str) -> bool:
    """Tell whether a sentence ends in the text between two mentions."""
    return len(gap) > _MAX_GAP or next(sentence_ends(gap), None) is not None


def sentence_ends(text: str) -> Iterator[int]:
    """Yield the offsets behind which a sentence ends in a text.

    A full stop behind a title, an initial or an abbreviation, and whatever goes on in small letters, end none.
    """
    for match in _END.finditer(text):
        following = _NEXT.match(text, match.end())
        if following is not None and following[1].islower() and match[0][0] not in ";\u2022\uff1b":
            continue
        if match[0] == "." and _is_abbreviated(text[: match.start()]):
            continue
        yield match.end()


def _is_abbreviated(before: str) -> bool:
    last = _LAST_WORD.search(before[-16:])
    if last is None:
        return False
    word = last[0].lower()
    return len(word) == 1 or "." in word or word in TITLES or word in GENERATIONS or word in _ABBREVIATIONS
