"""Where in a text a JSON document stands that is not all of it: what programs ask models for, and people paste.

A document begins a line, after white space, with `{` and then a quote or `}`, or with `[` and then a quote, `{`, `[` or
`]`. Anywhere else it begins with `{`, a quoted key and a colon, which may stand in a list. That can be told before the
first value in it. It ends where its outermost bracket closes, and at the fence of a code block or the end of code in a
line, since models forget to close one.
"""

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard.core.patterns import lazy_pattern

BEGINS = r"[ \t]{0,64}(?:\{\s{0,64}[\"}]|\[\s{0,64}[\"{\[\]])"  # a line
_OBJECT = r"\{\s{0,64}\"[^\"\\\n{}\[\]]{1,64}\"\s{0,16}:"
WITHIN = rf"{_OBJECT}|\[\s{{0,64}}{_OBJECT}"  # each branch begins with its sign, so that it is found fast
_FENCE = r"\n[ \t]{0,16}(?:```|~~~)"
# What matters outside of strings and in them, besides the fence that ends both.
OUTSIDE = lazy_pattern(rf"[\"{{}}\[\]`]|{_FENCE}")
INSIDE = lazy_pattern(rf"\"|\\[^\n]|{_FENCE}")
ENDS = "\n`"  # what a sign begins with that ends a document which is still open

_BEGIN = lazy_pattern(rf"(?:\A|\n)(?={BEGINS})|(?={WITHIN})")


def embedded_documents(text: str) -> list[tuple[int, int]]:
    """Return the half-open intervals of the documents in a text that can be read, in order."""
    found: list[tuple[int, int]] = []
    position = 0
    while line := _BEGIN.search(text, position):
        position = _end_of(text, line.end())
        if _is_readable(text[line.end() : position]):
            found.append((line.end(), position))
    return found


def _end_of(text: str, position: int) -> int:
    """Return where a document ends."""
    depth, is_inside = 0, False
    while sign := (INSIDE if is_inside else OUTSIDE).search(text, position):
        position = sign.end()
        if sign[0] == '"':
            is_inside = not is_inside
        elif sign[0][0] in ENDS:
            return sign.start()
        elif not is_inside:
            depth += 1 if sign[0] in "{[" else -1
            if depth <= 0:
                return position
    return len(text)


def _is_readable(text: str) -> bool:
    try:
        parse(text, lenient=True)
    except UnknownContentError:
        return False
    return True
