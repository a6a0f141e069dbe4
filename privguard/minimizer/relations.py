"""Which entities of a request may tell one fact: related types in one sentence, apposition, equal and added amounts.

Every relation is read within one segment, so that what later turns add takes nothing from what was related before.
Cost: linear in the number of spans.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.minimizer.redundancy import Group

# One step of the need labels, in logits (docs/need.md): who labels a span that a sibling tells labels it one lower.
STEP = 0.75
MAX_AMOUNTS = 16  # per segment; in longer tables sums hold by chance

_T = EntityType
# Types of which one lets a reader guess the other. In one sentence they are taken for one fact.
_RELATED = (
    frozenset({_T.LOCATION, _T.ADDRESS}),
    frozenset({_T.LOCATION, _T.ORIGIN}),
    frozenset({_T.LOCATION, _T.ORGANIZATION}),
    frozenset({_T.OCCUPATION, _T.ORGANIZATION}),
    frozenset({_T.OCCUPATION, _T.EDUCATION}),
    frozenset({_T.EDUCATION, _T.ORGANIZATION}),
    frozenset({_T.ORGANIZATION, _T.MISC}),
    frozenset({_T.PERSON, _T.FAMILY}),
    frozenset({_T.GENDER, _T.FAMILY}),
    frozenset({_T.AGE, _T.DATE}),
    frozenset({_T.AGE, _T.FAMILY}),
    frozenset({_T.HEALTH}),
    frozenset({_T.LEGAL}),
    frozenset({_T.LOCATION}),
)
# Types that explain each other where nothing but a comma, a bracket or a small word stands between them.
_APPOSED = (
    frozenset({_T.LOCATION}),
    frozenset({_T.DATE}),
    frozenset({_T.LOCATION, _T.ADDRESS}),
    frozenset({_T.LOCATION, _T.ORGANIZATION}),
    frozenset({_T.OCCUPATION, _T.ORGANIZATION}),
    frozenset({_T.ORGANIZATION, _T.MISC}),
    frozenset({_T.PERSON, _T.FAMILY}),
    frozenset({_T.AGE, _T.DATE}),
    frozenset({_T.FINANCE}),
    frozenset({_T.HEALTH}),
)
_SENTENCE_END = lazy_pattern(r"[\n\r]|[.!?\u3002\uff01\uff1f](?:\s|\Z)|[;\u2022]")
_APPOSITION = lazy_pattern(
    r"(?:\s?[,(/=\u2013\u2014-]\s?|\s(?:in|at|of|is|=|à|en|de|du|bei|von|aus|im|van|a|di|em|w|ve|i.e.|born|geb\.?)\s|\s)",
    re.IGNORECASE,
)
_MAX_APPOSITION = 8
_MAX_GAP = 160  # code points of one sentence between two mentions
_AMOUNTS = frozenset({_T.FINANCE, _T.AGE, _T.MISC})
_NUMBER = lazy_pattern(r"\d+(?:[.,'\u2019\u00a0 ]\d+)*")
_CENTS = lazy_pattern(r"[.,]\d{1,2}\Z")


class Place(NamedTuple):
    """One mention of an entity: `[start, end)` in code points of a segment."""

    entity: int
    kind: EntityType
    start: int
    end: int


def find_groups(text: str, places: Sequence[Place]) -> Iterator[Group]:
    """Yield the groups of one segment.

    Args:
        text: the segment.
        places: its mentions, sorted and disjoint.
    """
    if len(places) < 2:
        return
    sentence = [places[0]]
    for before, after in pairwise(places):
        gap = text[before.end : after.start]
        if len(gap) > _MAX_GAP or _SENTENCE_END.search(gap):
            yield from _related(sentence)
            sentence = []
        elif len(gap) <= _MAX_APPOSITION and _is_pair(before, after, _APPOSED) and _APPOSITION.fullmatch(gap):
            yield _group((before.entity, after.entity), STEP)
        sentence.append(after)
    yield from _related(sentence)
    yield from _equal_and_added(text, places)


def _is_pair(one: Place, other: Place, kinds: Iterable[frozenset[EntityType]]) -> bool:
    return one.entity != other.entity and frozenset((one.kind, other.kind)) in kinds


def _group(members: Iterable[int], increment: float) -> Group:
    return Group(members=tuple(sorted(set(members))), increment=increment)


def _related(sentence: Sequence[Place]) -> Iterator[Group]:
    """Yield a group for each pair of related types that stand in one sentence."""
    if len(sentence) < 2:
        return
    by_kind: dict[EntityType, list[int]] = {}
    for place in sentence:
        by_kind.setdefault(place.kind, []).append(place.entity)
    for kinds in _RELATED:
        if kinds <= by_kind.keys():
            group = _group((entity for kind in kinds for entity in by_kind[kind]), 0.0)
            if len(group.members) > 1:
                yield group


def _equal_and_added(text: str, places: Sequence[Place]) -> Iterator[Group]:
    """Yield equal amounts, a total with its parts, a product with its factors."""
    amounts: dict[int, int] = {}  # entity -> hundredths
    for place in places:
        if place.kind in _AMOUNTS and place.entity not in amounts:
            value = _hundredths(text[place.start : place.end])
            if value:
                amounts[place.entity] = value
    if not 1 < len(amounts) <= MAX_AMOUNTS:
        return
    by_value: dict[int, list[int]] = {}
    for entity, value in amounts.items():
        by_value.setdefault(value, []).append(entity)
    for same in by_value.values():
        if len(same) > 1:
            yield _group(same, STEP)
    yield from _pairs(amounts, by_value)
    yield from _runs(amounts)


def _pairs(amounts: dict[int, int], by_value: dict[int, list[int]]) -> Iterator[Group]:
    entities = list(amounts)
    for place, one in enumerate(entities):
        for other in entities[place + 1 :]:
            product = amounts[one] * amounts[other]
            totals = [*by_value.get(amounts[one] + amounts[other], ())]
            # Twice a number is so often a number of the text that 1 and 2 tell nothing.
            if product % 100 == 0 and min(amounts[one], amounts[other]) > 200:
                totals += by_value.get(product // 100, ())
            for total in totals:
                yield _group((one, other, total), STEP)


def _runs(amounts: dict[int, int]) -> Iterator[Group]:
    """Yield three or more neighbours whose sum stands right behind or right before them."""
    entities = list(amounts)
    for direction in (entities, entities[::-1]):
        sums = {0: 0}  # sum of the first n -> n
        total = 0
        for place, entity in enumerate(direction):
            start = sums.get(total - amounts[entity])
            if start is not None and place - start > 2:
                yield _group(direction[start : place + 1], STEP)
            total += amounts[entity]
            sums.setdefault(total, place + 1)


def _hundredths(text: str) -> int | None:
    """Read the one number of an amount, None where there is none or more than one."""
    numbers = _NUMBER.findall(text)
    if len(numbers) != 1 or len(numbers[0]) > 18:
        return None
    number = numbers[0]
    cents = _CENTS.search(number)
    whole = number[: cents.start()] if cents else number
    digits = "".join(letter for letter in whole if letter.isdecimal())
    return int(digits) * 100 + (int(cents[0][1:].ljust(2, "0")) if cents else 0)
