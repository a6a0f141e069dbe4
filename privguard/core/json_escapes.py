"""The escapes of JSON strings: how they are written, and what each says."""

import re

from privguard.core.patterns import lazy_pattern

ESCAPE = lazy_pattern(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
LONGEST = 6  # code points of one
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def said_by(escape: re.Match[str]) -> str:
    """Return what a match of `ESCAPE` says; of a pair of surrogates each half says itself."""
    return chr(int(escape[1], 16)) if escape[1] else _PLAIN.get(escape[2], escape[2])
