"""Where in prose a double-quoted string is open: a value that was written with escapes has them there, and only there.

A quote opens a string that ends on its line, as privguard reads the escapes of a text that is no document. Each string
in a string has its quotes behind more backslashes, so the last quote tells how deep the text stands.
"""

from privguard.restore.json_text import level_of


class QuoteContext:
    """Follow the text, placeholders left out."""

    __slots__ = ("_backslashes", "_inside", "_level")

    def __init__(self) -> None:
        self._inside = False
        self._level = 1  # of the last quote on this line
        self._backslashes = 0  # at the end of what was read

    @property
    def level(self) -> int:
        """Return in how many strings the text stands, 0 outside of all."""
        return self._level if self._inside else 0

    def advance(self, text: str) -> None:
        """Take note of more text."""
        line = text.rfind("\n")
        if line >= 0:
            self._inside, self._level, self._backslashes = False, 1, 0
            text = text[line + 1 :]
        start = 0
        while (quote := text.find('"', start)) >= 0:
            backslashes = self._trailing(text[start:quote])
            self._level = level_of(backslashes)
            self._inside = not self._inside if backslashes % 2 == 0 else self._inside
            self._backslashes = 0
            start = quote + 1
        self._backslashes = self._trailing(text[start:])

    def value_follows(self) -> None:
        """Note that a placeholder stands here: a quote behind it has its own backslashes."""
        self._backslashes = 0

    def _trailing(self, text: str) -> int:
        rest = text.rstrip("\\")
        return len(text) - len(rest) + (0 if rest else self._backslashes)
