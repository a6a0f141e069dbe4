"""What R reads instead of a text: plain brackets, underscores and letters in the place of their other forms.

Models write a placeholder in full width, in decorated letters, with invisible characters in it, and as the codes of
HTML, JSON and URLs. Here each of these becomes the plain character that it stands for, and the way back to the text is
kept. So the grammar knows one form of each sign.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from html.entities import html5
from typing import NamedTuple

from privguard.core.letters import INVISIBLE, replace_letters
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import MAX_ID, MIN_ID

# A run that is longer is content, or a flood: it bounds what a stream must hold back.
MAX_INVISIBLE = 4
_MAX_BACKSLASHES = 8  # before the code of a character: a string in a string, four levels deep
_WIDE = "\uff3b\uff3d"  # in full width
# Lenticular, tortoise shell and other brackets of East Asia, and those of mathematics.
_OTHERS = ("\u3010\u3011", "\u3014\u3015", "\u3016\u3017", "\u301a\u301b", "\u27e6\u27e7")
_QUOTES = ("\u300c\u300d", "\u300e\u300f")
_FULL_WIDTH = "".join(
    chr(code) for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0) in "_{}<>" or chr(code - 0xFEE0).isalnum()
)
_LETTERLIKE = "".join(
    chr(code)
    for block in (range(0x2100, 0x2150), range(0x1D400, 0x1D800))
    for code in block
    if (form := unicodedata.normalize("NFKC", chr(code))).isascii() and len(form) == 1 and form.isalnum()
)

_PLAIN = {letter: unicodedata.normalize("NFKC", letter) for letter in _FULL_WIDTH + _LETTERLIKE} | {
    form: plain for pair in (_WIDE, *_OTHERS, *_QUOTES) for form, plain in zip(pair, "[]", strict=True)
}
_INVISIBLE = lazy_pattern(f"[{INVISIBLE}]")
# Beyond the first plane one range, wider than what is looked for: each of them would cost every letter a look.
_BASIC = "".join(filter("\U00010000".__gt__, _PLAIN)) + INVISIBLE[: INVISIBLE.index("\U0001bca0")]
_ODD = lazy_pattern(f"[{_BASIC}\U0001b000-\U000e0fff]")

_WORD = lazy_pattern("[0-9A-Za-z]+")

# What is read where it is written as a code, beside what has a plain form; letters and digits of ASCII are not.
_SIGNS = frozenset(
    "[]_{}<>-'\u2019\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff1a\u00a0\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B)))
)
_NAMED = {name[:-1]: text for name, text in html5.items() if name.endswith(";") and len(text) == 1}
_REFERENCE = lazy_pattern(
    r"&(?:amp;){0,2}(?:#0{0,3}([0-9]{2,6})|#[xX]0{0,3}([0-9a-fA-F]{2,5})|([A-Za-z]{2,9}));", re.ASCII
)
_PERCENT = lazy_pattern("%([357][BbCcDdEeFf])")
_UNICODE = lazy_pattern(r"\\u([0-9a-fA-F]{4})")
_LOW_SURROGATE = lazy_pattern(rf"\\{{1,{_MAX_BACKSLASHES}}}u([dD][c-fC-F][0-9a-fA-F]{{2}})")
_HIGH_SURROGATE = lazy_pattern("[dD][89abAB]")
# A code that the end of a chunk cuts off.
_CUT = lazy_pattern(
    r"(?:&(?:amp;){0,2}(?:[A-Za-z]{0,9}|#0{0,3}[0-9]{0,6}|#[xX]0{0,3}[0-9a-fA-F]{0,5})"
    r"|%[357]?"
    rf"|\\{{1,{_MAX_BACKSLASHES}}}(?:u(?:[0-9A-Fa-f]{{0,3}}"
    rf"|[dD][89abAB][0-9A-Fa-f]{{2}}(?:\\{{1,{_MAX_BACKSLASHES}}}(?:u[0-9A-Fa-f]{{0,3}})?)?))?)\Z"
)
_LONGEST_CUT = 32


class _Code(NamedTuple):
    """Code points of the text that are read as one character, or as none."""

    start: int
    end: int
    stands_for: str


_NONE_MOVED: list[int] = []  # never changed


class Seen:
    """A text as R reads it. Positions are either in what is seen or in the text; only this class knows both."""

    __slots__ = ("_codes", "_ends", "_moved", "_starts", "raw", "text")

    def __init__(self, raw: str, text: str, codes: Sequence[_Code] = ()) -> None:
        self.raw = raw
        self.text = text  # what is seen
        self._starts = _NONE_MOVED  # in what is seen, from where on all is moved
        if codes:
            self._note(codes)

    def _note(self, codes: Sequence[_Code]) -> None:
        self._codes: dict[int, str] = {}
        self._starts = []
        self._moved: list[int] = []  # by how many code points
        self._ends: dict[int, int] = {}  # where a code that is seen ends in the text
        moved = 0
        for code in codes:
            at = code.start - moved
            if code.stands_for:
                self._codes[at], self._ends[at + 1] = code.stands_for, code.end
            moved += code.end - code.start - len(code.stands_for)
            self._starts.append(at + len(code.stands_for))
            self._moved.append(moved)

    @property
    def is_moved(self) -> bool:
        """Tell whether positions differ."""
        return bool(self._starts)

    def place(self, at: int) -> int:
        """Return where in the text the character seen at a position begins."""
        moved = bisect_right(self._starts, at)
        return at + self._moved[moved - 1] if moved else at

    def end(self, at: int) -> int:
        """Return where in the text that ends which is seen up to a position."""
        if not self._starts:
            return at
        return self._ends.get(at) or (self.place(at - 1) + 1 if at else 0)

    def at(self, place: int) -> int:
        """Return the first position that is seen at a place in the text, or behind it."""
        if not self._starts:
            return place
        low, high = max(0, place - self._moved[-1]), min(place, len(self.text))
        while low < high:
            middle = (low + high) // 2
            if self.place(middle) < place:
                low = middle + 1
            else:
                high = middle
        return low

    def written(self, start: int, end: int) -> str:
        """Return the text of what is seen in an interval."""
        return self.raw[self.place(start) : self.end(end)] if start < end else ""

    def is_quote(self, at: int) -> bool:
        """Tell whether a bracket is a quotation mark of East Asia, which belongs to the sentence."""
        return self._bracket(at) in "".join(_QUOTES)

    def is_square(self, at: int) -> bool:
        """Tell whether a bracket is a square one, and so one that we write."""
        return self._bracket(at) in "[]" + _WIDE

    def _bracket(self, at: int) -> str:
        return (self._codes.get(at) if self._starts else "") or self.raw[self.place(at)]

    def cut(self) -> int:
        """Return where at the end a code begins that may not be complete, else the length of what is seen."""
        # What is seen of a code that is cut off is what is written.
        tail = self.text[-_LONGEST_CUT:]
        code = _CUT.search(tail) if "\\" in tail or "&" in tail or "%" in tail else None
        return len(self.text) - len(code[0]) if code else len(self.text)


def word_ends(text: str) -> frozenset[str]:
    """Return every word with a digit in a text as R sees it, in capitals, and every end of one that may be an id.

    No id that R reads in the text is missing. An id may stand behind a type without a separator, and before an s.
    """
    words = {word.upper() for word in _WORD.findall(see(text).text) if not word.isalpha()}
    words |= {word[:-1] for word in words if word.endswith("S")}
    lengths = range(MIN_ID, MAX_ID + 1)
    return frozenset(words | {word[-length:] for word in words for length in lengths if length < len(word)})


def is_percent_encoded(text: str) -> bool:
    """Tell whether a sign of a placeholder is written as in a URL."""
    return "%" in text and _PERCENT.search(text) is not None


def is_odd(text: str) -> bool:
    """Tell whether a text without codes may be seen otherwise than it is written."""
    return not text.isascii() and _ODD.search(text) is not None


def see(text: str) -> Seen:
    """Read a text as R does."""
    plain = text
    hidden: list[_Code] = []
    if not text.isascii():
        odd = set(_ODD.findall(text))
        if odd:
            forms = {letter: _PLAIN[letter] for letter in odd if letter in _PLAIN}
            plain = replace_letters(text, forms)
            if len(forms) < len(odd):
                hidden = [_Code(found.start(), found.end(), "") for found in _INVISIBLE.finditer(plain)]
    # A single sign is found some hundred times as fast as two in a row.
    if not hidden and "&" not in plain and "%" not in plain and "\\" not in plain:
        return Seen(text, plain)
    codes = _short_runs(sorted(hidden + _codes(plain)))
    return Seen(text, _spliced(plain, codes), codes) if codes else Seen(text, plain)


def _codes(text: str) -> list[_Code]:
    found: list[_Code] = []
    if "&" in text:
        for code in _REFERENCE.finditer(text):
            number = int(code[1]) if code[1] else int(code[2], 16) if code[2] else None
            letter = _NAMED.get(code[3], "") if number is None else chr(number) if number < 0x10000 else ""
            _note(found, code.start(), code.end(), letter)
    if "%" in text:
        for code in _PERCENT.finditer(text):
            _note(found, code.start(), code.end(), chr(int(code[1], 16)))
    if "\\" in text:
        _note_unicode(found, text)
    return found


def _note_unicode(found: list[_Code], text: str) -> None:
    done = 0
    for code in _UNICODE.finditer(text):
        if code.start() < done:
            continue
        done = code.end()
        letter = chr(int(code[1], 16))
        low = _LOW_SURROGATE.match(text, done) if _HIGH_SURROGATE.match(code[1]) else None
        if low:
            done = low.end()
            letter = chr(0x10000 + ((ord(letter) & 0x3FF) << 10) + (int(low[1], 16) & 0x3FF))
        before = text[max(0, code.start() - _MAX_BACKSLASHES + 1) : code.start()]
        _note(found, code.start() - len(before) + len(before.rstrip("\\")), done, letter)


def _note(found: list[_Code], start: int, end: int, letter: str) -> None:
    """Note a code of a sign that R reads."""
    if letter and (letter in _SIGNS or letter in _PLAIN or _INVISIBLE.match(letter)):
        found.append(_Code(start, end, letter))


def _short_runs(codes: list[_Code]) -> list[_Code]:
    """Leave out long runs of what is invisible."""
    kept: list[_Code] = []
    run: list[_Code] = []
    for code in codes:
        unseen = _INVISIBLE.fullmatch(code.stands_for) is not None or not code.stands_for
        if run and (not unseen or code.start != run[-1].end):
            kept += run if len(run) <= MAX_INVISIBLE else []
            run = []
        if unseen:
            run.append(code._replace(stands_for=""))
        else:
            kept.append(code)
    return kept + (run if len(run) <= MAX_INVISIBLE else [])


def _spliced(text: str, codes: Sequence[_Code]) -> str:
    parts: list[str] = []
    done = 0
    for code in codes:
        parts += (text[done : code.start], _PLAIN.get(code.stands_for, code.stands_for))
        done = code.end
    return "".join([*parts, text[done:]])
