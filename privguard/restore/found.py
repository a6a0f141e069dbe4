"""What R finds in a text, and the ids that it may find there."""

from typing import NamedTuple

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.placeholders import is_form, is_placeholder_id, join_hint, part_hint, write_placeholder
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore import grammar
from privguard.restore.seen import Seen


class Found(NamedTuple):
    """Something that R reads: a value to restore, or a cause not to.

    A named tuple, since one is made for every placeholder and a frozen dataclass takes four times as long.
    """

    start: int  # in the text, half-open
    end: int
    match: Match
    entry: RestoreEntry | None = None  # None: nothing of this request
    value: str = ""  # the spelling that comes back
    written: str = ""  # how it was written, "" where that is how it reads
    told: bool = False  # whether a form tells it
    cause: Cause | None = None  # why it stays as it is
    lone_close: int = 0  # code points of a closing bracket whose opening one was lost
    before: str = ""  # what the model wrote in the bracket and is the text's: emphasis
    behind: str = ""  # the same behind the id: emphasis, an ending
    encoded: bool = False  # written in the percent-encoding of URLs
    own: tuple[tuple[int, int], ...] = ()  # where in it words of the model's own stand, in the text, half-open

    def __repr__(self) -> str:
        return f"Found({self.start}, {self.end}, {self.match}, {self.cause})"


class Id(NamedTuple):
    """What an id is, as it was written."""

    entry: RestoreEntry
    length: int  # of what was written; an s may stand behind it
    intact: bool  # exactly as it left
    unclear: bool  # it has two values, or an s at its end may belong to it or not


class Ids:
    """The ids that replies to one request may hold."""

    def __init__(self, table: RestoreTable) -> None:
        self._entries = table.entries
        self._literals = table.literals
        self._disputed = table.disputed
        self._before_links = table.before_links
        self._starts = {found[:length] for found in table.entries for length in range(1, len(found))} & set(
            table.entries
        )

    def read(self, written: str) -> Id | None:
        """Return what a whole word of letters and digits is an id of: in any case, or in capitals before an s.

        A word is never read in part, and what is not exactly an id is none.
        """
        entry = self._entries.get(written.upper())
        stem = written[:-1]
        plural = self._entries.get(stem) if written[-1:] == "s" else None
        if entry is not None:
            unclear = plural is not None or self.is_disputed(entry)
            return Id(entry, len(written), written == entry.placeholder_id, unclear)
        return Id(plural, len(stem), True, self.is_disputed(plural)) if plural is not None else None

    def is_disputed(self, entry: RestoreEntry) -> bool:
        """Tell whether an id has two values."""
        return entry.placeholder_id in self._disputed

    def may_be_link(self, entry: RestoreEntry) -> bool:
        """Tell whether brackets right before a destination are a link's, and not ours alone."""
        return entry.placeholder_id not in self._before_links

    def is_known(self, written: str) -> bool:
        """Tell whether a word matters: it is an id of this request, or may be one of another."""
        return self.read(written) is not None or is_placeholder_id(written)

    def is_foreign(self, kind: EntityType, placeholder_id: str, written: str) -> bool:
        """Tell whether what was written is a placeholder as we write it, but none that the caller typed."""
        canonical = write_placeholder(kind, placeholder_id)
        return (
            placeholder_id not in self._literals
            and is_placeholder_id(placeholder_id)
            and written.startswith((canonical, canonical[:-1] + ": "))
        )

    def cut_short(self, entry: RestoreEntry, text: str, end: int) -> Cause | None:
        """Return why an id in an open bracket may be no more than the beginning of another one, None if it is whole."""
        if entry.placeholder_id not in self._starts:
            return None
        piece = grammar.PIECE.match(text, end)
        if piece and entry.placeholder_id + piece[1].upper() in self._entries:
            return Cause.AMBIGUOUS
        return Cause.TRUNCATED if end == len(text) else None


def match_of(written: str, kind: EntityType, entry: RestoreEntry, hint: str) -> Match:
    """Tell whether a placeholder stands exactly as one of this entity may have left, if it had this type."""
    told = hint.removeprefix(" ")
    ours = told in ("", entry.hint) or _left(told, entry)
    exact = ours and written == write_placeholder(kind, entry.placeholder_id, told)
    return Match.EXACT if exact else Match.TOLERANT


def _left(hint: str, entry: RestoreEntry) -> bool:
    """Tell whether a hint has a part of ours, or both: the pronoun stands with whichever words come first."""
    words, pronoun = part_hint(hint)
    sent = part_hint(entry.hint)
    return (
        hint == join_hint(words, pronoun)
        and pronoun in ("", sent.pronoun)
        and (words in ("", sent.words) or any(words == form for form, _ in entry.forms))
    )


def is_hint(hint: str, entry: RestoreEntry) -> bool:
    """Tell whether words behind the id are those that were written there; others are the model's own."""
    words = part_hint(hint).words.casefold()
    known = ("", part_hint(entry.hint).words.casefold(), entry.phrase.casefold(), entry.kind.noun)
    # A form that did not leave is the model's wish for one: the value comes back as it is known. So is a pronoun.
    return is_form(words) or words in known


def own_start(seen: Seen, bracket: int, end: int, floor: int) -> int:
    """Return where in the text a placeholder with its opening bracket begins, its backslashes included.

    A model that escapes for markdown escapes inside too. A backslash before an otherwise clean placeholder is the
    text's: a path, say.
    """
    start = seen.place(bracket)
    if grammar.ESCAPED.search(seen.text, bracket + 1, end) is None:
        return start
    before = seen.raw[max(seen.place(floor), start - grammar.MAX_ESCAPES) : start]
    return start - len(before) + len(before.rstrip("\\"))
