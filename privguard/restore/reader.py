"""Find the next placeholder or phrase in a buffer, and what at its end may still become one."""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate

from privguard.core.audit import Cause, Match
from privguard.core.patterns import lazy_pattern
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore import grammar
from privguard.restore.bare import read_bare
from privguard.restore.found import Found, Ids
from privguard.restore.seen import Seen, is_odd, see
from privguard.restore.square import read_square
from privguard.restore.unfinished import first_word, held_bare, held_bracket

CONTEXT = 160  # code points before a text that may decide how its beginning is read
_ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LIVELY = lazy_pattern(r"[\[\\&%_{<]")
_PAIRS = "{<"
_CODE_END = lazy_pattern(r"(?:\\(?:[nrt]|u[0-9a-fA-F]{4})|%[357][BbCcDdEeFf])\Z")
_LIVELIER = lazy_pattern(r"[\[\\&%_]|[{<]\s*[A-Za-z]*\Z")
_CUT_OFF = lazy_pattern(rf"{grammar.ESCAPES}\[{grammar.SPACES}([A-Za-z][A-Za-z_\\0-9: \t]*)")


class Reader:
    """The grammar, over the values of one request. Immutable, shared by all streams of the request."""

    def __init__(self, table: RestoreTable) -> None:
        self.knows_written = any(entry.written for entry in table.entries.values())
        self._entries = table.entries
        self._ids = Ids(table)
        self._plain = {
            f"{entry.kind.value}_{found}": entry
            for found, entry in table.entries.items()
            if found not in table.disputed
        }
        words = {entry.kind.value.partition("_")[0].lower() for entry in table.entries.values()}
        self._starts = frozenset(start for word in words for start in accumulate(word))
        self._phrases = _by_phrase(table.entries)
        self._phrase = _phrase_pattern(self._phrases)
        self._phrase_start = max((len(phrase) for phrase in self._phrases), default=0)

    def kind_of(self, placeholder_id: str) -> str:
        """Return the type of an id of this request, "" where it is none."""
        entry = self._entries.get(placeholder_id)
        return entry.kind.value if entry is not None else ""

    def is_quiet(self, chunk: str, before: str) -> bool:
        """Tell fast whether no placeholder can begin, go on or end in a chunk that `before` precedes."""
        if self._phrase is not None:
            return False
        lively = _LIVELY.search(chunk)
        if lively is not None and (lively[0] not in _PAIRS or _LIVELIER.search(chunk, lively.start())):
            return False
        if not chunk.isascii() and is_odd(chunk):
            return False
        stem = chunk.rstrip(_ASCII_LETTERS)
        if len(stem) == len(chunk):
            return True
        word = chunk[len(stem) :].lower()
        return word not in self._starts or _is_word(stem or before)

    def find_all(self, text: str, position: int, limit: int) -> Iterator[Found]:
        """Iterate over everything that begins in `[position, limit)`, from left to right, without overlaps."""
        seen = see(text)
        moved = seen.is_moved
        floor = seen.at(position)
        square = self._find_square(seen, floor)
        bare = self._find_bare(seen, floor, square)
        phrase = self._find_phrase(text, position)
        while True:
            # What is bare was looked for before the next bracket only.
            first = bare if bare is not None else square
            if phrase is not None and (first is None or phrase.start < first.start):
                first = phrase
            if first is None or first.start >= limit:
                return
            yield first
            position = first.end
            floor = seen.at(position) if moved else position
            # What was found further on stays found: each text is searched once.
            stays = first is phrase and not (bare is not None and bare.start < position)
            if square is not None and square.start < position:
                square, stays = self._find_square(seen, floor), False
            if not stays:
                bare = self._find_bare(seen, floor, square)
            if phrase is not None and phrase.start < position:
                phrase = self._find_phrase(text, position)

    def held_from(self, text: str, position: int) -> int:
        """Return where in `text`, from `position` on, something begins that is not certain yet."""
        near = max(position, len(text) - grammar.MAX_FORM)
        skipped = max(0, near - CONTEXT)
        seen = see(text[skipped:] if skipped else text)
        floor, cut = seen.at(near - skipped), seen.cut()
        certain = seen.text[:cut]
        held = min(
            held_bracket(certain, floor, self._ids),
            held_bare(certain, floor, self._starts),
        )
        start = skipped + seen.place(held)
        for begin in range(max(position, len(text) - self._phrase_start), start):
            if not _is_word(text[begin - 1 : begin]) and self._begins_phrase(text[begin:]):
                return begin
        return start

    def is_cut_off(self, rest: str) -> bool:
        """Tell whether the end of a reply can only be a placeholder of this request that was cut off."""
        cut = _CUT_OFF.match(see(rest).text)
        if cut is None:
            return False
        word = first_word(cut[1])
        return len(word) >= 2 and word in self._starts

    def _find_square(self, seen: Seen, floor: int) -> Found | None:
        at = floor
        while hit := grammar.SQUARE.search(seen.text, at):
            plain = hit[1]
            if plain is not None and seen.raw is seen.text and (entry := self._plain.get(plain)) is not None:
                start, end = hit.span()
                if seen.text[end : end + 1] != "(":
                    written = entry.written_of("") if entry.written else ""
                    return Found(start, end, Match.EXACT, entry, entry.value, written)
            found = read_square(seen, hit, floor, self._ids)
            if found is not None:
                return found
            at = hit.start() + 1
        return None

    def _find_bare(self, seen: Seen, floor: int, square: Found | None) -> Found | None:
        stop = len(seen.text) if square is None else seen.at(square.start) if seen.is_moved else square.start
        if seen.text.find("_", floor, stop) < 0:
            return None
        for anchor in grammar.ANCHOR.finditer(seen.text, floor, stop):
            found = read_bare(seen, anchor, floor, self._ids)
            if found is not None:
                return found
        return None

    def _find_phrase(self, text: str, position: int) -> Found | None:
        hit = self._phrase.search(text, position) if self._phrase else None
        if hit is None:
            return None
        entries = self._phrases[hit[0].casefold()]
        unique = entries[0] if len(entries) == 1 and not self._ids.is_disputed(entries[0]) else None
        return Found(
            start=hit.start(),
            end=hit.end(),
            match=Match.PHRASE,
            entry=unique,
            value=unique.value if unique else "",
            cause=None if unique else Cause.AMBIGUOUS,
        )

    def _begins_phrase(self, rest: str) -> bool:
        # A whole phrase at the very end is not certain either: a longer word or a longer phrase may follow.
        folded = rest.casefold()
        return any(phrase.startswith(folded) for phrase in self._phrases)


def _is_word(text: str) -> bool:
    """Tell whether a text ends in a letter of an identifier, and not in the code of a sign."""
    letter = text[-1:]
    return (letter == "_" or (letter.isascii() and letter.isalnum())) and _CODE_END.search(text[-6:]) is None


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
