"""Where in a JSON document a text ends: outside of strings, in a string, or in a string of a document in a string.

A quote that k backslashes precede belongs to the string level that k encodes: none to the outer document, one to a
document inside its string, three to a document inside that. A string holds a document if it starts, after white
space, with `{` and then a quote or `}`, or with `[` and then a quote, `{`, `[` or `]`; any other text that has
escaped quotes is text. That can be told before the first value inside it, so a stream decides as the whole does.
"""

import json
import re

_QUOTE = re.compile(r"(\\*)\"")
_WHITE = r"(?:\s|\\{1,15}[nrt]){0,32}"
_DOCUMENT_START = re.compile(rf"{_WHITE}(?:\{{{_WHITE}(?:(\\{{1,15}})\"|\}})|\[{_WHITE}(?:(\\{{1,15}})\"|[{{\[\]]))")
_DOCUMENT_MAYBE = re.compile(rf"{_WHITE}(?:[{{\[]{_WHITE})?\\{{0,15}}\Z")
_TRAILING = re.compile(r"\\+\Z")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\/bfnrt]))")
_CUT_ESCAPE = re.compile(r"(?:\\+|\\u[0-9a-fA-F]{0,3})\Z")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BEFORE_VALUE = ("", ":", ",", "[")  # a value of the document stands behind one of these
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z", re.ASCII)


class JsonContext:
    """Follow JSON text as the model wrote it, placeholders left out."""

    __slots__ = ("_before", "_carry", "_documents", "_open", "_undecided")

    def __init__(self) -> None:
        self._open = 0  # string levels that are open
        self._documents: list[bool] = []  # for each open string: whether it holds a document
        self._undecided = False  # the last opened string may still turn out to hold one
        self._carry = ""  # text since that quote, or the backslashes that a quote may follow
        self._before = ""  # the last code point that is not white space

    def advance(self, text: str) -> None:
        """Take note of more text."""
        self._before = text.rstrip()[-1:] or self._before
        text, self._carry = self._carry + text, ""
        position: int | None = 0
        if self._undecided:
            position = self._decide(text, 0)
        while position is not None and (quote := _QUOTE.search(text, position)):
            position = self._cross(quote, text)
        if position is not None:
            trailing = _TRAILING.search(text, position)
            self._carry = trailing[0] if trailing else ""

    def _cross(self, quote: re.Match[str], text: str) -> int | None:
        """Cross a quote; return where to go on, None where the text ends too early to tell."""
        level = _level(len(quote[1]))
        if level <= self._open:
            self._open = level - 1
            del self._documents[self._open :]
        elif level == self._open + 1 and (self._open == 0 or self._documents[-1]):
            self._open = level
            self._documents.append(False)
            return self._decide(text, quote.end())
        return quote.end()

    def value_follows(self) -> None:
        """Note that a value stands here: a string that begins with one is text."""
        self._undecided, self._carry, self._before = False, "", "value"

    def _decide(self, text: str, position: int) -> int | None:
        """Decide whether the string opened before `position` holds a document; return where to go on, None: unknown."""
        start = _DOCUMENT_START.match(text, position)
        self._undecided = start is None and _DOCUMENT_MAYBE.match(text, position) is not None
        if self._undecided:
            self._carry = text[position:]
            return None
        if start is not None:
            escapes = start[1] or start[2]
            self._documents[-1] = escapes is None or _level(len(escapes)) == self._open + 1
        return position

    @property
    def depth(self) -> int:
        """Return how many strings are open: how often a value must be escaped."""
        return self._open

    def write(self, value: str) -> str:
        """Return a value in the form in which it may stand here."""
        outside = self._open == 0 or self._documents[-1]
        if outside and self._before in _BEFORE_VALUE:
            # The model left out the quotes: a number, or a new string.
            value = value if _NUMBER.match(value) else f'"{escape_json(value)}"'
        for _ in range(self._open):
            value = escape_json(value)
        return value


def _level(backslashes: int) -> int:
    """Return the string level to which a quote behind so many backslashes belongs, 1 for the outer document."""
    level = 1
    while backslashes % 2:
        backslashes, level = (backslashes - 1) // 2, level + 1
    return level


def escape_json(value: str) -> str:
    """Return the inside of the JSON string that holds a value."""
    lone = _LONE_SURROGATE.search(value) is not None
    return json.dumps(value, ensure_ascii=lone)[1:-1]


class Unescaper:
    """Read emitted JSON text as the text that it stands for, chunk by chunk."""

    __slots__ = ("_carry",)

    def __init__(self) -> None:
        self._carry = ""

    def feed(self, text: str, depth: int) -> str:
        """Undo the escapes of `depth` string levels, at least one."""
        text = self._carry + text
        cut = _CUT_ESCAPE.search(text)
        self._carry = cut[0] if cut else ""
        text = text[: len(text) - len(self._carry)]
        for _ in range(max(1, depth)):
            text = _ESCAPE.sub(_unescaped, text)
        return text


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _PLAIN.get(escape[2], escape[2])
