"""Let R read what is about to leave: the strings that the caller gave must come back from it, byte for byte.

A string may be read as many texts, a JSON document as one for each of its strings. What comes back is compared as a
whole, with its escapes, in prose; that of a document in JSON too. The one exception is a number that was replaced: it
comes back as a string.

A message of the model may hold placeholders of ours already: what a view withheld comes back with the conversation. R
reads them as it reads those that are written now, and so they are read in the original as well.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from privguard.core.audit import Cause, Event
from privguard.core.edits import Edit, splice
from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard.core.memory import Memory
from privguard.core.plan import Decision
from privguard.core.restoring import Restored, RestoreTable
from privguard.core.segments import Channel, Role, Segment
from privguard.restore import Restorer, word_ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A string that the caller gave, and the segments that it was read as."""

    text: str = field(repr=False)
    segments: Sequence[int]
    is_document: bool
    is_reply: bool = False  # whether the model wrote it, who may repeat placeholders


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """What R does not give back."""

    excess: frozenset[str]  # ids that it reads more often than they were written
    segments: tuple[int, ...]  # those of the strings that come back otherwise, in order
    stuck: tuple[tuple[int, int], ...]  # segment and place of what it refuses to write where it stands: into a URL


def wholes_of(segments: Sequence[Segment]) -> tuple[Whole, ...]:
    """Put the segments of each string together."""
    wholes: list[Whole] = []
    owner: object = None
    members: list[int] = []
    for number, segment in enumerate(segments):
        written = segment.written
        mine = None if written is None else (id(written.nested), written.root)
        if mine is None or mine != owner:
            owner, members = mine, []
            text = segment.text if written is None else written.string
            wholes.append(
                Whole(
                    text=text,
                    segments=members,
                    is_document=written is not None and written.in_document,
                    is_reply=segment.role is Role.ASSISTANT,
                )
            )
        members.append(number)
    return tuple(wholes)


def proofread(
    wholes: Sequence[Whole],
    outgoing: Sequence[Segment],
    decisions: Sequence[Sequence[Decision]],
    table: RestoreTable,
    checked: Memory[bool],
) -> Misread | None:
    """Return what R does not give back; None where all comes back. What it read back before is not read again.

    Args:
        wholes: the strings.
        outgoing: the segments as they leave.
        decisions: those of each segment.
        table: what R is given.
        checked: the strings that R is known to read back.
    """
    if not table.entries:
        return None
    proof = _Proof(table, checked)
    excess: set[str] = set()
    doubtful: list[int] = []
    stuck: list[tuple[int, int]] = []
    for whole in wholes:
        lines = _lines(whole, outgoing, decisions)
        sent = splice(whole.text, [line.sent for line in lines])
        expected = splice(whole.text, [line.expected for line in lines])
        if proof.reads_back(sent, expected, whole):
            continue
        refused = proof.refused(sent, whole, lines)
        if refused is not None:
            stuck += refused
            continue
        doubtful += whole.segments
        written = Counter(each.placeholder_id for number in whole.segments for each in decisions[number])
        read = proof.count(sent)
        excess |= {placeholder_id for placeholder_id in read if read[placeholder_id] > written[placeholder_id]}
    if not doubtful and not stuck:
        return None
    return Misread(excess=frozenset(excess), segments=tuple(doubtful), stuck=tuple(stuck))


class _Line(NamedTuple):
    """One replacement in a string."""

    sent: Edit
    expected: Edit
    place: tuple[int, int]  # segment, and place in its decisions

    def __repr__(self) -> str:
        return f"_Line({self.place})"


def _lines(whole: Whole, outgoing: Sequence[Segment], decisions: Sequence[Sequence[Decision]]) -> list[_Line]:
    lines: list[_Line] = []
    for number in whole.segments:
        segment = outgoing[number]
        if not segment.edits:
            continue
        places = [(number, place) for place, each in enumerate(decisions[number]) if each.replacement is not None]
        sent = segment.edits if segment.written is None else segment.written.edits(segment.edits)
        expected = [replace(edit, replacement=whole.text[edit.start : edit.end]) for edit in sent]
        if segment.written is not None and segment.written.is_number:
            expected = list(segment.written.edits(()))
        # A number is one replacement, whatever was found in it.
        lines += map(_Line, sent, expected, places[-len(sent) :])
    return lines


def _refused_in(restored: str, text: str, lines: Sequence[_Line]) -> list[tuple[int, int]] | None:
    """Return the places where the replacement still stands; None where anything else is not as it was."""
    left = []
    done = at = 0
    for line in lines:
        gap = text[done : line.sent.start]
        done, at = line.sent.end, at + len(gap)
        if restored.startswith(line.sent.replacement, at):
            left.append(line.place)
            value = line.sent.replacement
        else:
            value = line.expected.replacement
        if not restored.startswith(gap + value, at - len(gap)):
            return None
        at += len(value)
    return left if restored[at:] == text[done:] else None


class _Proof:
    """R over the values of one request, where it is needed at all."""

    def __init__(self, table: RestoreTable, checked: Memory[bool]) -> None:
        self._table, self._checked = table, checked
        # A bare phrase may stand in any text, so that no memory holds.
        self._told = {} if any(entry.phrase for entry in table.entries.values()) else _told(table)
        self._restorer: Restorer | None = None

    def reads_back(self, sent: str, expected: str, whole: Whole) -> bool:
        """Tell whether R makes of the text that leaves the text that was given."""
        mark = self._mark(sent, expected, whole) if self._told else b""
        if self._told and self._checked.get(mark):
            return True
        exact = self._is_read_as(sent, expected, Channel.TEXT, whole)
        if exact and whole.is_document and not self._is_read_as(sent, expected, Channel.JSON, whole):
            exact = not _is_json(expected)
        if exact and self._told:
            self._checked.put(mark, True)
        return exact

    def _is_read_as(self, sent: str, expected: str, channel: Channel, whole: Whole) -> bool:
        read = self._restore(sent, channel).text
        return read == expected or (whole.is_reply and read == self._restore(expected, channel).text)

    def refused(self, sent: str, whole: Whole, lines: Sequence[_Line]) -> list[tuple[int, int]] | None:
        """Return the places of what R refuses to write; None where the text comes back otherwise in another way."""
        places: set[tuple[int, int]] = set()
        for channel in (Channel.TEXT, Channel.JSON) if whole.is_document and _is_json(whole.text) else (Channel.TEXT,):
            restored = self._restore(sent, channel)
            left = _refused_in(restored.text, whole.text, lines)
            refusals = sum(event.count for event in restored.events if event.cause is Cause.URL)
            if left is None or len(left) > refusals:
                return None
            places.update(left)
        return sorted(places)

    def count(self, sent: str) -> Counter[str]:
        """Count how often R reads each id."""
        read: Counter[str] = Counter()
        for event in self._restore(sent).events:
            if event.event is not Event.UNRESTORED:
                read[event.placeholder_id] += event.count
        return read

    def _restore(self, text: str, channel: Channel = Channel.TEXT) -> Restored:
        self._restorer = self._restorer or Restorer(self._table)
        return self._restorer.restore(text, channel)

    def _mark(self, sent: str, expected: str, whole: Whole) -> bytes:
        """Name all that decides how R reads a text: itself, and what R knows of the ids that it may find there."""
        ids = word_ends(sent) & self._told.keys()
        known = [self._told[placeholder_id] for placeholder_id in sorted(ids)]
        parts = (expected, sent, f"{whole.is_document} {whole.is_reply}", *self._table.url_hosts, *known)
        return self._checked.mark("\0".join([f"{len(part)}\0{part}" for part in parts]))


def _told(table: RestoreTable) -> dict[str, str]:
    """Return all that R knows of each entity, in one text."""
    told = {}
    for placeholder_id, entry in table.entries.items():
        linked = placeholder_id in table.before_links
        pairs = (*entry.forms, ("", ""), *entry.written)
        forms = "".join([f"\0{form}\0{len(spelling)}\0{spelling}" for form, spelling in pairs])
        told[placeholder_id] = (
            f"{placeholder_id}\0{linked}\0{entry.kind.value}\0{len(entry.value)}\0{entry.value}\0{entry.hint}{forms}"
        )
    return told


def _is_json(text: str) -> bool:
    """Tell whether a text is a document by the letter; one that is read leniently cannot come back as JSON."""
    try:
        parse(text)
    except UnknownContentError:
        return False
    return True
