"""Find a value again that is written with other separators or none: `7-AB-99201` as `7AB99201`, a name as `AdaRoth`.

A text is cut into parts. A value is found where such parts, put together without letter case, are its letters and
digits, and only separators stand between them. Ids are compared by runs of letters and digits, so that a mention never
begins or ends next to a letter or a digit. Words are compared by the parts of identifiers: an underscore, a digit and
the hump of `loadAdaRoth2` are boundaries. The cost is linear in the text however many values there are.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from itertools import accumulate
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.letters import APOSTROPHES
from privguard.core.patterns import lazy_pattern
from privguard.detect.atoms import atoms_of, split_atoms
from privguard.detect.ordinary import MIN_LETTERS, is_ordinary, is_said_of_anybody, is_telling

MIN_ID = 5  # letters and digits of an id
MIN_ID_DIGITS = 3
MIN_NAME = 6  # letters of a value of several words
MIN_HUMP = 3  # letters of a name that is a hump of an identifier: `AdaInvoice`
MIN_GLUED = 6  # letters of a name that an initial is glued to, or a genitive s in any letter case: `akernberg`
MIN_GENITIVE = 4  # letters of one that takes a genitive s with its capital: `Ohlers`
_MAX_KEY = 64  # longer values are found as they are
_PREFIX = 3  # what is looked up first; no key is shorter
_IDS = frozenset(
    {
        EntityType.PHONE,
        EntityType.FIN_ACCOUNT,
        EntityType.GOV_ID,
        EntityType.RECORD_ID,
        EntityType.DEVICE_ID,
    }
)
_AS_WRITTEN = frozenset({EntityType.SECRET, EntityType.USERNAME, EntityType.URL})
_NAMING = frozenset({EntityType.PERSON, EntityType.EMAIL})  # their words say enough together, ordinary or not
_RUN = lazy_pattern(r"([^\W_]+)")
# Of e-mail addresses as well, which are written with any signs in the place of theirs.
_ID_GAP = lazy_pattern(r"[ \t\u00a0]{0,3}(?:[^\w\s,;]|_){1,4}[ \t\u00a0]{0,3}|[ \t\u00a0]{1,8}|[,;]")
_WORD_GAP = lazy_pattern(rf"[_.{APOSTROPHES}\u05be\u2010-\u2014-]{{1,2}}|[ \u00a0]")
# A line of an address ends in a comma, in a break or in a sign that stands for one.
_ADDRESS_GAP = lazy_pattern(r"[ \t\u00a0]{0,8}[_.,;|/\u00b7\u2010-\u2014-]{0,2}\s{0,8}")
_NO_GAP = lazy_pattern(r"(?!)")
_PIECE = 1 << 16  # code points that are looked at together
_OVERLAP = 16 * _MAX_KEY
_GAPS = {EntityType.EMAIL: _ID_GAP, EntityType.ADDRESS: _ADDRESS_GAP}


class _Spelling(NamedTuple):
    """How a value is found."""

    number: int
    gap: re.Pattern[str]  # what may stand between two parts
    only_capital: bool = False  # whether a mention in lower case is none
    is_name: bool = False  # whether a genitive s may be glued to it, and initials to a longer one


class SpellingBook:
    """A fixed set of values to look for in other spellings. What is found of one does not depend on the others."""

    def __init__(self, values: Sequence[tuple[str, EntityType]]) -> None:
        ids, words = _Index(_RUN.split), _Index(split_atoms)
        for number, (value, kind) in enumerate(values):
            for key in _id_keys(value, kind):
                ids.add(key, _Spelling(number, _ID_GAP))
            if kind not in _IDS:
                words.add_word(value, kind, number)
        self._indices = [index for index in (ids, words) if index.spellings]

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the value)` for each mention; some come twice."""
        for index in self._indices:
            for start in range(0, len(text), _PIECE):
                yield from index.find_between(text, start, min(len(text), start + _PIECE + _OVERLAP))


class _Index:
    """Spellings by their key: their letters and digits without letter case."""

    def __init__(self, split: Callable[[str], Sequence[str]]) -> None:
        self._split = split  # into separators and parts by turns, so that their lengths give the offsets
        self.spellings: dict[str, list[_Spelling]] = {}
        self._lengths: dict[str, list[int]] = {}  # of the keys, by their beginning, the longest first
        self._has_names = False

    def add(self, key: str, spelling: _Spelling) -> None:
        """Look for a value under a key of `_PREFIX` to `_MAX_KEY` code points."""
        self.spellings.setdefault(key, []).append(spelling)
        self._has_names |= spelling.is_name
        lengths = self._lengths.setdefault(key[:_PREFIX], [])
        if len(key) not in lengths:
            lengths.append(len(key))
            lengths.sort(reverse=True)

    def add_word(self, value: str, kind: EntityType, number: int) -> None:
        """Look for a value that is a word or several, unless its type or its words say too little."""
        parts = atoms_of(value)
        key = "".join(parts).casefold()
        if not _PREFIX <= len(key) <= _MAX_KEY:
            return
        if value.isalpha():
            telling = is_telling(value, kind) and not is_ordinary(key)
            hump = kind is EntityType.PERSON and len(key) >= MIN_HUMP and not is_ordinary(key)
            if telling or hump:
                is_name = kind is EntityType.PERSON and len(key) >= MIN_GENITIVE
                self.add(key, _Spelling(number, _NO_GAP, only_capital=not telling, is_name=is_name))
        elif _says_enough(parts, key, kind):
            self.add(key, _Spelling(number, _GAPS.get(kind, _WORD_GAP)))

    def find_between(self, text: str, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Yield the mentions within a piece of a text."""
        cut = self._split(text[start:stop])
        offsets = [start + length for length in accumulate(map(len, cut))]
        folded = [part.casefold() for part in cut[1::2]]
        parts = _Parts(
            text=text,
            starts=offsets[0::2],
            stops=offsets[1::2],
            joined="".join(folded),
            ends=list(accumulate(map(len, folded))),
            low=start or -1,
            high=stop if stop < len(text) else -1,
        )
        glued = MIN_GENITIVE if self._has_names else stop - start
        at = 0
        for number, (end, word) in enumerate(zip(parts.ends, folded, strict=True)):
            lengths = self._lengths.get(parts.joined[at : at + _PREFIX])
            if lengths:
                yield from self._match(parts, number, at, lengths)
            if len(word) > glued and (word[1:] in self.spellings or word[:-1] in self.spellings):
                yield from self._match_glued(parts, number, word)
            at = end

    def _match(self, parts: "_Parts", first: int, at: int, lengths: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the values that begin with the part `first`, which stands at `at` of the joined parts."""
        for length in lengths:
            found = self.spellings.get(parts.joined[at : at + length])
            last = first if found is None else bisect_left(parts.ends, at + length, lo=first)
            # A list of single digits is no number.
            if (
                found is None
                or last == len(parts.ends)
                or parts.ends[last] != at + length
                or (last > first and 2 * (last - first) >= length)
            ):
                continue
            for spelling in found:
                if parts.are(first, last, spelling):
                    yield parts.starts[first], parts.stops[last], spelling.number

    def _match_glued(self, parts: "_Parts", number: int, word: str) -> Iterator[tuple[int, int, int]]:
        """Yield the names that the part is but for an initial, which is mentioned with them, or a genitive s."""
        start, stop = parts.starts[number], parts.stops[number]
        written = parts.text[start:stop]
        one_case = (written.islower() or written.isupper()) and len(word) > MIN_GLUED
        genitive = word.endswith("s") and (len(word) > MIN_GLUED or (written[0].isupper() and not is_ordinary(word)))
        for key, end in ((word[1:], stop) if one_case else ("", stop), (word[:-1], stop - genitive)):
            for spelling in self.spellings.get(key, ()) if one_case or genitive else ():
                if spelling.is_name and parts.are(number, number, spelling):
                    yield start, end, spelling.number


class _Parts(NamedTuple):
    """The parts of a piece of text."""

    text: str
    starts: Sequence[int]  # of each part, in `text`
    stops: Sequence[int]
    joined: str  # in the form in which they are compared
    ends: Sequence[int]  # of each part, in `joined`
    low: int  # where the piece cuts the text, -1 where it does not: what touches a cut is found in another piece
    high: int

    def are(self, first: int, last: int, spelling: _Spelling) -> bool:
        """Tell whether the parts are a mention: separators alone stand between them, and no mark behind them."""
        start, end = self.starts[first], self.stops[last]
        if start == self.low or end == self.high or (spelling.only_capital and not self.text[start].isupper()):
            return False
        after = self.text[end : end + 1]
        if after and not after.isascii() and unicodedata.combining(after):
            return False
        gaps = zip(self.stops[first:last], self.starts[first + 1 : last + 1], strict=True)
        return all(before == then or spelling.gap.fullmatch(self.text, before, then) for before, then in gaps)


def _id_keys(value: str, kind: EntityType) -> tuple[str, ...]:
    """Return what an id is when its separators are left out; nothing where that would say too little."""
    key = "".join(_RUN.findall(value)).casefold()
    if kind not in _IDS or not MIN_ID <= len(key) <= _MAX_KEY:
        return ()
    if sum(map(str.isdecimal, key)) < MIN_ID_DIGITS or _is_address(value):
        return ()
    return (key, f"00{key}") if kind is EntityType.PHONE and value.startswith("+") else (key,)


def _says_enough(parts: Sequence[str], key: str, kind: EntityType) -> bool:
    """Tell whether several words together are a mention within an identifier: `last_week` is not."""
    if kind in _AS_WRITTEN or len(key) < MIN_NAME:
        return False
    if is_said_of_anybody(kind) and not any(map(str.isdecimal, key)):
        return False
    if kind in _NAMING or any(map(str.isdecimal, key)):
        return True
    return any(len(part) >= MIN_LETTERS and not is_ordinary(part) for part in parts)


def _is_address(value: str) -> bool:
    """Tell whether a value is an IP address: without its dots it is another number."""
    try:
        ip_address(value)
    except ValueError:
        return False
    return True
