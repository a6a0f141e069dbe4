"""Find the next placeholder or phrase in a buffer, and what at its end may still become one."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.placeholders import is_form, is_placeholder_id, join_hint, part_hint, write_placeholder
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore import grammar

_LEFT_WINDOW = 96  # code points: longer than the longest type name with all its escapes
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LIVELY = re.compile(r"[\[\\&%_]")


class Found(NamedTuple):
    """Something that R reads: a value to restore, or a cause not to.

    A named tuple, since one is made for every placeholder and a frozen dataclass takes four times as long.
    """

    start: int
    end: int
    match: Match
    entry: RestoreEntry | None = None  # None: nothing of this request
    value: str = ""  # the spelling that comes back
    written: str = ""  # how it was written, "" where that is how it reads
    told: bool = False  # whether a form tells it
    cause: Cause | None = None  # why it stays as it is
    lone_close: int = 0  # code points of a closing bracket whose opening one was lost


class Reader:
    """The grammar, over the values of one request. Immutable, shared by all streams of the request."""

    def __init__(self, table: RestoreTable) -> None:
        self._literals = table.literals
        self._disputed = table.disputed
        self.knows_written = any(entry.written for entry in table.entries.values())
        kinds = {entry.kind for entry in table.entries.values()}
        self._live = {
            found: (entry, write_placeholder(entry.kind, found), len(entry.kind.value) + 1)
            for found, entry in table.entries.items()
        }
        words = {kind.value.partition("_")[0].lower() for kind in kinds}
        self._starts = frozenset(word[:length] for word in words for length in range(1, len(word) + 1))
        self._phrases = _by_phrase(table.entries)
        self._phrase = _phrase_pattern(self._phrases)
        self._phrase_start = max((len(phrase) for phrase in self._phrases), default=0)

    def is_quiet(self, chunk: str, before: str) -> bool:
        """Tell fast whether no placeholder can begin, go on or end in a chunk that `before` precedes."""
        if self._phrase is not None or _LIVELY.search(chunk):
            return False
        stem = chunk.rstrip(_LETTERS)
        if len(stem) == len(chunk):
            return True
        word = chunk[len(stem) :].lower()
        return word not in self._starts or _is_word(stem[-1:] or before)

    def find_all(self, text: str, position: int, limit: int) -> Iterator[Found]:
        """Iterate over everything that begins in `[position, limit)`, from left to right, without overlaps."""
        anchors = grammar.anchors_of(text)
        found = self._find_placeholder(text, position, anchors)
        phrase = self._find_phrase(text, position)
        while True:
            if phrase is not None and (found is None or phrase.start < found.start):
                first = phrase
            elif found is not None:
                first = found
            else:
                return
            if first.start >= limit:
                return
            yield first
            position = first.end
            # What was found further on stays found: each text is searched once.
            if found is not None and found.start < position:
                found = self._find_placeholder(text, position, anchors)
            if phrase is not None and phrase.start < position:
                phrase = self._find_phrase(text, position)

    def held_from(self, text: str, position: int) -> int:
        """Return where in `text`, from `position` on, something begins that is not certain yet."""
        start = len(text)
        for held in grammar.HELD_BACK.finditer(text, max(position, len(text) - grammar.MAX_FORM)):
            # Without a bracket only the types of this request can begin here.
            if not held[0][0].isalpha() or _first_word(held[0]) in self._starts:
                start = held.start()
                break
        for begin in range(max(position, len(text) - self._phrase_start), start):
            if not _is_word(text[begin - 1 : begin]) and self._begins_phrase(text[begin:]):
                return begin
        return start

    def is_cut_off(self, rest: str) -> bool:
        """Tell whether the end of a reply can only be a placeholder of this request that was cut off."""
        cut = grammar.CUT_OFF.match(rest)
        if cut is None:
            return False
        word = _first_word(cut[1])
        return len(word) >= 2 and word in self._starts

    def _find_placeholder(self, text: str, position: int, anchors: re.Pattern[str]) -> Found | None:
        for anchor in anchors.finditer(text, position):
            written = anchor[1]
            live = self._live.get(written.upper())
            if live is not None:
                entry, canonical, offset = live
                start = anchor.start() - offset
                if start >= position and text.startswith(canonical, start) and not self._disputes(entry):
                    written_as = entry.written_of("") if entry.written else ""
                    return Found(start, start + len(canonical), Match.EXACT, entry, entry.value, written_as)
            elif not is_placeholder_id(written):
                continue
            left = grammar.LEFT.search(text, max(position, anchor.start() - _LEFT_WINDOW), anchor.start())
            if left is None:
                continue
            found = self._read(text, left, anchor, live[0] if live else None)
            if found is not None:
                return found
        return None

    def _read(self, text: str, left: re.Match[str], anchor: re.Match[str], entry: RestoreEntry | None) -> Found | None:
        kind = grammar.kind_of(left[2])
        start, end, hint = _extent(text, left, anchor.end(), entry)
        if entry is None:
            return self._unknown(text[start:end], kind, anchor[1], start, end)
        written = text[start:end]
        lone = None if left[1] else grammar.LONE_CLOSE.match(text, end)
        # Percent-encoded, it stands in a URL: where that URL may hold values, they would have to be encoded too.
        wrong = kind is not entry.kind or (left[1] or "").startswith("%") or self._disputes(entry)
        return Found(
            start=start,
            end=end,
            match=_match(written, kind, entry, hint),
            entry=entry,
            value=entry.value_of(hint),
            written=entry.written_of(hint),
            told=is_form(part_hint(hint).words.casefold()),
            cause=Cause.AMBIGUOUS if wrong else None,
            lone_close=len(lone[0]) if lone else 0,
        )

    def _unknown(self, written: str, kind: EntityType, placeholder_id: str, start: int, end: int) -> Found | None:
        """Count what is exactly a placeholder but not one of ours; the caller's own look-alikes are known."""
        canonical = write_placeholder(kind, placeholder_id)
        if placeholder_id in self._literals or not written.startswith((canonical, canonical[:-1] + ": ")):
            return None
        return Found(start=start, end=end, match=Match.EXACT, cause=Cause.UNKNOWN)

    def _find_phrase(self, text: str, position: int) -> Found | None:
        hit = self._phrase.search(text, position) if self._phrase else None
        if hit is None:
            return None
        entries = self._phrases[hit[0].casefold()]
        unique = entries[0] if len(entries) == 1 and not self._disputes(entries[0]) else None
        return Found(
            start=hit.start(),
            end=hit.end(),
            match=Match.PHRASE,
            entry=unique,
            value=unique.value if unique else "",
            cause=None if unique else Cause.AMBIGUOUS,
        )

    def _disputes(self, entry: RestoreEntry) -> bool:
        return entry.placeholder_id in self._disputed

    def _begins_phrase(self, rest: str) -> bool:
        # A whole phrase at the very end is not certain either: a longer word or a longer phrase may follow.
        folded = rest.casefold()
        return any(phrase.startswith(folded) for phrase in self._phrases)


def _match(written: str, kind: EntityType, entry: RestoreEntry, hint: str) -> Match:
    """Tell whether a placeholder stands exactly as one of this entity may have left."""
    told = hint.removeprefix(" ")
    ours = told in ("", entry.hint) or _left(told, entry)
    return Match.EXACT if ours and written == write_placeholder(kind, entry.placeholder_id, told) else Match.TOLERANT


def _left(hint: str, entry: RestoreEntry) -> bool:
    """Tell whether a hint has a part of ours, or both: the pronoun stands with whichever words come first."""
    words, pronoun = part_hint(hint)
    sent = part_hint(entry.hint)
    return (
        hint == join_hint(words, pronoun)
        and pronoun in ("", sent.pronoun)
        and (words in ("", sent.words) or any(words == form for form, _ in entry.forms))
    )


def _extent(text: str, left: re.Match[str], end: int, entry: RestoreEntry | None) -> tuple[int, int, str]:
    """Return the half-open interval that a placeholder takes up, its brackets and its hint included, and the hint.

    What a model wrote into the bracket behind the id is its own, and stays with the bracket; a hint is only what
    was written as one.
    """
    if not left[1]:
        return left.start(), end, ""
    closed = grammar.RIGHT_CLOSED.match(text, end)
    hinted = None if closed else grammar.RIGHT_HINTED.match(text, end)
    if hinted and not _is_hint(hinted[1], entry):
        hinted = None
    if not closed and not hinted and grammar.RIGHT_OTHER.match(text, end):
        return left.start(2), end, ""
    close = closed[1] if closed else hinted[2] if hinted else ""
    end = closed.end() if closed else hinted.end() if hinted else end
    start = left.start() + _own_escapes(left[1], text[left.end(1) : end], close)
    return start, end, hinted[1] if hinted else ""


def _is_hint(hint: str, entry: RestoreEntry | None) -> bool:
    if entry is None:
        return True
    words = part_hint(hint).words.casefold()
    known = ("", part_hint(entry.hint).words.casefold(), entry.phrase.casefold(), entry.kind.noun)
    # A form that did not leave is the model's wish for one: the value comes back as it is known. So is a pronoun.
    return is_form(words) or words in known


def _own_escapes(opening: str, middle: str, close: str) -> int:
    """Return how many backslashes before an opening bracket are not the placeholder's own.

    A model that escapes for markdown escapes inside too. A backslash before an otherwise clean placeholder is the
    text's: a path, say.
    """
    escapes = len(opening) - len(opening.lstrip("\\"))
    if opening.lstrip("\\").startswith("u005"):
        escapes -= 1
    return 0 if "\\" in middle or close.startswith("\\") else max(0, escapes)


def _first_word(text: str) -> str:
    return text[: len(text) - len(text.lstrip(_LETTERS))].lower()


def _is_word(letter: str) -> bool:
    return letter == "_" or (letter.isascii() and letter.isalnum())


def _by_phrase(entries: Mapping[str, RestoreEntry]) -> dict[str, list[RestoreEntry]]:
    phrases: dict[str, list[RestoreEntry]] = {}
    for entry in entries.values():
        if entry.phrase:
            phrases.setdefault(entry.phrase.casefold(), []).append(entry)
    return phrases


def _either_case(letter: str) -> str:
    upper = letter.upper()  # of some letters it is two, or that of another one
    return upper + letter if len(upper) == 1 and upper.casefold() == letter.casefold() else letter


def _phrase_pattern(phrases: Mapping[str, list[RestoreEntry]]) -> re.Pattern[str] | None:
    """Match any phrase as written, or with its first letter in upper case; the longest first."""
    if not phrases:
        return None
    written = sorted({entry.phrase for entries in phrases.values() for entry in entries}, key=lambda p: (-len(p), p))
    forms = (f"[{re.escape(_either_case(p[0]))}]{re.escape(p[1:])}" for p in written)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
