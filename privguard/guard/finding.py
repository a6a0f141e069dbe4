"""Find what is sensitive in a request: detect, add denied terms, spread, merge, take whole links, agree on types.

All that one segment says is remembered. What the segments say of each other, where the values of one stand in another,
is remembered as well: a turn looks for its new values in the old texts, and for all values in the new ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from privguard.core.memory import Memory
from privguard.core.profile import Names, Profile, Unread
from privguard.core.protocols import Abstractor, Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect import links
from privguard.detect.agree import agree_by, name_of
from privguard.detect.encoded import above
from privguard.detect.linking import name_bearers
from privguard.detect.lists import Allowed, DenyBook, touched
from privguard.detect.merge import Interval, resolve
from privguard.detect.named import find_listed
from privguard.detect.prose import Prose
from privguard.detect.scanning import Carried, Hit, Scanner
from privguard.detect.spread import Offer, choose, mentions, offers_of
from privguard.detect.torn import mend
from privguard.detect.unread import find_unread
from privguard.detect.zones import find_zones, outside
from privguard.guard.asking import Said, ask
from privguard.guard.late import Late, Since
from privguard.guard.turns import Place, places_of, turns_of

Row = tuple[Span, ...]
Spans = tuple[Row, ...]

_NONE: frozenset[bytes] = frozenset()  # one set for all segments that are new, since sets are told apart as objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The spans of each segment, sorted and disjoint, and which of them must not leave whatever the need."""

    spans: Spans
    denied: tuple[tuple[bool, ...], ...]  # in the shape of `spans`
    past: Spans  # what was known of each segment before later values were found that took its place
    turns: tuple[tuple[Place, ...], ...]  # the spans that came to be known with each message; those of `past` behind


class Known(NamedTuple):
    """What is remembered of one segment."""

    plain_row: Row  # what the detector said
    soft_row: Row
    denied: Row
    zones: tuple[tuple[int, int], ...]
    first: Row  # merged, before values of other segments are looked for
    torn: tuple[Interval, ...]  # the tokens that merging tore
    offers: tuple[tuple[Offer, ...], ...]  # by view
    looked: frozenset[bytes]  # the keys of the values that were looked for
    hits: tuple[tuple[Hit, ...], ...]  # where they stand, by view
    found: tuple[Row, ...] | None  # the mentions that were made of them, by view; None before any were looked for
    whole: Row  # with the mentions, links whole
    names: tuple[bytes, ...]  # of the spans of `whole`
    forbidden: tuple[bool, ...]  # whether they must not leave


FindingMemory = Memory[Known]
MEMORY_BYTES = 8 * 2**20


def finding_memory(capacity: int = MEMORY_BYTES) -> FindingMemory:
    """Return an empty memory.

    Args:
        capacity: about how many bytes it may take, whether the texts are many or long.
    """
    return Memory(capacity, _weight)


def _weight(known: Known) -> int:
    """Return about how many bytes this takes; the sets of values that were looked for are shared by many."""
    counts = ((700, 1), (210, len(known.plain_row)), (100, len(known.whole)))
    offers, hits = sum(map(len, known.offers)), sum(map(len, known.hits))
    return sum(size * count for size, count in (*counts, (160, offers), (200, hits)))


def find(
    segments: Sequence[Segment],
    profile: Profile,
    detector: Detector,
    abstractor: Abstractor,
    memory: FindingMemory | None = None,
    *,
    book: DenyBook | None = None,
) -> Findings:
    """Find every span of a request outside placeholders that stand in it already.

    Args:
        segments: the texts of the request.
        profile: whose threshold and lists count.
        detector: the detector.
        abstractor: the ladders that may have written a hint; one and the same for all that `memory` holds.
        memory: what earlier requests have taught. It changes no answer.
        book: the denied terms of the profile, where they are indexed already.

    Raises:
        DetectionError: the detector failed, or its answer does not fit the text.
    """
    said = ask(segments, detector, profile.threshold)
    return _Finding(profile, abstractor, Memory() if memory is None else memory, book).find(said, turns_of(segments))


class _Finding:
    """One request."""

    def __init__(self, profile: Profile, abstractor: Abstractor, memory: FindingMemory, book: DenyBook | None) -> None:
        self._profile = profile
        self._abstractor = abstractor
        self._memory = memory
        self._salts = _settings(profile), _settings(profile, b"beside")
        self._book = book
        self._allowed = Allowed(profile.allow)
        self._carried: Mapping[bytes, Carried] = {}
        self._prose = Prose({})
        self._scanners: dict[frozenset[bytes], Scanner] = {}

    def find(self, said: Sequence[Said], turns: Sequence[Sequence[int]]) -> Findings:
        marks = [self._memory.mark(each.text, self._salts[each.beside]) for each in said]
        before = [self._memory.get(mark) for mark in marks]
        known = [self._recall(each, held) for each, held in zip(said, before, strict=True)]
        self._carried = choose(
            (turn, view, offers)
            for turn, indices in enumerate(turns)
            for index in indices
            for view, offers in zip(said[index].views(), known[index].offers, strict=True)
        )
        self._prose = Prose(self._carried)
        turn_of = {index: turn for turn, indices in enumerate(turns) for index in indices}
        keys = frozenset(self._carried)
        missing: dict[int, frozenset[bytes]] = {}
        for number, (each, one) in enumerate(zip(said, known, strict=True)):
            if id(one.looked) not in missing:
                missing[id(one.looked)] = keys - one.looked
            known[number] = self._carry(each, one, turn_of[number], missing[id(one.looked)])
        # One set for all of them: it is as long as the conversation.
        known = [one if one.looked is keys else one._replace(looked=keys) for one in known]
        for mark, one, held in zip(marks, known, before, strict=True):
            if one is not held:
                self._memory.put(mark, one)
        since = [
            self._since(each, one, turn_of[number]) for number, (each, one) in enumerate(zip(said, known, strict=True))
        ]
        agreed = agree_by(
            [(*one.names, *self._names(each, when.past)) for each, one, when in zip(said, known, since, strict=True)],
            [(*one.whole, *when.past) for one, when in zip(known, since, strict=True)],
            turns,
        )
        places = places_of(turns, agreed, [(*when.spans, *when.past_spans) for when in since])
        rows = name_bearers([each.text for each in said], agreed, places)
        return Findings(
            spans=tuple([row[: len(one.whole)] for row, one in zip(rows, known, strict=True)]),
            denied=tuple([one.forbidden for one in known]),
            past=tuple([row[len(one.whole) :] for row, one in zip(rows, known, strict=True)]),
            turns=places,
        )

    def _recall(self, said: Said, held: Known | None) -> Known:
        if held is not None and _same(held.plain_row, said.plain_row) and _same(held.soft_row, said.soft_row):
            return held
        if self._book is None:
            self._book = DenyBook(self._profile.deny)
        found = said.united(*(above(row, self._profile.threshold) for row in (said.plain_row, said.soft_row)))
        denied = said.found_by(self._book.find)
        if self._profile.unread is not Unread.SEND:
            denied = (*denied, *said.found_by(self._unread))
        listed = said.found_by(find_listed) if self._profile.names is Names.LISTED else ()
        zones = find_zones(said.text, self._abstractor.is_rung)
        first, torn = resolve(outside((*found, *listed, *denied), zones), said.text)
        nothing: tuple[tuple[Hit, ...], ...] = ((),) * len(said.views())
        return Known(
            plain_row=said.plain_row,
            soft_row=said.soft_row,
            denied=denied,
            zones=zones,
            first=first,
            torn=torn,
            offers=tuple([offers_of(view, first, self._memory.mark) for view in said.views()]),
            looked=_NONE,
            hits=nothing,
            found=None,
            whole=(),
            names=(),
            forbidden=(),
        )

    def _unread(self, text: str) -> Row:
        return tuple([span for span in find_unread(text) if text[span.start : span.end] not in self._allowed])

    def _carry(self, said: Said, known: Known, turn: int, missing: frozenset[bytes]) -> Known:
        """Look for what was not looked for, and take in what was found."""
        hits = known.hits
        if missing:
            scanner = self._scanners.get(missing)
            if scanner is None:
                # In the order of the request, so that nothing hangs on the order of a set.
                wanted = {key: each for key, each in self._carried.items() if key in missing}
                scanner = self._scanners[missing] = Scanner(wanted)
            hits = tuple(
                [
                    (*old, *scanner.find(view, known.first, beside=said.beside))
                    for view, old in zip(said.views(), hits, strict=True)
                ]
            )
        if not any(hits):
            found: tuple[Row, ...] = ((),) * len(hits)
        else:
            hits = tuple([tuple([hit for hit in row if hit.key in self._carried]) for row in hits])
            found = tuple([tuple(mentions(row, self._carried, turn)) for row in self._mentioned(said, hits)])
        if found != known.found:
            known = self._finish(said, known._replace(found=found))
        return known if hits == known.hits else known._replace(hits=hits)

    def _mentioned(self, said: Said, hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """Return the hits that are mentions, by view."""
        return [
            self._prose.mentioned(row, view, beside=said.beside) for view, row in zip(said.views(), hits, strict=True)
        ]

    def _since(self, said: Said, known: Known, turn: int) -> Since:
        """Return with which message each span of a segment came to be known."""
        if all(self._carried[hit.key].since <= turn for row in known.hits for hit in row):
            return Since((turn,) * len(known.whole))
        late = Late(turn, known.first, self._carried, partial(_whole, said, known))
        return late.since(known.whole, self._mentioned(said, known.hits))

    def _names(self, said: Said, row: Row) -> tuple[bytes, ...]:
        return tuple([self._memory.mark(name_of(said.text[span.start : span.end])) for span in row])

    def _finish(self, said: Said, known: Known) -> Known:
        """Make whole what was found."""
        whole = _whole(said, known, known.first, known.found or ((),))
        return known._replace(
            whole=whole,
            names=self._names(said, whole),
            forbidden=tuple(
                [
                    span.source == links.SOURCE or denied
                    for span, denied in zip(whole, touched(whole, known.denied), strict=True)
                ]
            ),
        )


def _whole(said: Said, known: Known, first: Row, found: tuple[Row, ...]) -> Row:
    """Merge what was found, and take torn tokens and links as a whole."""
    everywhere, torn = first, known.torn
    if any(found):
        united = said.united(*((*first, *found[at]) for at in (0, -1)))
        everywhere, more = resolve(outside(united, known.zones), said.text)
        torn = (*torn, *more)
    return links.take_links(said.text, mend(everywhere, torn, said.text))


def _same(one: Row, other: Row) -> bool:
    return one is other or one == other


def _settings(profile: Profile, place: bytes = b"") -> bytes:
    """Return a hash of what of a profile decides what is found in a place."""
    says = (profile.names, profile.unread, profile.allow if profile.unread is not Unread.SEND else ())
    hashed = blake2b(repr((place, profile.threshold, *says)).encode("utf-8", "surrogatepass"), digest_size=16)
    for term, kind in sorted(profile.deny.items()):
        raw = term.encode("utf-8", "surrogatepass")
        hashed.update(b"%d %s %s" % (len(raw), raw, kind.value.encode()))
    return hashed.digest()
