"""Mail as it shows: quoted-printable (`Pe=C3=B1alver`, `=` at the end of a line) and the encoded words of headers.

`=?utf-8?Q?Jos=C3=A9?=` and `=?utf-8?B?Sm9zw6k=?=` (RFC 2047) are José. What stands in base64 comes from the whole word:
its letters do not stand apart there.
"""

import re
from base64 import b64decode
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from privguard.core.patterns import lazy_pattern
from privguard.detect.percent import Decoded

Sign: TypeAlias = tuple[int, int, str]

_MAX_WORD = 2000  # code points of what is encoded in one word; the standard allows 75 in all
_BEGINNING = lazy_pattern(r"=(?:[2-9A-F][0-9A-F]|\r?\n|\?)")
_BREAK = r"(?:=\r?\n)"
_MAX_BREAKS = 4  # in a row
_BYTE = r"=[2-9A-F][0-9A-F]"  # control characters are written otherwise
_WORD = (
    r"=\?(?P<charset>[A-Za-z][\w.:-]{0,39})(?:\*[\w-]{0,20})?\?(?P<way>[QqBb])\?"
    rf"(?P<written>[^?\r\n]{{1,{_MAX_WORD}}})\?="
)
_CODE = lazy_pattern(
    rf"{_WORD}|(?P<bytes>(?:{_BREAK}{{0,{_MAX_BREAKS}}}{_BYTE})+)|(?P<cut>{_BREAK}{{1,{_MAX_BREAKS}}}(?P<next>[^=\r\n]))"
)
_IN_WORD = lazy_pattern(r"=([0-9A-Fa-f]{2})|([\s\S])")
_HEX = lazy_pattern(r"=([2-9A-F][0-9A-F])")


def mail_view(text: str) -> Decoded | None:
    """Return a text without the codes of mail; None where it has none."""
    if "=" not in text or not _BEGINNING.search(text):
        return None
    shown = Decoded.of(text, _signs(text))
    return None if shown.text == text else shown


def _signs(text: str) -> Iterator[Sign]:
    reach = 0  # where the word before ends
    closing: Sign | None = None  # what ends it, a space for a reader
    for code in _CODE.finditer(text):
        signs = list(_in_word(code)) if code["charset"] else []
        is_quoted = bool(signs) and code["way"] in "Qq"
        # White space between two words is none of theirs.
        if signs and reach and text[reach : code.start()].isspace():
            yield (closing[0] if closing else reach), *signs[0][1:]
            del signs[0]
        else:
            yield from (closing,) if closing else ()
            if is_quoted:
                yield code.start(), code.start("written"), " "
        yield from signs
        closing = None
        if code["charset"]:
            reach = code.end()
            closing = (code.end("written"), reach, " ") if is_quoted else None
        elif code["bytes"]:
            found = list(_HEX.finditer(text, *code.span()))
            yield from _as_utf8(bytes([int(each[1], 16) for each in found]), _from(code.start(), found))
        else:
            yield *code.span(), code["next"]
    yield from (closing,) if closing else ()


def _in_word(code: re.Match[str]) -> Iterator[Sign]:
    if code["way"] in "Bb":
        raw = _base64(code["written"])
        places: Sequence[tuple[int, int]] = [code.span()] * len(raw)
    else:
        found = list(_IN_WORD.finditer(code.string, *code.span("written")))
        raw = b"".join([_byte(each) for each in found])
        places = [each.span() for each in found for _ in _byte(each)]
    yield from _letters(raw, places, code["charset"])


def _byte(found: re.Match[str]) -> bytes:
    """Return what a code or a letter of a word stands for."""
    if found[1]:
        return bytes([int(found[1], 16)])
    return b" " if found[2] == "_" else found[2].encode("ascii", "replace")


def _base64(written: str) -> bytes:
    try:
        return b64decode(written + "=" * (-len(written) % 4))
    except ValueError:
        return b""


def _from(start: int, found: Sequence[re.Match[str]]) -> list[tuple[int, int]]:
    """Return the intervals of bytes, each with the line break before it."""
    ends = [each.end() for each in found]
    return list(zip([start, *ends], ends, strict=False))


def _as_utf8(raw: bytes, places: Sequence[tuple[int, int]]) -> Iterator[Sign]:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return _letters(raw, places, "cp1252")
    return _letters(raw, places, "utf-8")


def _letters(raw: bytes, places: Sequence[tuple[int, int]], charset: str) -> Iterator[Sign]:
    """Yield the code points that bytes are in an encoding, each with the interval of its bytes; none in an unknown."""
    try:
        "A".encode(charset)  # codecs of other things than texts are refused here
        decoder = getincrementaldecoder(charset)("replace")
    except (LookupError, ValueError):
        return
    first = 0
    for number in range(len(raw)):
        signs = decoder.decode(raw[number : number + 1], number + 1 == len(raw))
        for sign in signs:
            yield places[first][0], places[number][1], sign
        first = number + 1 if signs else first
