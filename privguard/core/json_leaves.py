"""JSON without loss: find every leaf of a document in its raw text, so that only those that change are replaced.

Everything else stays as it was written, byte for byte: key order, white space, the spelling of numbers, escapes.
Strings are decoded by the C scanner of the standard library, so a prompt of megabytes costs milliseconds; the rest is a
loop over tokens without recursion.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from json.decoder import JSONDecodeError
from json.decoder import scanstring as _scan_string  # type: ignore[attr-defined]  # public in CPython, not in typeshed
from typing import NamedTuple, NoReturn, TypeAlias

from privguard.core.errors import UnknownContentError
from privguard.core.patterns import lazy_pattern

Path: TypeAlias = tuple[str | int, ...]
Pattern: TypeAlias = tuple[str | None, ...]  # a path with None for every index

MAX_DEPTH = 200  # deeper than any API allows; the parser itself does not recurse
MAX_LENIENT_DEPTH = 1000  # about as deep as other parsers read

_TOKEN = lazy_pattern(
    r"[ \t\n\r]*(?:([{}\[\],:\"])|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))"
)
_MAX_EXPONENT = 40  # no number of this size identifies anybody
_SPACE = lazy_pattern(r"[ \t\n\r]*")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_ESCAPED = lazy_pattern(r"[\x85\u2028\u2029\ud800-\udfff]")  # some end a line at the first three, JSON or not
_LENIENT_LITERAL = lazy_pattern(r"[ \t\n\r]*(NaN|-?Infinity)")


class Kind(Enum):
    """What a leaf is."""

    KEY = "key"
    STRING = "string"
    NUMBER = "number"
    LITERAL = "literal"  # true, false, null; NaN and Infinity where they are allowed
    PIECE = "piece"  # of a text that is no document: it stands as it is
    ESCAPED = "escaped"  # likewise, with escapes as in a JSON string, but without its quotes


class Leaf(NamedTuple):
    """One token and where it stands: `[start, end)` in code points of the raw text, quotes included.

    A named tuple, since a reply may have a hundred thousand and a frozen dataclass takes five times as long to build.
    """

    path: Path  # of a key: the path of its value
    label: str  # the path as it may be shown: keys that are no field names of the API appear as their number
    kind: Kind
    start: int
    end: int
    text: str  # decoded; numbers and literals as they are spelled

    def __repr__(self) -> str:
        return f"Leaf({self.label}, {self.kind.value}, [{self.start}, {self.end}))"

    @property
    def pattern(self) -> Pattern:
        """Return the path with None for every index."""
        return tuple([None if isinstance(step, int) else step for step in self.path])


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The raw text of a JSON document, its leaves in order, and the extent of its objects and arrays."""

    text: str = field(repr=False)
    leaves: tuple[Leaf, ...]
    extents: Mapping[Path, tuple[int, int]]

    def values(self) -> dict[Path, Leaf]:
        """Return the leaves that are no keys by their path."""
        return {leaf.path: leaf for leaf in self.leaves if leaf.kind is not Kind.KEY}


def decode(raw: bytes) -> str:
    """Decode the bytes of a body.

    Raises:
        UnknownContentError: they are not plain UTF-8.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        raise UnknownContentError("the body starts with a byte order mark; send plain UTF-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
    # Raised out here: the error at hand holds the whole body, and the context of an exception keeps it reachable.
    raise UnknownContentError(f"the body is not UTF-8 at byte {start}")


def parse(text: str, names: Collection[str] = frozenset(), *, lenient: bool = False) -> Document:
    """Find the leaves of a document.

    Args:
        text: one JSON value, as RFC 8259 defines it: no NaN, no duplicate keys, no unpaired surrogates.
        names: field names of the API, which may appear in labels.
        lenient: read these, and control characters in strings, as most parsers do. Each value of a key that is given
            twice is a leaf of its own, under the same path.

    Raises:
        UnknownContentError: the text is not such a document, or nests deeper than `MAX_DEPTH`.
    """
    return _Parser(text, names, lenient=lenient).run()


def cut(text: str, replacements: Mapping[tuple[int, int], str]) -> str:
    """Return the text with each `[start, end)` replaced; the intervals must not overlap."""
    pieces: list[str] = []
    position = 0
    for (start, end), replacement in sorted(replacements.items()):
        pieces += text[position:start], replacement
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def encode(text: str) -> str:
    """Write a JSON string. Half of a surrogate pair stays an escape, and so does what readers of lines end one at."""
    return in_one_line(json.dumps(text, ensure_ascii=False))


def in_one_line(written: str) -> str:
    """Return a JSON text with what ends a line to some readers, and halves of surrogate pairs, as escapes."""
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)


def plain_number(spelled: str) -> str:
    """Write a number without exponent and without zeros after the point, as a detector expects it."""
    if not set(spelled) & set(".eE"):
        return spelled
    number = Decimal(spelled)
    if abs(number.adjusted()) > _MAX_EXPONENT:
        return spelled
    return format(number.to_integral_value() if number == number.to_integral_value() else number, "f")


class _Frame:
    """An object or array that is being read."""

    __slots__ = ("count", "is_object", "keys", "label", "path", "start")

    def __init__(self, start: int, path: Path, label: str, *, is_object: bool) -> None:
        self.start, self.path, self.label, self.is_object = start, path, label, is_object
        self.count = 0
        self.keys: set[str] = set()


class _Parser:
    """One pass over the tokens, with an explicit stack."""

    def __init__(self, text: str, names: Collection[str], *, lenient: bool) -> None:
        self._text, self._names, self._lenient = text, names, lenient
        self._max_depth = MAX_LENIENT_DEPTH if lenient else MAX_DEPTH
        self._position = 0
        self._stack: list[_Frame] = []
        self._leaves: list[Leaf] = []
        self._extents: dict[Path, tuple[int, int]] = {}

    def run(self) -> Document:
        self._value((), "")
        while self._stack:
            self._member(self._stack[-1])
        end = self._position
        self._skip_space()
        if self._position != len(self._text):
            self._fail(end)
        return Document(text=self._text, leaves=tuple(self._leaves), extents=self._extents)

    def _member(self, frame: _Frame) -> None:
        """Read one more member of the innermost container, or its end."""
        closing = "}" if frame.is_object else "]"
        mark = self._peek_mark()
        if mark == closing:
            self._position += 1
            self._extents[frame.path] = (frame.start, self._position)
            self._stack.pop()
            return
        if frame.count:
            self._expect(",")
        if frame.is_object:
            path, label = self._key(frame)
        else:
            path, label = (*frame.path, frame.count), f"{frame.label}[{frame.count}]"
        frame.count += 1
        self._value(path, label)

    def _key(self, frame: _Frame) -> tuple[Path, str]:
        self._expect('"')
        start = self._position - 1
        name = self._string()
        if name in frame.keys and not self._lenient:
            self._fail(start, "a key is given twice")
        frame.keys.add(name)
        step = name if name in self._names else f"{{{frame.count}}}"
        label = f"{frame.label}.{step}" if frame.label else step
        path = (*frame.path, name)
        self._leaves.append(Leaf(path, f"{label}#key", Kind.KEY, start, self._position, name))
        self._expect(":")
        return path, label

    def _value(self, path: Path, label: str) -> None:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            self._lenient_literal(path, label)
            return
        mark, number, literal = match.groups()
        self._position = match.end()
        start = match.end() - len(mark or number or literal)
        if mark == '"':
            self._leaf(path, label, Kind.STRING, start, self._string())
        elif mark in ("{", "["):
            if len(self._stack) == self._max_depth:
                self._fail(start, f"it nests deeper than {self._max_depth} levels")
            self._stack.append(_Frame(start, path, label, is_object=mark == "{"))
        elif mark is not None:
            self._fail(start)
        elif number is not None:
            self._leaf(path, label, Kind.NUMBER, start, number)
        else:
            self._leaf(path, label, Kind.LITERAL, start, literal)

    def _lenient_literal(self, path: Path, label: str) -> None:
        match = _LENIENT_LITERAL.match(self._text, self._position) if self._lenient else None
        if match is None:
            self._fail(self._position)
        self._position = match.end()
        self._leaf(path, label, Kind.LITERAL, match.start(1), match[1])

    def _leaf(self, path: Path, label: str, kind: Kind, start: int, text: str) -> None:
        self._leaves.append(Leaf(path, label, kind, start, self._position, text))

    def _string(self) -> str:
        """Read the rest of a string after its opening quote."""
        start = self._position
        fault: int | None = None
        try:
            text, self._position = _scan_string(self._text, start, not self._lenient)
        except JSONDecodeError as error:
            fault = error.pos
        if fault is not None:  # raised out here, likewise
            self._fail(fault)
        # Only an escape can bring in half of a surrogate pair; where there is one, the raw text is longer.
        if not self._lenient and self._position - start != len(text) + 1 and _SURROGATE.search(text):
            self._fail(start, "a string holds an unpaired surrogate")
        return str(text)

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._position)
        self._position = match.end() if match else self._position

    def _peek_mark(self) -> str:
        mark = self._text[self._position : self._position + 1]
        if mark > " ":
            return mark
        self._skip_space()
        return self._text[self._position : self._position + 1]

    def _expect(self, mark: str) -> None:
        if self._peek_mark() != mark:
            self._fail(self._position)
        self._position += 1

    def _fail(self, position: int, reason: str = "it is not valid JSON") -> NoReturn:
        raise UnknownContentError(f"the JSON text cannot be read at character {position}: {reason}")
