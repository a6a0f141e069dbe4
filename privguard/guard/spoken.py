"""The mentions of a request, message by message, each with the text around it."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import NamedTuple, Protocol

from privguard.core.embedded_json import embedded_documents
from privguard.core.entities import EntityType
from privguard.core.placeholders import Pronoun
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.linking import Surface, number_sentences
from privguard.guard.people import People
from privguard.guard.turns import Place, places_of, turns_of

# What no value of a type holds: where a string says it, one backslash was typed for two.
_TABS = frozenset("\b\f\t")
_NOTHING: frozenset[str] = frozenset()
_NEVER = {EntityType.USERNAME: _TABS | {"\n", "\r"}, EntityType.URL: _TABS | {"\n", "\r"}, EntityType.SECRET: _TABS}
IN_CONTEXT = frozenset({EntityType.PERSON, EntityType.ORGANIZATION})  # the types whose mentions are read with it


class History(Protocol):
    """When the spans of a request came to be known."""

    @property
    def past(self) -> Sequence[Sequence[Span]]:
        """Return what was known of each segment before a longer span took its place."""

    @property
    def turns(self) -> Sequence[Sequence[Place]]:
        """Return the spans that came to be known with each message; those of `past` are counted behind the others."""


class Spoken(NamedTuple):
    """A span with its text."""

    segment: int
    place: int
    kind: EntityType
    surface: Surface
    written: str  # with its escapes, "" where it has none
    is_past: bool = False  # whether a longer span has taken its place since
    turn: int = 0  # the number of the batch
    pronouns: frozenset[Pronoun] = frozenset()  # that the text tells, as far as it is known by then who is mentioned

    @property
    def spelling(self) -> tuple[str, str]:
        """Return what tells its spelling from others."""
        return self.surface.text, self.written


class Telling(NamedTuple):
    """The mention that tells the pronoun of a person."""

    number: int  # index into the mentions, -1 where none tells it
    pronoun: str


_UNTOLD = Telling(-1, "")


def batches_of(
    segments: Sequence[Segment], spans: Sequence[Sequence[Span]], history: History | None
) -> Iterator[list[Spoken]]:
    """Yield the mentions that came to be known with each message, without the messages that brought none.

    Args:
        segments: the texts of the request.
        spans: their spans, sorted and disjoint.
        history: when they came to be known; None: each with the message that holds it.
    """
    rows = spans if history is None else [(*row, *past) for row, past in zip(spans, history.past, strict=True)]
    sentences, people, strings = _Sentences(segments, rows), People(segments, rows), _Strings(segments)
    turns = _own_turns(segments, spans) if history is None else history.turns
    for number, turn in enumerate(turns):
        batch = []
        people.hear(turn)
        numbers = sentences.read(turn)
        for at in turn:
            segment, span = segments[at.segment], rows[at.segment][at.place]
            surface = _surface(segment.text, span, numbers[at])
            is_past = at.place >= len(spans[at.segment])
            written, told = written_as(segment, span), people.pronouns_of(at)
            if said := strings.said(at.segment, span):
                surface, written = surface._replace(text=said), surface.text
            batch.append(Spoken(at.segment, at.place, span.kind, surface, written, is_past, number, told))
        if batch:
            yield batch


def told_pronoun(spoken: Sequence[Spoken]) -> Telling:
    """Return which mention of an entity tells its pronoun: the first one of the message by which it is known.

    What later messages say changes nothing. Where the text says two things before it was told, it stays untold.

    Args:
        spoken: the mentions of the entity, in the order in which they came to be known.
    """
    heard: set[Pronoun] = set()
    for _, batch in groupby(enumerate(spoken), key=lambda pair: pair[1].turn):
        rows = list(batch)
        heard.update(*(each.pronouns for _, each in rows))
        if heard:
            return Telling(rows[0][0], heard.pop()) if len(heard) == 1 else _UNTOLD
    return _UNTOLD


class _Strings:
    """The strings of JSON documents in the midst of texts: escapes in them are no part of a value."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        self._documents: dict[int, list[tuple[int, int]]] = {}  # by the identity of the text

    def said(self, number: int, span: Span) -> str:
        """Return what a span in such a string says; "" where that is what stands there."""
        segment = self._segments[number]
        raw = segment.text[span.start : span.end]
        if "\\" not in raw or not self._is_inside(segment, span):
            return ""
        try:
            said = str(json.loads(f'"{raw}"', strict=False))
        except ValueError:
            return ""  # it is more than a part of one string
        return "" if said == raw or _is_slip(span.kind, said) else said

    def _is_inside(self, segment: Segment, span: Span) -> bool:
        whole, at = segment.text, span.start
        if segment.written is not None:
            if segment.written.in_document or written_as(segment, span):
                return False  # the escapes have been read
            whole, at = segment.written.string, segment.written.offset(at)
        if id(whole) not in self._documents:
            self._documents[id(whole)] = embedded_documents(whole)
        return any(start < at < end for start, end in self._documents[id(whole)])


def _is_slip(kind: EntityType, said: str) -> bool:
    """Tell whether a string says what no value of the type holds."""
    return not _NEVER.get(kind, _NOTHING).isdisjoint(said)


def _own_turns(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> Sequence[Sequence[Place]]:
    turns = turns_of(segments)
    own = {segment: number for number, turn in enumerate(turns) for segment in turn}
    return places_of(turns, spans, [(own[segment],) * len(row) for segment, row in enumerate(spans)])


def written_as(segment: Segment, span: Span) -> str:
    """Return how a span is spelled in the string that holds it; "" as it reads, or where it is a number."""
    if segment.written is None or segment.written.is_number:
        return ""
    spelled = segment.written.spelled(span.start, span.end)
    return "" if spelled == segment.text[span.start : span.end] else spelled


def _surface(text: str, span: Span, sentence: int | None) -> Surface:
    if span.kind in IN_CONTEXT:
        return Surface.of(text, span.start, span.end, sentence)
    return Surface(text[span.start : span.end])


class _Sentences:
    """The numbers of the sentences in which people are mentioned."""

    def __init__(self, segments: Sequence[Segment], rows: Sequence[Sequence[Span]]) -> None:
        self._segments, self._rows = segments, rows
        self._numbers = count()
        self._known: dict[int, dict[int, int | None]] = {}  # by segment and place

    def read(self, turn: Sequence[Place]) -> dict[Place, int | None]:
        """Return the number of the sentence of each mention; those that were known before keep theirs."""
        fresh: dict[int, list[int]] = {}
        for at in turn:
            fresh.setdefault(at.segment, []).append(at.place)
        return {
            Place(segment, place): number
            for segment, places in fresh.items()
            for place, number in self._read(segment, places).items()
        }

    def _read(self, segment: int, fresh: Sequence[int]) -> dict[int, int | None]:
        row = self._rows[segment]
        known = self._known.setdefault(segment, {})
        places = sorted(fresh, key=lambda place: row[place].start)
        if known:
            spans = [row[place] for place in places]
            beside = [place for place in known if not _is_among(row[place], spans)]
            places = sorted((*beside, *places), key=lambda place: row[place].start)
        text = self._segments[segment].text
        numbers = dict(zip(places, number_sentences(text, [row[each] for each in places], self._numbers), strict=True))
        before = {numbers[place]: number for place, number in known.items() if place in numbers}
        found = {place: before.get(numbers[place], numbers[place]) for place in fresh}
        known.update(found)
        return found


def _is_among(span: Span, row: Sequence[Span]) -> bool:
    """Tell whether a span overlaps one of a row, which is sorted and disjoint."""
    at = bisect_right([each.end for each in row], span.start)
    return at < len(row) and row[at].start < span.end
