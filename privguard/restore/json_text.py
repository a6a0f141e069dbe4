"""Where in a JSON document a text ends: outside of strings, in a string, or in a string of a document in a string.

A quote that k backslashes precede belongs to the string level that k encodes: none to the outer document, one to a
document inside its string, three to a document inside that. A string holds a document if it starts, after white
space, with `{` and then a quote or `}`, or with `[` and then a quote, `{`, `[` or `]`; any other text that has
escaped quotes is text. That can be told before the first value inside it, so a stream decides as the whole does.
Outside of every bracket only a text that starts with a quote has strings: prose in this channel stays prose.
"""

import json
import re
from typing import NamedTuple

from privguard.core.json_escapes import ESCAPE, said_by
from privguard.core.patterns import lazy_pattern

_LEVELS = 4  # from here on nothing more is told apart


def _white(level: int) -> str:
    """Match what white space in a string at a level may be written as: with no backslash, 1, 2, 4 and so on."""
    return rf"(?:\s|\\(?:{'|'.join(chr(92) * 2 * (2**escaped - 1) for escaped in range(level))})[nrt]){{0,32}}"


def _document_start(white: str) -> re.Pattern[str]:
    return lazy_pattern(rf"{white}(?:\{{{white}(?:(\\{{1,15}})\"|\}})|\[{white}(?:(\\{{1,15}})\"|[{{\[\]]))")


def _document_maybe(white: str) -> re.Pattern[str]:
    return lazy_pattern(rf"{white}(?:[{{\[]{white})?\\{{0,15}}\Z")


_WHITES = tuple(map(_white, range(1, _LEVELS + 1)))
_DOCUMENT_START = tuple(map(_document_start, _WHITES))  # by the level of the string that it stands in
_DOCUMENT_MAYBE = tuple(map(_document_maybe, _WHITES))
_BRACKET = lazy_pattern(r"[{}\[\]]")
_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_CUT_ESCAPE = lazy_pattern(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_LONGEST_CUT = 5
_BEFORE_VALUE = (":", ",", "[")  # a value of the document stands behind one of these
_NUMBER = lazy_pattern(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z", re.ASCII)
_DEEPER = 8  # escapes of escapes: no text has more
_BACKSLASHES = 256  # more of them tell no more: that is a string in a string, eight levels deep


class Reading(NamedTuple):
    """What JSON text says, as far as it belongs to the string, or to the gap between strings, that it ends in."""

    begins: bool  # that string, or that gap, begins here: what was read before belongs to another one
    text: str


class JsonContext:
    """Follow JSON text as the model wrote it, placeholders left out."""

    __slots__ = ("_before", "_carry", "_documents", "_nest", "_open", "_undecided", "_unescaper")

    def __init__(self) -> None:
        self._open = 0  # string levels that are open
        self._documents: list[bool] = []  # for each open string: whether it holds a document
        self._undecided = False  # the last opened string may still turn out to hold one
        self._carry = ""  # text since that quote, or the backslashes that a quote may follow
        self._before = ""  # the last code point that is not white space
        self._nest = 0  # brackets that are open outside of strings
        self._unescaper = Unescaper(0)

    def advance(self, text: str) -> Reading:
        """Take note of more text; return what it says."""
        before = self._before
        text, self._carry = self._carry + text, ""
        begins, position, start = False, 0, 0
        if self._undecided and not self._decide(text, 0):
            return Reading(begins, "")
        while (quote := text.find('"', position)) >= 0:
            if self._open == 0:
                self._count_brackets(text, position, quote)
            if self._cross(text, position, quote, before):
                begins, start = True, quote + 1
                self._unescaper = Unescaper(self._open)
            position = quote + 1
            before = '"'
            if self._undecided and not self._decide(text, position):
                self._before = before
                return Reading(begins, "")
        if self._open == 0:
            self._count_brackets(text, position, len(text))
        self._before = text[position:].rstrip()[-1:] or before
        self._carry = _trailing_backslashes(text[position:])
        return Reading(begins, self._unescaper.feed(text[start : len(text) - len(self._carry)]))

    def value_follows(self) -> str:
        """Note that a placeholder stands here: a string that begins with one is text. Return what was not certain."""
        self._undecided = False
        carry, self._carry = self._carry, ""
        return self._unescaper.feed(carry) + self._unescaper.flush()

    def read_value(self, written: str) -> str:
        """Take note of a value that was written here; return what it says."""
        self._before = "value"
        return self._unescaper.feed(written) + self._unescaper.flush()

    @property
    def in_string(self) -> bool:
        """Tell whether a string is open."""
        return self._open > 0

    @property
    def in_document(self) -> bool:
        """Tell whether this is the gap between the strings of a document, where brackets and commas are syntax."""
        return self._documents[-1] if self._open else self._nest > 0

    def write(self, value: str, written: str = "", *, told: bool = False) -> str:
        """Return a value in the form in which it may stand here.

        Args:
            value: what it reads as.
            written: how it was written, with its escapes; it stands where it says the value.
            told: whether a form tells that it was written so; a reader of the string may then read escapes once more.
        """
        if self.in_document and self._before in _BEFORE_VALUE:
            # The model left out the quotes: a number, or a new string.
            value = value if _NUMBER.match(value) else f'"{escape_json(value)}"'
        return written_at(self._open, value, written, told=told)

    def _cross(self, text: str, position: int, quote: int, before: str) -> bool:
        """Cross a quote; tell whether a string ends or begins there."""
        level = level_of(len(_trailing_backslashes(text[position:quote])))
        if level <= self._open:
            self._open = level - 1
            del self._documents[self._open :]
            return True
        if level > self._open + 1:
            return False
        first = self._open == 0 and not before and not text[position:quote].strip()
        if not (first or self.in_document):
            return False
        self._open = level
        self._documents.append(False)
        self._undecided = True
        return True

    def _decide(self, text: str, position: int) -> bool:
        """Decide whether the string opened before `position` holds a document; tell whether that is certain."""
        level = min(self._open, _LEVELS) - 1
        start = _DOCUMENT_START[level].match(text, position)
        self._undecided = start is None and _DOCUMENT_MAYBE[level].match(text, position) is not None
        if self._undecided:
            self._carry = text[position:]
            return False
        if start is not None:
            escapes = start[1] or start[2]
            self._documents[-1] = escapes is None or level_of(len(escapes)) == self._open + 1
        return True

    def _count_brackets(self, text: str, start: int, end: int) -> None:
        for bracket in _BRACKET.finditer(text, start, end):
            self._nest = max(0, self._nest + (1 if bracket[0] in "{[" else -1))


def _trailing_backslashes(text: str) -> str:
    count = len(text) - len(text.rstrip("\\"))
    return "\\" * (count % _BACKSLASHES)


def level_of(backslashes: int) -> int:
    """Return the string level to which a quote behind so many backslashes belongs, 1 for the outer document."""
    level = 1
    while backslashes % 2:
        backslashes, level = (backslashes - 1) // 2, level + 1
    return level


def escape_json(value: str) -> str:
    """Return the inside of the JSON string that holds a value."""
    lone = _LONE_SURROGATE.search(value) is not None
    return json.dumps(value, ensure_ascii=lone)[1:-1]


def written_at(level: int, value: str, written: str, *, told: bool = False) -> str:
    """Return the inside of a string at a level: what was written once, where it says the value there; else escapes."""
    if written and _says(written, level, value, deeper=told):
        return written
    for _ in range(level):
        value = escape_json(value)
    return value


def _says(written: str, level: int, value: str, *, deeper: bool) -> bool:
    """Tell whether a text says a value inside of so many strings, or of some more."""
    try:
        for depth in range(level + _DEEPER * deeper + 1):
            if depth >= level and _LONE_SURROGATE.sub("\ufffd", written) == value:
                return True
            written = json.loads(f'"{written}"')
    except ValueError:
        pass
    return False


class Unescaper:
    """Read what stands in a string in so many strings as the text that it says, chunk by chunk."""

    __slots__ = ("_carries",)

    def __init__(self, depth: int) -> None:
        self._carries = [""] * depth  # of each level, an escape that is not complete

    def feed(self, text: str) -> str:
        """Return what more text says, but for an escape that its end cuts off."""
        for level, carry in enumerate(self._carries):
            if not carry and "\\" not in text:
                continue
            unread = carry + text
            end = _end_of_escapes(unread)
            self._carries[level] = unread[end:]
            text = ESCAPE.sub(said_by, unread[:end])
        return text

    def flush(self) -> str:
        """Return escapes that nothing more belongs to, as they stand."""
        text = "".join(reversed(self._carries))
        self._carries = [""] * len(self._carries)
        return text


def _end_of_escapes(text: str) -> int:
    """Return where an escape begins that the end cuts off, else the end."""
    cut = _CUT_ESCAPE.search(text, max(0, len(text) - _LONGEST_CUT))
    if cut is None:
        return len(text)
    head = text[: cut.start() + 1]
    return cut.start() if (len(head) - len(head.rstrip("\\"))) % 2 else len(text)
