"""One rule for overlapping spans: secrets, then what rules are sure of, then numbers behind a label, then the longer.

Identity and account numbers that a label introduces never leave by default. So a network that takes the digits for a
telephone number does not decide there; a rule does that reads them as part of something longer, such as a link.
Of two that cover the same the list of denied terms says the type, unless it is a secret; then the encoder, since it
reads the sentence; then the surer, then the type order.
A loser is not dropped: whatever it covers beyond the winners stays protected as a span of its own. So every letter
and digit that went in under some span comes out under exactly one, apart from possessive endings. Mere punctuation is
no span, unless it is a secret or a denied term.
"""

import string
import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from privguard.core.entities import NUMBERED, Category, EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.detect.escapes import soften
from privguard.detect.lists import SOURCE as DENIED
from privguard.detect.tags import says_something

CERTAIN = 0.9  # from this score on, a direct identifier that a rule found outranks whatever merely overlaps it
_FORMED = 0.6  # from this score on, rules have read a label, or a form that few other numbers have
_LABELLED = frozenset({EntityType.GOV_ID, EntityType.FIN_ACCOUNT})  # the default profile redacts them

Interval: TypeAlias = tuple[int, int]  # half-open, in code points

_ORDER = {kind: number for number, kind in enumerate(EntityType)}
_LEADING = frozenset(" \t\r\n\f\v\u00a0.,;:!?\"'`«»“”„\u2018\u2019\u201a\u2039\u203a*_|<>=\u2013\u2014")
_TRAILING = _LEADING | frozenset("-")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _PAIRS.items()}
_APOSTROPHE = "'`\u00b4\u02bc\u2018\u2019"
_POSSESSIVE = lazy_pattern(rf"(?<=\w)[{_APOSTROPHE}][sS]?$")
_POSSESSIVE_ENDS = frozenset(f"{_APOSTROPHE}sS")
_TOKEN = lazy_pattern(r"[^\s,;:|=<>()\[\]{}\"'`]+")
_MARKS = frozenset(string.punctuation)
_BLANK = ("Cc", "Cf")  # control and format characters
_ABBREVIATED = lazy_pattern(r"(?:^|[\s.])(?:[^\W\d_]|[JS]r)$")
# Without the last full stop: `S.r.l`, `e.K`, `z o.o`.
_LEGAL_FORM = lazy_pattern(r"(?<![^\W_])[^\W\d_]\. ?[^\W\d_]{1,3}$")
_LONGEST_LEGAL_FORM = 8
# Where no word follows that it could belong to, it is a part of the name: `St Columba's`, `Crohn's`.
_NAMED_AFTER = lazy_pattern(rf"[{_APOSTROPHE}][sS](?!\w|\s\w)")
_AFTER_SOMEBODY = frozenset({EntityType.ORGANIZATION, EntityType.EDUCATION, EntityType.HEALTH})
_SHORT_YEAR = lazy_pattern(rf"[{_APOSTROPHE}]\d\d(?!\d)")


class Merged(NamedTuple):
    """Spans without overlaps, and the tokens in which one of them lost a part to another."""

    spans: tuple[Span, ...]  # sorted and disjoint
    torn: tuple[Interval, ...]


def merge(spans: Iterable[Span], text: str = "") -> tuple[Span, ...]:
    """Resolve overlaps into sorted, disjoint spans.

    The result does not depend on the order of `spans`, and merging it again changes nothing. Spans of one type that
    overlap become one. `text` lets the edges be trimmed: white space, punctuation, possessive endings.
    """
    return resolve(spans, text).spans


def resolve(spans: Iterable[Span], text: str = "") -> Merged:
    """Merge like `merge`, and tell which tokens were torn; without a text, none."""
    trimmed = [trim(span, text) for span in spans if not _is_punctuation(span, text)] if text else list(spans)
    joined = _without_contradicted(_join_same_kind(trimmed), trimmed)
    taken: list[Interval] = []
    result: list[Span] = []
    torn: set[Interval] = set()
    soft = soften(text)  # a written line break ends a token as a real one does
    wider = _Wider.of(joined)
    for span in sorted(joined, key=lambda span: _priority(span, wider)):
        rests: list[Span] = []
        for start, end in _free(span, taken):
            piece = span if (start, end) == (span.start, span.end) else _clip(span, start, end, text)
            if piece is not None:
                result.append(piece)
                insort(taken, (piece.start, piece.end))
                rests += [piece] if piece is not span else []
        if rests and text:
            torn.update(_tokens_of(span, rests, soft))
    return Merged(tuple(sorted(result, key=lambda span: span.start)), tuple(sorted(torn)))


def _is_punctuation(span: Span, text: str) -> bool:
    """Tell whether a span covers nothing that says anything."""
    if span.kind is EntityType.SECRET or span.source == DENIED:
        return False
    covered = text[span.start : span.end]
    return not any(map(says_something, covered)) and all(
        each in _MARKS or unicodedata.category(each)[0] in "PZ" or unicodedata.category(each) in _BLANK
        for each in covered
    )


def _tokens_of(loser: Span, rests: Sequence[Span], text: str) -> Iterator[Interval]:
    """Yield the tokens that the rests of a loser stand in, as far as it reached."""
    at = 0
    for token in _TOKEN.finditer(text, loser.start, loser.end):
        while at < len(rests) and rests[at].end <= token.start():
            at += 1
        if at < len(rests) and rests[at].start < token.end():
            yield token.span()


def trim(span: Span, text: str) -> Span:
    """Move the edges inward over white space, punctuation and possessives; a span of symbols alone stays as it is."""
    if span.kind is EntityType.SECRET:
        return span
    start, end = span.start, min(span.end, len(text))
    while True:
        before = (start, end)
        start, end = _trim_once(text, start, end)
        if (start, end) == before or start >= end:
            break
    if start >= end:
        return span
    return span.resized(*_restored(span, text, start, end))


def _restored(span: Span, text: str, start: int, end: int) -> Interval:
    """Return the edges with the signs that belong to what they were cut from."""
    if text[end : end + 1] == "." and (
        (span.kind is EntityType.PERSON and _ABBREVIATED.search(text, start, end))
        or (
            span.kind is EntityType.ORGANIZATION
            and _LEGAL_FORM.search(text, max(start, end - _LONGEST_LEGAL_FORM), end)
        )
    ):
        end += 1
    if span.kind in _AFTER_SOMEBODY and (named := _NAMED_AFTER.match(text, end)) and named.end() <= span.end:
        end = named.end()
    if span.kind is EntityType.URL and end < span.end and text[end] == "=":
        end += 1  # before the value of a parameter
    if span.kind is EntityType.DATE and start > span.start and _SHORT_YEAR.match(text, start - 1):
        start -= 1
    return start, end


def _trim_once(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    while start < end and text[start] in _LEADING:
        start += 1
    ending = _POSSESSIVE.search(text, max(start, end - 3), end) if text[end - 1 : end] in _POSSESSIVE_ENDS else None
    if ending:
        end = ending.start()
    if end - start > 1 and (text[start] in _PAIRS or text[end - 1] in _OPENING):
        first, last, inner = text[start], text[end - 1], text[start:end]
        opening = _OPENING.get(last)
        if first in _PAIRS and inner.count(first) > inner.count(_PAIRS[first]):
            start += 1
        elif opening and inner.count(last) > inner.count(opening):
            end -= 1
        elif first in _PAIRS and last == _PAIRS[first] and inner.count(last) == 1:
            start, end = start + 1, end - 1
    return start, end


def _join_same_kind(spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    open_spans: dict[EntityType, int] = {}
    for span in sorted(spans, key=lambda span: (span.start, span.end, -span.score, span.source)):
        number = open_spans.get(span.kind)
        if number is not None and joined[number].overlaps(span):
            joined[number] = _union(joined[number], span)
        else:
            open_spans[span.kind] = len(joined)
            joined.append(span)
    return joined


def _without_contradicted(joined: Sequence[Span], spans: Iterable[Span]) -> Sequence[Span]:
    """Leave out what covers exactly a denied term and gives it another type than its list does."""
    declared: dict[tuple[int, int], set[EntityType]] = {}
    for span in spans:
        if span.source == DENIED:
            declared.setdefault((span.start, span.end), {EntityType.SECRET}).add(span.kind)
    if not declared:
        return joined
    return [span for span in joined if span.kind in declared.get((span.start, span.end), (span.kind,))]


def _union(left: Span, right: Span) -> Span:
    # That a rule is certain, or has read a label, must not be lost to an encoder that agrees.
    best = min(left, right, key=lambda span: (not is_certain(span), not is_labelled(span), -span.score, span.source))
    return Span(
        start=min(left.start, right.start),
        end=max(left.end, right.end),
        kind=left.kind,
        score=best.score,
        source=best.source,
    )


class _Wider(NamedTuple):
    """What rules have found that is no number, and may hold one: links, addresses, dates."""

    starts: Sequence[int]  # ascending
    ends: Sequence[int]  # the furthest of those that start no later

    @classmethod
    def of(cls, spans: Iterable[Span]) -> "_Wider":
        found = sorted((span.start, span.end) for span in spans if span.source != ENCODER and span.kind not in NUMBERED)
        return cls([start for start, _ in found], list(accumulate((end for _, end in found), max)))

    def holds(self, span: Span) -> bool:
        at = bisect_right(self.starts, span.start)
        return at > 0 and self.ends[at - 1] >= span.end


def _priority(span: Span, wider: _Wider) -> tuple[int, int, bool, float, int, int]:
    labelled = is_labelled(span) and not wider.holds(span)
    rank = 0 if is_secret(span) else 1 if is_certain(span) else 2 if labelled else 3
    return (rank, -span.length, span.source != ENCODER, -span.score, _ORDER[span.kind], span.start)


def is_secret(span: Span) -> bool:
    """Tell whether this is a secret whatever else covers it: one of a rule, or one that the encoder is sure of."""
    return span.kind is EntityType.SECRET and (span.source != ENCODER or span.score >= CERTAIN)


def is_labelled(span: Span) -> bool:
    """Tell whether a rule has found an identity or an account number by a label, or by a form that needs none."""
    return span.kind in _LABELLED and span.score >= _FORMED and not span.source.endswith(ENCODER)


def type_order(kind: EntityType) -> int:
    """Return the place of a type among all, which decides where nothing else does."""
    return _ORDER[kind]


def is_certain(span: Span) -> bool:
    """Tell whether a checksum or a fixed form speaks for a direct identifier. A link yields to what it holds."""
    direct = span.kind.category is Category.DIRECT and span.kind is not EntityType.URL
    return direct and span.score >= CERTAIN and span.source != ENCODER


def _free(span: Span, taken: list[Interval]) -> list[Interval]:
    """Return the parts of `span` that no interval of `taken` (sorted, disjoint) covers."""
    at = bisect_left(taken, (span.start, span.start))
    if at and taken[at - 1][1] > span.start:
        at -= 1
    free = []
    start = span.start
    while start < span.end:
        if at == len(taken) or taken[at][0] >= span.end:
            free.append((start, span.end))
            break
        if taken[at][0] > start:
            free.append((start, taken[at][0]))
        start = max(start, taken[at][1])
        at += 1
    return free


def _clip(span: Span, start: int, end: int, text: str) -> Span | None:
    """Return the rest of a loser, or None where no letter or digit is left in it."""
    if not text:
        return span.resized(start, end)
    if not any(map(says_something, text[start:end])):
        return None
    piece = trim(span.resized(start, end), text)
    return piece.resized(piece.start, min(piece.end, end))
