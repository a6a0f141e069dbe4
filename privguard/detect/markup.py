"""Hide markup from a language model that reads prose: `[Ada Roth](…)` is a name and no token `Roth](https`."""

import re

from privguard.core.patterns import lazy_pattern

_TAG = lazy_pattern(r"</?[A-Za-z][^<>\n]{0,200}>")
# Between letters `_` belongs to an identifier; elsewhere it is emphasis.
_MARK = lazy_pattern(
    r"[\[\]()*=?&|#<>`]{1,4}(?=[^\W_])|(?<=[^\W_])[\[\]()*=?&|#<>`]{1,4}|(?<![^\W_])_+(?=[^\W_])|(?<=[^\W_])_+(?![^\W_])"
)


_LINE = lazy_pattern(r"[^\n]+")


def blank_markup(text: str) -> tuple[tuple[int, str], ...]:
    """Return the lines with marks next to words, the marks as spaces, with their offsets, letter for letter as long."""
    return tuple(
        (match.start(), other)
        for match in _LINE.finditer(text)
        if (other := _MARK.sub(_blank, _TAG.sub(_blank, match.group()))) != match.group()
    )


def _blank(match: re.Match[str]) -> str:
    # What a bracket or a tag sets apart is no part of the phrase before it.
    return "," + " " * (len(match.group()) - 1) if match.group()[0] in "]|<&" else " " * len(match.group())
