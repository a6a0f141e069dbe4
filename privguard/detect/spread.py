"""Carry a value that was found once to every other place where it stands, so that no missed mention leaks.

What of one value stands in one text depends on these two alone. So whoever remembers which values were looked for in a
text has to look for the new ones only: `offers_of` says what a text brings, `choose` which values are carried,
`Scanner` where they stand, `mentions` what is made of it.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
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
_BLANK = "\0"  # no letter, and no separator between the parts of a value

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


class Offer(NamedTuple):
    """A value that one text brings, by its place: the text itself is not kept."""

    value: bytes  # equal for equal values
    key: bytes  # equal for equal values of equal types
    start: int
    end: int
    seed: Span  # what its further mentions are like


class Carried(NamedTuple):
    """A value that is looked for, and what its mentions are like."""

    text: str
    seed: Span

    def __repr__(self) -> str:
        return f"Carried({self.seed.kind}, length {len(self.text)})"


class Hit(NamedTuple):
    """Where a value stands, under the key of its offer."""

    key: bytes
    start: int
    end: int


def spread(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Add a span at each further mention of a value, in all segments; linear in the length of the texts.

    Secrets must recur exactly, everything else in any letter case; ids and full names also with other separators or
    none, and what has a form of its own in URLs in that form. A part of a person's name counts where it is
    capitalised. Too short or too common values are not carried.
    """
    texts = [segment.text for segment in segments]
    carried = choose((text, offers_of(text, row, _itself)) for text, row in zip(texts, spans, strict=True))
    if not carried:
        return tuple(tuple(row) for row in spans)
    scanner = Scanner(carried)
    return tuple((*row, *mentions(scanner.find(text, row), carried)) for text, row in zip(texts, spans, strict=True))


def offers_of(text: str, row: Sequence[Span], mark: Callable[[str], bytes]) -> tuple[Offer, ...]:
    """Return the values of a text that are worth carrying.

    Args:
        text: the text.
        row: its spans.
        mark: names a value; equal values have equal marks.
    """
    offers: list[Offer] = []
    for span in row:
        if span.source.startswith(SOURCE):
            continue
        value = text[span.start : span.end]
        kind = span.kind.value.encode()
        if _is_worth(value, span.kind):
            name = mark(value)
            offers.append(Offer(name, kind + name, span.start, span.end, span))
        if span.kind is EntityType.PERSON:
            parts = list(_NAME_PART.finditer(value))
            for part in parts if len(parts) > 1 else ():
                word = part[0]
                if len(word) >= MIN_LENGTH and word[0].isupper() and word.casefold() not in _COMMON_PARTS:
                    name = mark(word)
                    offers.append(Offer(name, kind + name, span.start + part.start(), span.start + part.end(), span))
    return tuple(offers)


def choose(offered: Iterable[tuple[str, Iterable[Offer]]]) -> dict[bytes, Carried]:
    """Return what is carried, by the keys of the offers: of equal values the surest, the first of equals.

    Args:
        offered: texts and their offers.
    """
    best: dict[bytes, tuple[Offer, str]] = {}
    for text, offers in offered:
        for offer in offers:
            held = best.get(offer.value)
            if held is None or (
                held[0].seed is not offer.seed
                and (offer.seed.score, offer.seed.kind.value) > (held[0].seed.score, held[0].seed.kind.value)
            ):
                best[offer.value] = offer, text
    return {offer.key: Carried(text[offer.start : offer.end], offer.seed) for offer, text in best.values()}


class Scanner:
    """Look for a fixed set of values in one text after the other."""

    def __init__(self, carried: Mapping[bytes, Carried]) -> None:
        secrets = [key for key, each in carried.items() if each.seed.kind is EntityType.SECRET]
        others = [key for key, each in carried.items() if each.seed.kind is not EntityType.SECRET]
        self._secrets = _Book(secrets, [carried[key].text for key in secrets], exact=True)
        self._values = _Book(others, [carried[key].text for key in others])
        self._kinds = [carried[key].seed.kind for key in others]
        self._spellings = SpellingBook(list(zip(self._values.texts, self._kinds, strict=True)))

    def find(self, text: str, row: Sequence[Span]) -> list[Hit]:
        """Return every mention that does not lie within one of the spans of `row`."""
        covered = _Covered(row)
        found = self._find(text, covered)
        blanked = _blanked(text, row)
        return found if blanked is None else list(dict.fromkeys([*found, *self._find(blanked, covered)]))

    def _find(self, text: str, covered: "_Covered") -> list[Hit]:
        found = [hit for hit in self._secrets.find(text) if not covered.holds(hit.start, hit.end)]
        known: Counter[int] = Counter()
        for start, end, number in self._values.phrases.find(text):
            known[number] += 1
            if not covered.holds(start, end) and _is_mention(text[start:end], self._values.texts[number]):
                found.append(Hit(self._values.keys[number], start, end))
        for start, end, number in self._spellings.find(text, known):
            if not covered.holds(start, end):
                found.append(Hit(self._values.keys[number], start, end))
        if "%" in text or "+" in text:
            found += [hit for hit in self._in_urls.find(text) if not covered.holds(hit.start, hit.end)]
        return found

    @cached_property
    def _in_urls(self) -> "_Book":
        forms = [
            (key, form)
            for key, value, kind in zip(self._values.keys, self._values.texts, self._kinds, strict=True)
            if _is_worth(value, kind)
            for form in _in_urls(value, kind)
        ]
        return _Book([key for key, _ in forms], [form for _, form in forms])


class _Book:
    """Phrases with their keys."""

    def __init__(self, keys: Sequence[bytes], texts: Sequence[str], *, exact: bool = False) -> None:
        self.keys, self.texts = keys, texts
        self.phrases = PhraseBook(texts, exact=exact)

    def find(self, text: str) -> Iterator[Hit]:
        return (
            Hit(self.keys[number], start, end)
            for start, end, number in self.phrases.find(text)
            if _is_mention(text[start:end], self.texts[number])
        )


def mentions(hits: Iterable[Hit], carried: Mapping[bytes, Carried]) -> list[Span]:
    """Return a span for each hit of what is carried, but for those within another: the surname in the whole name."""
    found = [(hit, carried[hit.key].seed) for hit in hits if hit.key in carried]
    found.sort(key=lambda pair: (pair[0].start, -pair[0].end, -pair[1].score, pair[1].kind.value, pair[0].key))
    result: list[Span] = []
    end = -1
    for hit, seed in found:
        if hit.end > end:
            end = hit.end
            source = f"{SOURCE}/{seed.source}"
            result.append(Span(start=hit.start, end=end, kind=seed.kind, score=seed.score, source=source))
    return result


def _itself(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _blanked(text: str, row: Iterable[Span]) -> str | None:
    """Return the text without its spans, None where none of them ends within a word.

    Once a span is replaced, what is left of the word that it cuts stands there as a word of its own.
    """
    pieces: list[str] = []
    done = 0
    cut = False
    for span in sorted(row, key=lambda span: span.start):
        cut = cut or _is_cut(text, span.start) or _is_cut(text, span.end)
        if span.end > done:
            start = max(done, span.start)
            pieces += (text[done:start], _BLANK * (span.end - start))
            done = span.end
    return "".join((*pieces, text[done:])) if cut else None


def _is_cut(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place].isalnum() and text[place - 1].isalnum()


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
