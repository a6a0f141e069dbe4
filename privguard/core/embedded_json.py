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
_OUTSIDE = lazy_pattern(rf"[\"{{}}\[\]`]|{_FENCE}")
_INSIDE = lazy_pattern(rf"\"|\\[^\n]|{_FENCE}")
_ENDS = "\n`"  # what a sign begins with that ends a document which is still open

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
    end, has_ended = OpenDocument().read(text, position)
    return end if has_ended else len(text)


class OpenDocument:
    """How far a document was read that begins with its outermost bracket."""

    __slots__ = ("_depth", "in_string")

    def __init__(self) -> None:
        self._depth = 0  # brackets that are open
        self.in_string = False

    def read(self, text: str, position: int) -> tuple[int, bool]:
        """Read on, whole escapes and fences at a time.

        Returns:
            where the document ends, or else where the last sign of it does that matters; and whether it ends there.
        """
        while sign := (_INSIDE if self.in_string else _OUTSIDE).search(text, position):
            position = sign.end()
            if sign[0] == '"':
                self.in_string = not self.in_string
            elif sign[0][0] in _ENDS:
                return sign.start(), True
            elif not self.in_string:
                self._depth += 1 if sign[0] in "{[" else -1
                if self._depth <= 0:
                    return position, True
        return position, False


def _is_readable(text: str) -> bool:
    try:
        parse(text, lenient=True)
    except UnknownContentError:
        return False
    return True
