"""Who speaks, by the given name before the colon of a line: `Karin: when?` in a chat, with or without a time."""

from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.named import is_given_name
from privguard.detect.ordinary import is_name_too, is_ordinary
from privguard.detect.prepared import Prepared, line_start, places_of

_SCORE = 0.7
_LONGEST = 56  # code points from the beginning of the line to the colon
_SPEAKER = lazy_pattern(
    r"(?:[\[(]?\d[\d:., /-]{3,20}(?:[AP]M)?[\])]?,?[ \t](?:[-\u2013][ \t])?)?"
    r"(?P<v>[^\W\d_]{3,16})(?:[ \t]\([^()\n]{1,20}\))?(?=:[ \t\r\n])"
)


def find_speakers(view: Prepared) -> Iterator[Span]:
    """Find given names of the lists that a line begins with and a colon follows; none that are words as well."""
    text = view.text
    for colon in places_of(text, ": ", ":\t", ":\n"):
        line = line_start(text, colon, within=_LONGEST)
        speaker = None if line is None else _SPEAKER.match(text, line)
        if speaker and speaker.end() == colon and _is_name(speaker["v"]):
            start, end = speaker.span("v")
            yield Span(start=start, end=end, kind=EntityType.PERSON, score=_SCORE, source="rules/speaker")


def _is_name(word: str) -> bool:
    return word[0].isupper() and not (is_ordinary(word) or is_name_too(word)) and is_given_name(word)
