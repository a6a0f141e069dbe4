"""Where a JSON document ends, while its text arrives."""

from privguard.core.patterns import lazy_pattern

_OUTSIDE = lazy_pattern(r'["{}\[\]]')
_INSIDE = lazy_pattern(r'["\\]')  # a string


class DocumentEnd:
    """Find where the object or list ends with which a text begins. Linear in its length, whatever the pieces."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        self._is_escaped = False

    def find(self, piece: str) -> int | None:
        """Return where in more of the text the outermost bracket closes; None where it does not.

        What comes behind that is the start of another document.
        """
        at = 0
        while at < len(piece):
            if self._is_escaped:
                self._is_escaped = False
                at += 1
                continue
            sign = (_INSIDE if self._in_string else _OUTSIDE).search(piece, at)
            if sign is None:
                return None
            at = sign.end()
            if self._closes(sign[0]):
                return at
        return None

    def _closes(self, sign: str) -> bool:
        if sign == "\\":
            self._is_escaped = True
        elif sign == '"':
            self._in_string = not self._in_string
        elif sign in "{[":
            self._depth += 1
        else:
            self._depth = max(0, self._depth - 1)
            return self._depth == 0
        return False
