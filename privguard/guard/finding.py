"""Find what is sensitive in a request: detect, add denied terms, spread, merge, take whole links, agree on types.

All that one segment says is remembered. What the segments say of each other, where the values of one stand in another,
is remembered as well: a turn looks for its new values in the old texts, and for all values in the new ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from privguard.core.errors import DetectionError, ProtectionError
from privguard.core.memory import Memory
from privguard.core.profile import Profile
from privguard.core.protocols import Abstractor, Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect import links
from privguard.detect.agree import agree_by, name_of
from privguard.detect.encoded import above
from privguard.detect.escapes import soften, unite
from privguard.detect.keyed import behind, lead_of
from privguard.detect.linking import name_bearers
from privguard.detect.lists import DenyBook, touched
from privguard.detect.merge import Interval, resolve
from privguard.detect.prose import Prose
from privguard.detect.scanning import Carried, Hit, Scanner
from privguard.detect.spread import Offer, choose, mentions, offers_of
from privguard.detect.torn import mend
from privguard.detect.zones import find_zones, outside
from privguard.guard.turns import turns_of

Row = tuple[Span, ...]
Spans = tuple[Row, ...]

_NONE: frozenset[bytes] = frozenset()  # one set for all segments that are new, since sets are told apart as objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The spans of each segment, sorted and disjoint, and which of them must not leave whatever the need."""

    spans: Spans
    denied: tuple[tuple[bool, ...], ...]  # in the shape of `spans`


class _Said(NamedTuple):
    """A segment and what the detector says of it."""

    text: str
    soft: str | None  # with written line breaks as white space, None where there are none
    plain_row: Row
    soft_row: Row
    beside: bool  # whether it is no running text

    def __repr__(self) -> str:
        return f"_Said(length {len(self.text)})"

    def views(self) -> tuple[str, ...]:
        """Return the texts that are looked at."""
        return (self.text,) if self.soft is None else (self.text, self.soft)

    def united(self, plain: Row, soft: Row) -> Row:
        """Return what was found in both views."""
        return plain if self.soft is None else unite(self.text, plain, soft)


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


def find(
    segments: Sequence[Segment],
    profile: Profile,
    detector: Detector,
    abstractor: Abstractor,
    memory: FindingMemory | None = None,
) -> Findings:
    """Find every span of a request outside placeholders that stand in it already.

    Args:
        segments: the texts of the request.
        profile: whose threshold and lists count.
        detector: the detector.
        abstractor: the ladders that may have written a hint; one and the same for all that `memory` holds.
        memory: what earlier requests have taught. It changes no answer.

    Raises:
        DetectionError: the detector failed, or its answer does not fit the text.
    """
    said = _ask(segments, detector, profile.threshold)
    return _Finding(profile, abstractor, Memory() if memory is None else memory).find(said, turns_of(segments))


def _ask(segments: Sequence[Segment], detector: Detector, threshold: float) -> list[_Said]:
    """Let the detector read the segments; once more those under a key, and those that hold written line breaks."""
    rows = _behind_keys(segments, _detected(segments, detector), detector, threshold)
    softened: dict[int, Segment] = {}
    for number, segment in enumerate(segments):
        soft = soften(segment.text)
        if soft is not segment.text and soft != segment.text:
            softened[number] = replace(segment, text=soft)
    more = dict(zip(softened, _detected(tuple(softened.values()), detector), strict=True)) if softened else {}
    return [
        _Said(
            segment.text,
            softened[number].text if number in softened else None,
            row,
            more.get(number, ()),
            beside=segment.beside,
        )
        for number, (segment, row) in enumerate(zip(segments, rows, strict=True))
    ]


def _behind_keys(segments: Sequence[Segment], rows: Spans, detector: Detector, threshold: float) -> Spans:
    """Add what the keys of documents tell of the values under them."""
    sure = [above(row, threshold) for row in rows]
    leads = {number: lead for number, each in enumerate(segments) if (lead := lead_of(each, sure[number]))}
    keyed = tuple([replace(segments[number], text=lead + segments[number].text) for number, lead in leads.items()])
    more = dict(zip(leads, _detected(keyed, detector), strict=True)) if leads else {}
    return tuple(
        [(*row, *behind(leads[number], more[number])) if number in more else row for number, row in enumerate(rows)]
    )


class _Finding:
    """One request."""

    def __init__(self, profile: Profile, abstractor: Abstractor, memory: FindingMemory) -> None:
        self._profile = profile
        self._abstractor = abstractor
        self._memory = memory
        self._salts = _settings(profile), _settings(profile, b"beside")
        self._book: DenyBook | None = None
        self._carried: Mapping[bytes, Carried] = {}
        self._prose = Prose({})
        self._scanners: dict[frozenset[bytes], Scanner] = {}

    def find(self, said: Sequence[_Said], turns: Sequence[Sequence[int]]) -> Findings:
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
        agreed = agree_by([one.names for one in known], [one.whole for one in known], turns)
        return Findings(
            spans=name_bearers([each.text for each in said], agreed, turns),
            denied=tuple([one.forbidden for one in known]),
        )

    def _recall(self, said: _Said, held: Known | None) -> Known:
        if held is not None and _same(held.plain_row, said.plain_row) and _same(held.soft_row, said.soft_row):
            return held
        if self._book is None:
            self._book = DenyBook(self._profile.deny)
        found = said.united(*(above(row, self._profile.threshold) for row in (said.plain_row, said.soft_row)))
        denied = said.united(self._book.find(said.text), self._book.find(said.soft) if said.soft is not None else ())
        zones = find_zones(said.text, self._abstractor.is_rung)
        first, torn = resolve(outside((*found, *denied), zones), said.text)
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

    def _carry(self, said: _Said, known: Known, turn: int, missing: frozenset[bytes]) -> Known:
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
            found = tuple(
                [
                    tuple(mentions(self._prose.mentioned(row, view, beside=said.beside), self._carried, turn))
                    for view, row in zip(said.views(), hits, strict=True)
                ]
            )
        if found != known.found:
            known = self._finish(said, known._replace(found=found))
        return known if hits == known.hits else known._replace(hits=hits)

    def _finish(self, said: _Said, known: Known) -> Known:
        """Merge what was found, and take torn tokens and links as a whole."""
        everywhere, torn = known.first, known.torn
        found = known.found or ((),)
        if any(found):
            united = said.united(*((*known.first, *found[at]) for at in (0, -1)))
            everywhere, more = resolve(outside(united, known.zones), said.text)
            torn = (*torn, *more)
        whole = links.take_links(said.text, mend(everywhere, torn, said.text))
        return known._replace(
            whole=whole,
            names=tuple([self._memory.mark(name_of(said.text[span.start : span.end])) for span in whole]),
            forbidden=tuple(
                [
                    span.source == links.SOURCE or denied
                    for span, denied in zip(whole, touched(whole, known.denied), strict=True)
                ]
            ),
        )


def _same(one: Row, other: Row) -> bool:
    return one is other or one == other


def _settings(profile: Profile, place: bytes = b"") -> bytes:
    """Return a hash of what of a profile decides what is found in a place."""
    hashed = blake2b(b"%s %r" % (place, profile.threshold), digest_size=16)
    for term, kind in sorted(profile.deny.items()):
        raw = term.encode("utf-8", "surrogatepass")
        hashed.update(b"%d %s %s" % (len(raw), raw, kind.value.encode()))
    return hashed.digest()


def _detected(segments: Sequence[Segment], detector: Detector) -> Spans:
    failure = ""
    try:
        found = detector.detect(segments)
    except ProtectionError:
        raise
    except Exception as error:  # noqa: BLE001 - a foreign detector may raise anything
        failure = type(error).__name__
    if failure:
        # Raised out here, since its text may hold content and the context of an exception keeps it reachable.
        raise DetectionError(f"the detector failed with {failure}; nothing was sent")
    if len(found) != len(segments):
        raise DetectionError(f"the detector answered for {len(found)} of {len(segments)} segments")
    for row, segment in zip(found, segments, strict=True):
        for span in row:
            if span.end > len(segment.text):
                raise DetectionError(
                    f"{span.kind} [{span.start}, {span.end}) lies outside {segment.path} of length {len(segment.text)}"
                )
    return found
