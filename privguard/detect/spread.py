"""Carry a value that was found once to every other place where it stands, so that no missed mention leaks."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from privguard.core.entities import Category, EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.phrases import PhraseBook
from privguard.detect.spellings import SpellingBook

SOURCE = "spread"
MIN_LENGTH = 3
MIN_WORD = 6  # letters of a lower-case word: `admin` and `root` stand everywhere
MIN_DIGITS = 4

_NAME_PART = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")
# Parts of names that are words or months as well: they are no mention of anybody on their own.
_COMMON_PARTS = listed(
    "abbott abbot april art august autumn bank banks baker bell best bill bishop black blue bond brook brown bush "
    "carpenter cash chance chase christian church clay cook cross crystal dean dawn day dale daisy drew duke earl "
    "early east ernest faith field fields fisher ford forest fox frank friday gates gene glen good grace grant gray "
    "green grey guy hall harmony hill holiday hope house hunter iris ivy jack jewel joy judge june july junior king "
    "knight lake lane law lily long love major march mark marsh martin mason may mercy mill miller moon moore monday "
    "noble north page paris park parker parsons patience pearl penny pierce pope porter potter power price prince "
    "rain ray read reed rich river rob robin rock rose ruby rush sage sandy senior shepherd short silver skip sky "
    "smart smith snow south stone story strange street summer sunday sue taylor thursday town trip tuesday turner "
    "van wall ward wednesday week wells west white will winter wise wolf wood woods word young the and del der von "
    "dos das los las ben bin ibn abu miss mister missus madam doctor prof professor herr frau"
    ""
)


def spread(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Add a span at each further mention of a value, in all segments; linear in the length of the texts.

    Secrets must recur exactly, everything else in any letter case; ids and full names also with other separators or
    none, and what has a form of its own in URLs in that form. A part of a person's name counts where it is
    capitalised. Too short or too common values are not carried.
    """
    seeds = _collect(segments, spans)
    if not seeds:
        return tuple(tuple(row) for row in spans)
    secrets = sorted(value for value, seed in seeds.items() if seed.kind is EntityType.SECRET)
    values = sorted(value for value, seed in seeds.items() if seed.kind is not EntityType.SECRET)
    books = ((PhraseBook(secrets, exact=True), secrets), (PhraseBook(values), values))
    spellings = SpellingBook([(value, seeds[value].kind) for value in values])
    result = []
    for segment, row in zip(segments, spans, strict=True):
        covered = _Covered(row)
        found = [
            _mention(seeds[phrases[number]], start, end)
            for book, phrases in books
            for start, end, number in book.find(segment.text)
            if not covered.holds(start, end) and _is_mention(segment.text[start:end], phrases[number])
        ]
        found += [
            _mention(seeds[values[number]], start, end)
            for start, end, number in spellings.find(segment.text)
            if not covered.holds(start, end)
        ]
        result.append((*row, *_outermost(found)))
    return tuple(result)


def _outermost(found: list[Span]) -> list[Span]:
    """Drop what lies within another mention: the surname within the whole name."""
    result: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if not result or span.end > result[-1].end:
            result.append(span)
    return result


def _mention(seed: Span, start: int, end: int) -> Span:
    return Span(start=start, end=end, kind=seed.kind, score=seed.score, source=f"{SOURCE}/{seed.source}")


def _collect(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> dict[str, Span]:
    """Return the best span for each value that is worth carrying."""
    seeds: dict[str, Span] = {}

    def offer(value: str, span: Span) -> None:
        held = seeds.get(value)
        if held is None or (span.score, span.kind.value) > (held.score, held.kind.value):
            seeds[value] = span

    for segment, row in zip(segments, spans, strict=True):
        for span in row:
            if span.source.startswith(SOURCE):
                continue
            value = segment.text[span.start : span.end]
            if _is_worth(value, span.kind):
                for form in (value, *_in_urls(value, span.kind)):
                    offer(form, span)
            if span.kind is EntityType.PERSON:
                parts = _NAME_PART.findall(value)
                for part in parts if len(parts) > 1 else ():
                    if len(part) >= MIN_LENGTH and part[0].isupper() and part.casefold() not in _COMMON_PARTS:
                        offer(part, span)
    return seeds


def _in_urls(value: str, kind: EntityType) -> Iterator[str]:
    """Yield how a value is written within a URL, where that differs."""
    if kind is EntityType.EMAIL:
        yield value.replace("@", "%40")
    if kind in {EntityType.EMAIL, EntityType.PERSON}:
        escaped = quote(value, safe="", errors="replace")
        yield from (escaped, escaped.replace("%20", "+")) if escaped != value else ()


def _is_worth(value: str, kind: EntityType) -> bool:
    direct = kind.category is not Category.QUASI and kind.category is not Category.SENSITIVE
    if len(value) < MIN_LENGTH and not (value.isalpha() and not value.isascii() and len(value) > 1):
        return False
    if not direct and value.isdecimal() and len(value) < MIN_DIGITS:
        return False
    if value.isalpha() and value.isascii() and value.islower():
        return kind in {EntityType.SECRET, EntityType.USERNAME} and len(value) >= MIN_WORD
    return not (kind is EntityType.PERSON and value.casefold() in _COMMON_PARTS)


def _is_mention(found: str, value: str) -> bool:
    """Tell a name from the word that it also is: `Ada` is not mentioned by `ada`."""
    if value.isalpha() and value[0].isupper():
        return found[0].isupper()
    return True


class _Covered:
    """The intervals that spans cover already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(spans, key=lambda span: span.start):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def holds(self, start: int, end: int) -> bool:
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end <= self._ends[at]
