"""The letters and digits of a text, one after the other: what stays the same however a term is written.

A text that holds codes (`%20`, `\\u200b`, `&shy;`) or markup is read once more with the codes decoded, and once more
without the markup; one with written line breaks (`\\n`) in all these ways as if they were spaces. Reading is cheap;
only where something is found in the letters are the ways back to the text worked out.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from privguard.core.letters import bare_letters, unaccented
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.detect.escapes import soften

_MAX_CODE_POINT = 0x10FFFF
_RUN_START = r"(?<!\\)"  # of backslashes: elsewhere within one a match would only cost time
_ESCAPED_BYTES = rf"{_RUN_START}(?:\\+x[0-9A-Fa-f]{{2}})+"
# Bytes that are percent-encoded, also more than once, or escaped: `%20`, `%2520`, `\xc3\xa9`.
_BYTES = rf"(?P<bytes>(?:%(?:25)*[0-9A-Fa-f]{{2}})+|{_ESCAPED_BYTES})"
_ESCAPE = (
    rf"{_RUN_START}"
    r"\\+(?:u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|U(?P<long>[0-9A-Fa-f]{8})"
    r"|u(?P<first>[0-9A-Fa-f]{4})(?:(?<=[dD][89abAB][0-9A-Fa-f]{2})\\+u(?P<second>[dD][c-fC-F][0-9A-Fa-f]{2}))?)"
)
_ENTITY = r"&(?:amp;)*(?P<entity>(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_MARKUP = r"(?P<markup><[A-Za-z/!][^<>]{0,300}>|(?<=\])\([^()\s]{0,300}\))"
_CODES = lazy_pattern(f"{_BYTES}|{_ESCAPE}|{_ENTITY}")
TEXT_CODES = lazy_pattern(f"(?P<bytes>{_ESCAPED_BYTES})|{_ESCAPE}|{_ENTITY}")  # of programs and of HTML
_CODES_AND_MARKUP = lazy_pattern(f"{_BYTES}|{_ESCAPE}|{_ENTITY}|{_MARKUP}")
_BYTE = lazy_pattern(r"(?:%(?:25)*|\\+x)([0-9A-Fa-f]{2})")
_CODE_SIGNS = lazy_pattern(r"[%\\&]")
_PIECE = lazy_pattern(r"[0-9A-Za-z]+|[\x80-\U0010ffff]")
_MARK = "*"  # what markup is read as: a mark that may stand within a word


@dataclass(frozen=True)
class Reading:
    """One way of reading a text."""

    text: str = field(repr=False)
    codes: re.Pattern[str] | None = field(default=None, repr=False)  # what is decoded or left out

    @remembered
    def letters(self) -> str:
        """Return the letters and digits."""
        return bare_letters(self._shown(self.text))

    @remembered
    def ways(self) -> "Ways":
        """Return where each letter came from."""
        ways = Ways([], [], [])
        count = done = 0
        for match in self.codes.finditer(self.text) if self.codes else ():
            count = ways.add(self.text, done, match.start(), count)
            for start, end, sign in signs_of(match):
                count = ways.add_sign(sign, start, end, count)
            done = match.end()
        ways.add(self.text, done, len(self.text), count)
        return ways

    def gap(self, at: int) -> str:
        """Return what stands between the letter of a number and the one before it, without what is invisible."""
        start = self.ways.end(at - 1) if at else 0
        end = self.ways.start(at) if at < len(self.letters) else len(self.text)
        if start == end:
            return ""
        return separators(self._shown(self.text[start:end]))

    def _shown(self, text: str) -> str:
        if self.codes is None:
            return text
        return self.codes.sub(lambda match: "".join([sign for _, _, sign in signs_of(match)]), text)


@dataclass(frozen=True, slots=True)
class Ways:
    """From the letters of a reading back to its text, by the pieces that they came from.

    A piece is a run of ASCII letters and digits, or what stands for one or more letters as a whole.
    """

    _firsts: list[int] = field(repr=False)  # of each piece, the number of its first letter
    _starts: list[int] = field(repr=False)
    _ends: list[int] = field(repr=False)  # 0 for a run

    def start(self, at: int) -> int:
        """Return where that begins which the letter of a number came from."""
        piece = bisect_right(self._firsts, at) - 1
        return self._starts[piece] + (0 if self._ends[piece] else at - self._firsts[piece])

    def end(self, at: int) -> int:
        """Return where that ends which the letter of a number came from."""
        piece = bisect_right(self._firsts, at) - 1
        return self._ends[piece] or self._starts[piece] + at - self._firsts[piece] + 1

    def is_run(self, at: int, end: int) -> bool:
        """Tell whether the letters `[at, end)` are of one run: nothing stands between them."""
        piece = bisect_right(self._firsts, at) - 1
        return not self._ends[piece] and (piece + 1 == len(self._firsts) or end <= self._firsts[piece + 1])

    def add(self, text: str, start: int, end: int, count: int) -> int:
        """Take in a part of the text behind `count` letters, and return how many there are then."""
        for match in _PIECE.finditer(text, start, end):
            if match[0] < "\x80":
                self._firsts.append(count)
                self._starts.append(match.start())
                self._ends.append(0)
                count += match.end() - match.start()
            else:
                count = self.add_sign(match[0], match.start(), match.end(), count)
        return count

    def add_sign(self, sign: str, start: int, end: int, count: int) -> int:
        """Take in a code point that `[start, end)` of the text stands for."""
        form = bare_letters(sign)
        if form:
            self._firsts.append(count)
            self._starts.append(start)
            self._ends.append(end)
        return count + len(form)


def separators(gap: str) -> str:
    """Return what a reader sees of a text that holds no letter: without what is invisible, and without accents."""
    if gap.isascii():
        return gap
    return "".join([sign for sign in gap if unaccented(sign)])


def readings(text: str) -> Iterator[Reading]:
    """Yield the ways of reading a text that may differ: one for most texts."""
    yield from _readings(text)
    softened = soften(text)
    if softened != text:
        yield from _readings(softened)


def _readings(text: str) -> Iterator[Reading]:
    yield Reading(text)
    coded = _CODE_SIGNS.search(text) is not None and _CODES.search(text) is not None
    if coded:
        yield Reading(text, _CODES)
    if ("<" in text and ">" in text) or "](" in text:
        yield Reading(text, _CODES_AND_MARKUP)


def signs_of(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the code points that a code stands for; those of a text that is no code after all as they are."""
    start, end = match.span()
    kind = match.lastgroup
    if kind == "bytes":
        yield from _decode_bytes(match)
    elif kind == "markup":
        yield start, end, _MARK
    elif kind == "entity":
        written = match["entity"]
        shown = html.unescape(f"&{written}")
        if shown.endswith(written):
            yield from ((start + at, start + at + 1, sign) for at, sign in enumerate(match[0]))
        else:
            yield from ((start, end, sign) for sign in shown)
    else:
        code = int(match["braced"] or match["long"] or match["first"], 16)
        if match["second"]:
            code = 0x10000 + ((code - 0xD800) << 10) + (int(match["second"], 16) - 0xDC00)
        if code <= _MAX_CODE_POINT:
            yield start, end, chr(code)


def _decode_bytes(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Read bytes as UTF-8, and those that are not as Latin-1."""
    found = list(_BYTE.finditer(match.string, *match.span()))
    raw = bytes(int(each[1], 16) for each in found)
    at = 0
    while at < len(raw):
        size = 1 if raw[at] < 0xC0 else 2 if raw[at] < 0xE0 else 3 if raw[at] < 0xF0 else 4
        sign = raw[at : at + size].decode(errors="replace")
        if len(sign) != 1 or sign == "\ufffd":
            size, sign = 1, chr(raw[at])
        yield found[at].start(), found[at + size - 1].end(), sign
        at += size
