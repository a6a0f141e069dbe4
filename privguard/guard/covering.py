"""Take a value that R does not write where it stands together with what stands before it: a link in all but form.

R writes no value into an open URL, and what opens one is more than what looks like a link: `\\\\server\\share` does in
quotes. What begins with a placeholder is no URL, and comes back whole.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from privguard.core.entities import Category, EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.plan import Action, Choice
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard.entities import Entity, Mention
from privguard.guard.request import Request
from privguard.guard.spoken import written_as

_TOKEN = lazy_pattern(r"[^\s\"'`<>()\[\]{}=,|]")
_RUN = lazy_pattern(r"[^ \t\r\n]")  # what a link may run through in the eyes of R: quotes and odd white space too
_FURTHEST = 2048  # code points; what is longer is no link


class _Piece(NamedTuple):
    """A span of the new row, and the places in the old one of the spans that it takes up."""

    span: Span
    places: tuple[int, ...]
    is_wide: bool


def cover(request: Request, stuck: Iterable[tuple[int, int]]) -> Request | None:
    """Widen the spans at the given places, `(segment, place)`, to the beginning of their word; None if none grows."""
    starts: dict[int, dict[int, int]] = {}
    for number, place in stuck:
        span = request.spans[number][place]
        start = _begin_of_word(request.segments[number].text, span.start)
        if start < span.start:
            starts.setdefault(number, {})[place] = start
    if not starts:
        return None
    rows = {number: _widened(request.spans[number], wide) for number, wide in starts.items()}
    kept = _kept(request, rows)
    wide = _wide(request, rows)
    return Request(
        segments=request.segments,
        spans=[[each.span for each in rows[at]] if at in rows else row for at, row in enumerate(request.spans)],
        entities=[*(entity for entity, _ in kept), *(entity for entity, _ in wide)],
        choices=[*(choice for _, choice in kept), *(choice for _, choice in wide)],
    )


def _begin_of_word(text: str, start: int) -> int:
    begin = _begin_of(_TOKEN, text, start)
    return begin if begin < start else _begin_of(_RUN, text, start)


def _begin_of(letters: re.Pattern[str], text: str, start: int) -> int:
    furthest = max(0, start - _FURTHEST)
    while start > furthest and letters.match(text[start - 1]):
        start -= 1
    return start


def _widened(row: Sequence[Span], starts: Mapping[int, int]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for place, span in enumerate(row):
        start, inside, places = starts.get(place, span.start), [span], [place]
        while pieces and pieces[-1].span.end > start:
            last = pieces.pop()
            start, inside, places = min(start, last.span.start), [last.span, *inside], [*last.places, *places]
        wide = place in starts
        kind = _kind_of(inside) if wide else span.kind
        pieces.append(_Piece(replace(span, start=start, kind=kind), tuple(places), wide))
    return pieces


def _kind_of(inside: Sequence[Span]) -> EntityType:
    categories = [span.kind.category for span in inside]
    if Category.SECRET in categories:
        return EntityType.SECRET
    return EntityType.URL if Category.DIRECT in categories else inside[-1].kind


def _kept(request: Request, rows: Mapping[int, Sequence[_Piece]]) -> list[tuple[Entity, Choice]]:
    """Return the entities with the mentions that are left to them."""
    moved = {
        (number, piece.places[0]): place
        for number, pieces in rows.items()
        for place, piece in enumerate(pieces)
        if not piece.is_wide
    }
    kept = []
    for entity, choice in zip(request.entities, request.choices, strict=True):
        mentions = tuple(
            [
                each if each.segment not in rows else each._replace(place=moved[each.segment, each.place])
                for each in entity.mentions
                if each.segment not in rows or (each.segment, each.place) in moved
            ]
        )
        if mentions:
            kept.append((replace(entity, mentions=mentions), choice))
    return kept


def _wide(request: Request, rows: Mapping[int, Sequence[_Piece]]) -> list[tuple[Entity, Choice]]:
    """Return an entity for each value that is taken together with what stands before it."""
    chosen = {
        (mention.segment, mention.place): choice
        for entity, choice in zip(request.entities, request.choices, strict=True)
        for mention in entity.mentions
    }
    found: dict[tuple[EntityType, str, str], tuple[Entity, Choice]] = {}
    for number, pieces in rows.items():
        for place, piece in enumerate(pieces):
            if piece.is_wide:
                key = (piece.span.kind, *_spelled(request.segments[number], piece.span))
                mention = Mention(number, place)
                known = found.get(key)
                choice = replace(chosen[number, piece.places[-1]], action=Action.REDACT)
                mentions = (*known[0].mentions, mention) if known else (mention,)
                found[key] = (_entity(key, mentions), known[1] if known else choice)
    return list(found.values())


def _spelled(segment: Segment, span: Span) -> tuple[str, str]:
    return segment.text[span.start : span.end], written_as(segment, span)


def _entity(key: tuple[EntityType, str, str], mentions: tuple[Mention, ...]) -> Entity:
    kind, surface, written = key
    return Entity(
        kind=kind,
        normal_value=f"\0{written or surface}",  # it shares an id with nothing that is linked by another rule
        mentions=mentions,
        surface=surface,
        written=(("", written),) if written else (),
    )
