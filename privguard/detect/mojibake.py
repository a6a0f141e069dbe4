"""A text whose letters were read in a wrong encoding, as it was meant: `KÃ¶ÃŸler` is Kößler.

UTF-8 that was read as Latin-1 or Windows-1252, also twice over, and Cyrillic that was read as Windows-1251.
"""

import re
from collections.abc import Iterator, Mapping

from privguard.core.patterns import lazy_pattern
from privguard.detect.percent import Decoded

_LEVELS = 2


def _bytes_of(encoding: str) -> Mapping[str, int]:
    """Return the bytes from 0x80 on that letters were read from; those without a letter are control characters."""
    table = {chr(code): code for code in range(0x80, 0xA0)}
    for code in range(0x80, 0x100):
        table[bytes([code]).decode(encoding, "replace").replace("\ufffd", chr(code))] = code
    return table


def _pattern(table: Mapping[str, int], *leads: tuple[int, int, int]) -> str:
    """Return what matches a letter: a byte of one of the ranges, and as many behind it as it announces."""
    behind = _among(table, 0x80, 0xC0)
    return "|".join(f"{_among(table, low, high)}{behind}{{{count}}}" for low, high, count in leads)


def _among(table: Mapping[str, int], low: int, high: int) -> str:
    return f"[{''.join(re.escape(letter) for letter, code in table.items() if low <= code < high)}]"


_WESTERN, _CYRILLIC = _bytes_of("cp1252"), _bytes_of("cp1251")
_NO_BREAK = "\u00c3 "  # whose second sign was a space that does not break, before a program made it one that does
_READINGS = (
    (_WESTERN, lazy_pattern(f"{_pattern(_WESTERN, (0xC2, 0xE0, 1), (0xE0, 0xF0, 2), (0xF0, 0xF5, 3))}|{_NO_BREAK}")),
    # Two letters in a row of other Cyrillic languages look like any further ones.
    (_CYRILLIC, lazy_pattern(_pattern(_CYRILLIC, (0xD0, 0xD2, 1), (0xE2, 0xE3, 2)))),
)


def meant_views(text: str) -> Iterator[Decoded]:
    """Yield the text as it was meant, where any of its letters were read in a wrong encoding."""
    if text.isascii():
        return
    for table, pattern in _READINGS:
        last: Decoded | None = None
        shown = text
        for _ in range(_LEVELS):
            last = Decoded.of(shown, _signs(shown, table, pattern), last)
            if last.text == shown:
                break
            shown = last.text
            yield last


def _signs(text: str, table: Mapping[str, int], pattern: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    for found in pattern.finditer(text):
        raw = bytes([table.get(letter, 0xA0) for letter in found[0]])
        try:
            yield *found.span(), raw.decode()
        except UnicodeDecodeError:
            continue
