r"""A text as TeX shows it: `Pe\~nalver`, `M{\"u}ller`, `Stra{\ss}e`, `\c{S}tefan`."""

import re
import unicodedata
from collections.abc import Iterator

from privguard.core.patterns import lazy_pattern
from privguard.detect.percent import Decoded

_MARKS = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "c": "\u0327",
    "d": "\u0323",
    "v": "\u030c",
    "u": "\u0306",
    "H": "\u030b",
    "k": "\u0328",
    "r": "\u030a",
}
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "\u0131",
    "dj": "đ",
    "DJ": "Đ",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
}
_CODE = lazy_pattern(
    r"(?<!\\)\\{1,4}(?:"
    r"(?:(?P<mark>['\"`^~=.]) ?|(?P<named>[cdvuHkr])(?: (?! )|(?=\{)))"
    r"(?:\{(?P<inner>\\i|[A-Za-z])\}|(?P<dotless>\\i)(?![A-Za-z])(?: |\{\})?|(?P<plain>[A-Za-z]))"
    rf"|(?P<letter>{'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?: |\{{\}})?)"
)
_QUOTES = lazy_pattern(r"\\\"\s*[:,\]}]")  # of a document within a string, where the sign is no accent
# What is left of an umlaut where a text with `\"` was read without the escapes of JSON, and babel's own within a word.
_UMLAUT = lazy_pattern(
    r'(?<=[^\W\d_])"(?:\{(?P<inner>[aeiouyAEIOUY])\}|(?P<plain>[aeiouyAEIOUY])(?=[^\W\d_]))|\{"(?P<braced>[aeiouyAEIOUY])\}'
)
_LATIN = "\u024f"  # the last letter of those that are written so


def tex_view(text: str) -> Decoded | None:
    """Return a text without the accents and letters of TeX; None where it has none."""
    if not ("\\" in text and _CODE.search(text)) and not ('"' in text and _UMLAUT.search(text)):
        return None
    shown = Decoded.of(text, sorted([*_signs(text), *_umlauts(text)]))
    return None if shown.text == text else shown


def _signs(text: str) -> Iterator[tuple[int, int, str]]:
    is_document = _QUOTES.search(text) is not None
    for code in _CODE.finditer(text):
        start, end = code.span()
        if text[start - 1 : start] == "{" and text.startswith("}", end):
            start, end = start - 1, end + 1
        elif code["mark"] == '"' and is_document and not text[start - 1 : start].isalpha():
            continue
        sign = _shown(code)
        if sign:
            yield start, end, sign


def _umlauts(text: str) -> Iterator[tuple[int, int, str]]:
    for code in _UMLAUT.finditer(text):
        letter = code["inner"] or code["plain"] or code["braced"]
        yield *code.span(), unicodedata.normalize("NFC", letter + _MARKS['"'])


def _shown(code: re.Match[str]) -> str:
    """Return the letter that a code stands for, "" where there is none."""
    if code["letter"]:
        return _LETTERS[code["letter"]]
    base = (code["inner"] or code["dotless"] or code["plain"]).removeprefix("\\")
    composed = unicodedata.normalize("NFC", base + _MARKS[code["mark"] or code["named"]])
    return composed if len(composed) == 1 and composed <= _LATIN else ""
