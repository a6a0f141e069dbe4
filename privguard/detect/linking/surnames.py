"""A surname that a detector takes for a company: where it stands alone, it is the person who bears it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.linking.endings import spellings
from privguard.detect.linking.person_name import Name, read_context, read_name
from privguard.detect.linking.surfaces import MAX_LENGTH, Surface

Row: TypeAlias = tuple[Span, ...]


def name_bearers(
    texts: Sequence[str], rows: Sequence[Row], turns: Iterable[Sequence[tuple[int, int]]]
) -> tuple[Row, ...]:
    """Make a person of each organization that is but the surname of a person of its message or an earlier one.

    Not where the word is part of a company's name as well, or was a company before the person was known: then it may
    be either. Later messages change nothing.

    Args:
        texts: of the segments.
        rows: their spans.
        turns: the spans that came to be known with each message, by segment and place.
    """
    if not any(_is_lone(texts[index], span) for index, row in enumerate(rows) for span in row):
        return tuple(rows)
    book = _Book()
    result = [list(row) for row in rows]
    for turn in turns:
        said = [(texts[index], rows[index][place]) for index, place in turn]
        book.read(said)
        for (index, place), (text, span) in zip(turn, said, strict=True):
            result[index][place] = book.judge(text, span)
        book.close()
    return tuple(map(tuple, result))


def _is_lone(text: str, span: Span) -> bool:
    if span.kind is not EntityType.ORGANIZATION or span.length > MAX_LENGTH:
        return False
    return len(text[span.start : span.end].split()) == 1


class _Book:
    """The surnames of people and the words of companies, as far as the conversation has been read."""

    def __init__(self) -> None:
        self._surnames: set[str] = set()
        self._companies: set[str] = set()
        self._bearers: set[str] = set()  # words that were made people
        self._doubtful: set[str] = set()  # of this message

    def read(self, said: Iterable[tuple[str, Span]]) -> None:
        """Take in the people of a message, and the companies of several words."""
        for text, span in said:
            if span.kind is EntityType.PERSON:
                surface = Surface.of(text, span.start, span.end)
                name = read_name(surface.text, read_context(surface))
                self._surnames.update(_surnames(name) if name else ())
            elif span.kind is EntityType.ORGANIZATION and not _is_lone(text, span):
                words = text[span.start : span.end][:MAX_LENGTH].lower().replace("-", " ").split()
                self._companies.update(key for word in words for key in spellings(word.strip(".,&()")) if key)

    def judge(self, text: str, span: Span) -> Span:
        """Return the span, as a person where it is the name of one alone."""
        if not _is_lone(text, span):
            return span
        name = read_name(text[span.start : span.end])
        if name is None or len(name.words) != 1:
            return span
        keys = name.keys[0]
        if keys.isdisjoint(self._surnames) or not (keys.isdisjoint(self._companies) or keys & self._bearers):
            self._doubtful |= keys
            return span
        self._bearers |= keys
        return replace(span, kind=EntityType.PERSON)

    def close(self) -> None:
        """End the message: what stayed a company in it is one from now on."""
        self._companies |= self._doubtful
        self._doubtful.clear()


def _surnames(name: Name) -> Iterator[str]:
    """Yield the spellings of the surnames; a word in the middle may be a second given name."""
    if name.apart or name.east_asian:
        return
    if len(name.words) == 1:
        yield from name.keys[0] if name.titled else ()
        return
    for place in range(1, len(name.words)):
        if len(name.words[place]) > 1 and (place == len(name.words) - 1 or not name.rows(place)):
            yield from name.keys[place]
