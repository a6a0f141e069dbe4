"""Find in a text of a reply the values that the model brought by itself.

A value counts if the detector that reads requests finds it, the profile names its type or denies it, and it is neither
the caller's own (`Sent`), nor put back by R, nor allowed, nor public where the profile lets public spans leave.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from privguard.core.edits import Edit
from privguard.core.entities import EntityType
from privguard.core.json_leaves import Kind, encode
from privguard.core.letters import bare_words
from privguard.core.markers import write_marker
from privguard.core.memory import Memory
from privguard.core.nested_texts import Found, NestedTexts, Place, Written
from privguard.core.patterns import lazy_pattern
from privguard.core.plan import Need
from privguard.core.profile import OnReply, Profile, Public
from privguard.core.protocols import NeedModel
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.linking.titles import TITLES
from privguard.detect.lists import Allowed
from privguard.guard.finding import Findings
from privguard.guard.reply.escapes import around_escapes
from privguard.guard.reply.sent import Sent
from privguard.minimizer.policy import MAY_BE_PUBLIC, EntityNeed, is_public

Extent: TypeAlias = tuple[int, int]  # half-open, in code points
Look: TypeAlias = Callable[[Sequence[Segment]], Findings]

_NOWHERE = Place(-1, -1)  # the string that holds all: the reply itself
_NUMBER = lazy_pattern(r"\s*-?[0-9][0-9.eE+-]*\s*")
_MIN_REST = 3  # letters and digits of what stands beside a restored value and is still a value


class Brought(NamedTuple):
    """A value of the model's own in a text, and what may stand in its place."""

    start: int
    end: int
    kind: EntityType
    length: int  # code points of the value as it reads
    marker: str

    def __repr__(self) -> str:
        return f"Brought({self.kind}, [{self.start}, {self.end}))"


class _Seen(NamedTuple):
    """What is remembered of a span: all that the text and the profile decide."""

    start: int
    end: int
    kind: EntityType
    denied: bool
    public: bool


class _Leaf(NamedTuple):
    """A text within the text, as a reader of it sees it."""

    segment: Segment
    is_key: bool

    def at(self, offset: int) -> int:
        """Return where one of its code points stands in the whole."""
        return offset if self.segment.written is None else self.segment.written.offset(offset)

    def edit(self, start: int, end: int, marker: str) -> Edit:
        """Return what puts a marker in the place of `[start, end)`, in the whole."""
        edits = (Edit(start=start, end=end, replacement=marker),)
        return (edits if self.segment.written is None else self.segment.written.edits(edits))[0]


_Rows: TypeAlias = tuple[tuple[_Seen, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The rules for one reply. Immutable, shared by all its streams."""

    profile: Profile
    sent: Sent
    look: Look = field(repr=False)
    need: NeedModel = field(repr=False)
    memory: Memory[_Rows] = field(repr=False)

    def judge(self, text: str, kept: Sequence[Extent] = (), *, is_document: bool = False) -> tuple[Brought, ...]:
        """Return the values of the model's own in a text, sorted; they may overlap.

        Args:
            text: what the caller would read: prose, or a JSON document with the documents in its strings.
            kept: what R has put in or left there, sorted and disjoint: none of it is ever touched.
            is_document: whether it is a whole JSON document, which must stay one, also where it is a number alone.

        Raises:
            Exception: whatever a detector raises.
        """
        leaves = _leaves(text)
        mark = self.memory.mark(f"{self.profile.id}\0{text}")
        rows = self.memory.get(mark)
        if rows is None:
            rows = self._see([leaf.segment for leaf in leaves])
            self.memory.put(mark, rows)
        allowed = Allowed(self.profile.allow)
        keys: dict[EntityType, int] = {}
        found: list[Brought] = []
        for leaf, row in zip(leaves, rows, strict=True):
            for seen in row:
                for start, end in self._counted(leaf, seen, kept, allowed):
                    # The keys of an object must not become the same.
                    number = keys[seen.kind] = keys.get(seen.kind, 0) + leaf.is_key
                    edit = leaf.edit(start, end, write_marker(seen.kind, number if leaf.is_key else 1))
                    if leaf.segment.written is None:
                        edit = _whole(text, edit, kept)
                    if is_document and _NUMBER.fullmatch(text):
                        edit = Edit(start=0, end=len(text), replacement=encode(edit.replacement))
                    found.append(Brought(edit.start, edit.end, seen.kind, end - start, edit.replacement))
        return tuple(sorted(found, key=lambda each: (each.start, -each.end)))

    def _see(self, segments: Sequence[Segment]) -> _Rows:
        findings = self.look(segments)
        public = self._public(segments, findings.spans)
        return tuple(
            [
                tuple(
                    [
                        _Seen(span.start, span.end, span.kind, denied, open_to_all)
                        for span, denied, open_to_all in zip(spans, row, open_row, strict=True)
                    ]
                )
                for spans, row, open_row in zip(findings.spans, findings.denied, public, strict=True)
            ]
        )

    def _public(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> Sequence[Sequence[bool]]:
        nothing = [[False] * len(row) for row in spans]
        if self.profile.public is not Public.RETAIN or not any(
            each.kind in MAY_BE_PUBLIC for row in spans for each in row
        ):
            return nothing
        needs = self._needs(segments, spans)
        if needs is None:
            return nothing
        return [
            [
                is_public(EntityNeed(kind=span.kind, needs=(need,)), self.profile)
                for span, need in zip(row, asked, strict=True)
            ]
            for row, asked in zip(spans, needs, strict=True)
        ]

    def _needs(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> Sequence[Sequence[Need]] | None:
        """Return the needs; None where the model failed: then nothing is taken for public."""
        try:
            needs = self.need.need(segments, spans)
        except Exception:  # noqa: BLE001 - a foreign model may raise anything
            return None
        fits = len(needs) == len(spans) and all(len(one) == len(other) for one, other in zip(needs, spans, strict=True))
        return needs if fits else None

    def _counted(self, leaf: _Leaf, seen: _Seen, kept: Sequence[Extent], allowed: Allowed) -> Iterator[Extent]:
        if not seen.denied and (seen.public or seen.kind not in self.profile.reply_types):
            return
        text = leaf.segment.text
        may_pass = seen.kind is not EntityType.SECRET
        if may_pass and text[seen.start : seen.end] in allowed:
            return
        for start, end in _outside(leaf, seen, kept):
            value = text[start:end]
            if not (may_pass and value in allowed) and not self.sent.holds(seen.kind, value):
                yield start, end


class Judges:
    """Makes the judge of each reply of one guard, and remembers what was found in which text. Thread-safe."""

    def __init__(self, look: Callable[[Profile], Look], need: NeedModel) -> None:
        """Take what makes the detector of a profile's replies, and the need model, which knows what is public."""
        self._look, self._need = look, need
        self._memory: Memory[_Rows] = Memory()

    def of(self, profile: Profile, sent: Callable[[], Sent]) -> Judge | None:
        """Return the judge of a reply; None where the profile lets all pass: then nobody asks what was sent."""
        if profile.on_reply is OnReply.PASS:
            return None
        return Judge(profile=profile, sent=sent(), look=self._look(profile), need=self._need, memory=self._memory)


def _leaves(text: str) -> tuple[_Leaf, ...]:
    """Return the texts within a text; what is no document is read as a whole too, escapes and all."""
    nested = NestedTexts()
    leaves = [_leaf(found, nested, text) for found in nested.read(text, "reply")]
    if nested.nodes and not nested.nodes[0].document.extents:
        leaves.append(_leaf(Found(None, "reply", text, Kind.STRING), nested, text))
    return tuple(leaves)


def _leaf(found: Found, nested: NestedTexts, text: str) -> _Leaf:
    written = None if found.place is None else Written(nested, _NOWHERE, found.place, text)
    segment = Segment(path="reply", role=Role.ASSISTANT, channel=Channel.TEXT, text=found.text, written=written)
    return _Leaf(segment, found.kind is Kind.KEY)


def _whole(text: str, edit: Edit, kept: Sequence[Extent]) -> Edit:
    """Return an edit of prose that cuts no escape; it touches no more of what is kept."""
    start, end = around_escapes(text, edit.start, edit.end)
    before, behind = (start, edit.start), (edit.end, end)
    if any(low < to and begin < high for low, high in kept for begin, to in (before, behind) if begin < to):
        return edit
    return replace(edit, start=start, end=end)


def _outside(leaf: _Leaf, seen: _Seen, kept: Sequence[Extent]) -> Iterator[Extent]:
    """Yield what of a span R has not put there; beside what it has, whatever says nothing by itself is left out."""
    start, end = leaf.at(seen.start), leaf.at(seen.end)
    near = [extent for extent in kept if extent[0] < end and start < extent[1]]
    if not near:
        yield seen.start, seen.end
        return
    text = leaf.segment.text
    begin = seen.start
    for place in range(seen.start, seen.end + 1):
        if place == seen.end or any(low < leaf.at(place + 1) and leaf.at(place) < high for low, high in near):
            rest = _trimmed(text, begin, place)
            if rest is not None and _says_something(text[slice(*rest)], seen.kind):
                yield rest
            begin = place + 1


def _trimmed(text: str, start: int, end: int) -> Extent | None:
    """Return an interval without the signs and the white space at its edges; None where nothing else is in it."""
    places = [place for place in range(start, end) if text[place].isalnum()]
    return (places[0], places[-1] + 1) if places else None


def _says_something(rest: str, kind: EntityType) -> bool:
    # A word of the sentence that the detector took in, or titles.
    if kind is EntityType.PERSON and (rest.islower() or TITLES.issuperset(bare_words(rest))):
        return False
    return sum(map(str.isalnum, rest)) >= _MIN_REST
