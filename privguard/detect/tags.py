"""Text in what Unicode takes for no letters: Braille, SignWriting, and tag characters (U+E0020 to U+E007E).

Tags are ASCII that no reader sees, and that models read all the same.
"""

from collections.abc import Iterator

from privguard.core.patterns import lazy_pattern
from privguard.detect.percent import Decoded

_FIRST = 0xE0000  # what a tag stands for comes behind it
# A flag of a region is a black flag, the tags of its name and an end: that says nothing else.
_TAG = lazy_pattern("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f|[\U000e0020-\U000e007e]")


def tag_view(text: str) -> Decoded | None:
    """Return a text with letters in the place of tags; None where it has none but those of flags."""
    if text.isascii() or not any(_signs(text)):
        return None
    return Decoded.of(text, _signs(text))


def is_written_symbol(sign: str) -> bool:
    """Tell whether a code point is a sign of Braille, other than its blank, or of SignWriting."""
    return "\u2801" <= sign <= "\u28ff" or "\U0001d800" <= sign <= "\U0001daaf"


def says_something(sign: str) -> bool:
    """Tell whether a code point is a letter, a digit or another sign of a text, and no mere punctuation."""
    return sign.isalnum() or "\U000e0021" <= sign <= "\U000e007e" or is_written_symbol(sign)


def _signs(text: str) -> Iterator[tuple[int, int, str]]:
    return ((*tag.span(), chr(ord(tag[0]) - _FIRST)) for tag in _TAG.finditer(text) if len(tag[0]) == 1)
