"""Carry a value that was found once to every other place where it stands, so that no missed mention leaks.

What of one value stands in one text depends on these two alone. So whoever remembers which values were looked for in a
text has to look for the new ones only: `offers_of` says what a text brings, `choose` which values are carried, a
`Scanner` where they stand, `mentions` what is made of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from privguard.core.entities import Category, EntityType
from privguard.core.letters import APOSTROPHES, INVISIBLE, OPTIONAL_SIGNS, plain, unpointed
from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.forms import is_pointed
from privguard.detect.openings import Openings
from privguard.detect.ordinary import is_common_part, is_instruction, is_telling
from privguard.detect.prose import Prose
from privguard.detect.scanning import Carried, Hit, Scanner

SOURCE = "spread"
MIN_LENGTH = 3
MIN_DIGITS = 4

_KINDS = {kind: kind.value.encode() for kind in EntityType}
_LETTERS = rf"(?:[^\W\d_][{OPTIONAL_SIGNS}]*+)+"
_NAME_PART = lazy_pattern(rf"{_LETTERS}(?:[-{APOSTROPHES}{INVISIBLE}]+{_LETTERS})*")
_BETWEEN_HYPHENS = lazy_pattern(r"[^-]+")


class Offer(NamedTuple):
    """A value that one text brings, by its place: the text itself is not kept."""

    value: bytes  # equal for equal values
    key: bytes  # equal for equal values of equal types
    start: int
    end: int
    seed: Span  # what its further mentions are like


def spread(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Add a span at each further mention of a value, in all segments; linear in the length of the texts.

    Secrets must recur exactly, everything else in any letter case, in other forms of its letters and digits, with other
    separators or none, escaped for URLs, and within identifiers. A part of a person's name counts by itself; what is
    an ordinary word as well, where it is capitalised, and what may be one in running text, see `prose`. Too short or
    too common values are not carried.
    """
    texts = [segment.text for segment in segments]
    carried = choose((0, text, offers_of(text, row, _itself)) for text, row in zip(texts, spans, strict=True))
    if not carried:
        return tuple(tuple(row) for row in spans)
    scanner, prose = Scanner(carried), Prose(carried)
    return tuple(
        (*row, *mentions(prose.mentioned(scanner.find(text, row), text), carried))
        for text, row in zip(texts, spans, strict=True)
    )


def offers_of(text: str, row: Sequence[Span], mark: Callable[[str], bytes]) -> tuple[Offer, ...]:
    """Return the values of a text that are worth carrying.

    Args:
        text: the text.
        row: its spans.
        mark: names a value; equal values have equal marks.
    """
    offers: list[Offer] = []
    openings = Openings(text, row)
    for span in row:
        if span.source.startswith(SOURCE):
            continue
        value = text[span.start : span.end]
        kind = _KINDS[span.kind]
        if _is_worth(value, span.kind) and not (span.kind is EntityType.PERSON and openings.holds(value)):
            name = mark(value)
            offers.append(Offer(name, kind + name, span.start, span.end, span))
        if span.kind is EntityType.PERSON:
            for start, end in name_parts(value):
                name = mark(value[start:end])
                offers.append(Offer(name, kind + name, span.start + start, span.start + end, span))
    return tuple(offers)


def choose(offered: Iterable[tuple[int, str, Iterable[Offer]]]) -> dict[bytes, Carried]:
    """Return what is carried, by the keys of the offers: of equal values the surest, the first of equals.

    Args:
        offered: texts and their offers, each behind the number of its message, in ascending order.
    """
    best: dict[bytes, tuple[Offer, str]] = {}
    kinds: dict[bytes, dict[int, EntityType]] = {}
    for turn, text, offers in offered:
        for offer in offers:
            held = best.get(offer.value)
            if held is None or (
                held[0].seed is not offer.seed
                and (offer.seed.score, offer.seed.kind.value) > (held[0].seed.score, held[0].seed.kind.value)
            ):
                best[offer.value] = offer, text
                kinds.setdefault(offer.value, {})[turn] = offer.seed.kind
    return {
        offer.key: Carried(text[offer.start : offer.end], offer.seed, tuple(kinds[offer.value].items()))
        for offer, text in best.values()
    }


def mentions(hits: Iterable[Hit], carried: Mapping[bytes, Carried], turn: int = 0) -> list[Span]:
    """Return a span for each hit of what is carried, but for those within another: the surname in the whole name.

    Of values that stand at one place the one that was known first says the type, then the surest.

    Args:
        hits: where values stand in a text.
        carried: the values.
        turn: the number of the message that holds the text. What later ones say of a type does not count in it.
    """
    found = [(hit, carried[hit.key]) for hit in hits if hit.key in carried]
    found.sort(
        key=lambda pair: (
            pair[0].start,
            -pair[0].end,
            max(turn, pair[1].since),
            -pair[1].seed.score,
            pair[1].seed.kind.value,
            pair[0].key,
        )
    )
    result: list[Span] = []
    end = -1
    for hit, each in found:
        if hit.end > end:
            end = hit.end
            source = f"{SOURCE}/{each.seed.source}"
            kind = each.kind_in(turn)
            result.append(Span(start=hit.start, end=end, kind=kind, score=each.seed.score, source=source))
    return result


def _itself(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def name_parts(name: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a name stand that are mentions on their own, also those between hyphens."""
    for part in _NAME_PART.finditer(name):
        inner = [part.span(), *(piece.span() for piece in _BETWEEN_HYPHENS.finditer(name, *part.span()))]
        for start, end in dict.fromkeys(inner):
            if end - start < len(name) and _is_name(unpointed(plain(name[start:end]))):
                yield start, end


def _is_name(part: str) -> bool:
    """Tell whether a part of a name is a mention on its own; most names of Arabic and Hebrew have three letters."""
    if len(part) < MIN_LENGTH or is_common_part(part):
        return False
    return part[0].isupper() or is_pointed(part) or is_telling(part, EntityType.PERSON)


def _is_worth(value: str, kind: EntityType) -> bool:
    direct = kind.category is not Category.QUASI and kind.category is not Category.SENSITIVE
    if len(value) < MIN_LENGTH and not (value.isalpha() and not value.isascii() and len(value) > 1):
        return False
    if not direct and value.isdecimal() and len(value) < MIN_DIGITS:
        return False
    if value.isalpha() and value.isascii() and value.islower():
        return is_telling(value, kind)
    return not (kind is EntityType.PERSON and (is_common_part(value) or is_instruction(value)))
