"""Values in columns, under the header that says what they are: CSV, tables, INSERT and COPY, rows of a document.

A header introduces its values as the key of a document does. It counts where a row follows that has as many fields, so
words in prose that are headers elsewhere are none.
"""

import re
from collections.abc import Iterator, Sequence

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.key_kinds import kinds_of, read_value

Kinds = Sequence[EntityType | None]
Field = tuple[int, int]  # half-open, in the text

_LONGEST_LINE = 20_000  # code points
_SIGNS = "\t|;,"  # that part fields, the surest first
_HEADER = lazy_pattern(r"\s*[\"'`*_]{0,3}(?:[^\W\d][\w .#/-]{0,40}?(?:\([\w ./-]{0,20}\))?)?[\"'`*_]{0,3}\s*")
_PROSE = listed(
    "your the and or my please her his their is are with if an we you i send give und oder bitte mit select from where "
    "order group by distinct import return def"
)
_RULE = lazy_pattern(r"[\s|:+=-]+")
_INSERT = lazy_pattern(
    r"\b(?:INSERT|REPLACE)\s{1,20}(?:\w{1,20}\s{1,20})?INTO\s{1,20}[\w.\"`\[\]]{1,120}\s{0,20}\((?P<c>[^()]{1,4000})\)"
    r"\s{0,20}VALUES?(?!\w)",
    re.IGNORECASE,
)
_COPY = lazy_pattern(
    r"^COPY\s{1,20}[\w.\"]{1,120}\s{0,20}\((?P<c>[^()]{1,4000})\)\s{1,20}FROM\s[^\n]{1,200}\n",
    re.IGNORECASE | re.MULTILINE,
)
_OPEN = lazy_pattern(r"\s{0,200},?\s{0,200}\(")
_ITEM = lazy_pattern(
    r"\s{0,200}(?:[A-Za-z]?'(?P<s>(?:[^'\\]|''|\\.){0,2000})'|(?P<b>(?:[^,()'\"]|\w\([^()]{0,200}\)){0,200}))"
    r"\s{0,20}(?P<e>[,)])",
    re.DOTALL,
)
_COLUMNS = lazy_pattern(r"\"(?:columns?|headers?|fields|column_names)\"\s{0,20}:\s{0,20}\[", re.IGNORECASE)
_ROWS = lazy_pattern(r"\"(?:rows|data|values|records)\"\s{0,20}:\s{0,20}\[", re.IGNORECASE)
_MAX_GAP = 200  # code points between the columns of a document and its rows
_CELL = lazy_pattern(
    r"\s{0,200}(?:\"(?P<s>(?:[^\"\\]|\\.){0,2000})\"|(?P<b>[^\s,\[\]{}\"]{0,200}))\s{0,200}(?P<e>[,\]])", re.DOTALL
)
_ROW = lazy_pattern(r"\s{0,200},?\s{0,200}\[")


def find_in_columns(text: str) -> Iterator[Span]:
    """Yield the values under telling headers. Cost: linear in the text."""
    yield from _in_tables(text)
    yield from _in_inserts(text)
    yield from _in_copies(text)
    yield from _in_documents(text)


def _in_tables(text: str) -> Iterator[Span]:
    sign, sure = "", False
    kinds: Kinds = ()
    for start, end in _lines(text, 0, len(text)):
        if sign and _RULE.fullmatch(text, start, end):
            sure |= sign == "|"
            continue
        fields = _fields(text, start, end, sign) if sign else ()
        # A sign within a value makes a row longer; in two columns it is prose.
        if not kinds or len(fields) < len(kinds) or (len(fields) > len(kinds) and (not sure or len(kinds) < 3)):
            sign, kinds, sure = (*_header(text, start, end), False)
            continue
        sure = True
        yield from _read(text, fields, kinds)


def _header(text: str, start: int, end: int) -> tuple[str, Kinds]:
    """Return what parts the fields of a line, and their types, where it is a header that tells any."""
    for sign in _SIGNS if 3 < end - start <= _LONGEST_LINE else "":
        if text.find(sign, start, end) < 0:
            continue
        fields = _fields(text, start, end, sign)
        keys = [text[first:last] for first, last in fields]
        # What ends in a comma goes on: a list of arguments.
        if len(fields) < 2 or not all(map(_HEADER.fullmatch, keys)) or (sign == "," and not keys[-1].strip()):
            continue
        words = [key.lower().split() for key in keys]
        if any(len(each) > 4 or (len(each) > 1 and not _PROSE.isdisjoint(each)) for each in words):
            continue
        kinds = kinds_of(keys)
        if any(kinds):
            return sign, kinds
    return "", ()


def _lines(text: str, start: int, last: int) -> Iterator[Field]:
    while start <= last:
        end = text.find("\n", start, last)
        end = last if end < 0 else end
        yield start, end
        start = end + 1


def _fields(text: str, start: int, end: int, sign: str) -> list[Field]:
    """Return the fields of a line, quoted ones as a whole, without the bars around the line of a table."""
    if sign == "|":
        line = text[start:end]
        start += len(line) - len(line.lstrip(" \t>"))
        start += text[start : start + 1] == "|"
        end -= len(line) - len(line.rstrip())
        end -= end > start and text[end - 1] == "|"
    found = []
    while True:
        at = start
        while at < end and text[at] == " ":
            at += 1
        if text[at : at + 1] == '"' and (closing := _closing(text, at + 1, end)) >= 0:
            at = closing
        stop = text.find(sign, at, end)
        if stop < 0:
            found.append((start, end))
            return found
        found.append((start, stop))
        start = stop + 1


def _closing(text: str, start: int, end: int) -> int:
    """Return where the quotation mark stands that closes a field, -1 where none does; a doubled one is a sign."""
    at = text.find('"', start, end)
    while at >= 0 and text[at + 1 : at + 2] == '"' and at + 1 < end:
        at = text.find('"', at + 2, end)
    return at


def _read(text: str, fields: Sequence[Field], kinds: Kinds) -> Iterator[Span]:
    for (start, end), kind in zip(fields, kinds, strict=False):
        span = read_value(text, start, end, kind)
        if span is not None:
            yield span


def _in_inserts(text: str) -> Iterator[Span]:
    match = _INSERT.search(text)
    while match is not None:
        kinds, at = kinds_of(match["c"].split(",")), match.end()
        while opened := _OPEN.match(text, at):
            fields, at = listed_fields(text, opened.end())
            if len(fields) == len(kinds):
                yield from _read(text, fields, kinds)
        match = _INSERT.search(text, at)


def listed_fields(text: str, at: int) -> tuple[list[Field], int]:
    """Return the items of a list of SQL whose bracket opens before `at`, and where it ends; none where it does not."""
    return _items(text, at, _ITEM, ")")


def _in_copies(text: str) -> Iterator[Span]:
    match = _COPY.search(text)
    while match is not None and (last := text.find("\n\\.", match.end() - 1)) >= 0:
        kinds = kinds_of(match["c"].split(","))
        for start, end in _lines(text, match.end(), last):
            fields = _fields(text, start, end, "\t")
            if len(fields) == len(kinds):
                yield from _read(text, fields, kinds)
        match = _COPY.search(text, last)


def _in_documents(text: str) -> Iterator[Span]:
    match = _COLUMNS.search(text)
    while match is not None:
        keys, at = _items(text, match.end(), _CELL, "]")
        rows = _ROWS.search(text, at, at + _MAX_GAP) if keys else None
        if rows is not None:
            kinds, at = kinds_of(text[start:end] for start, end in keys), rows.end()
            while opened := _ROW.match(text, at):
                fields, at = _items(text, opened.end(), _CELL, "]")
                yield from _read(text, fields if len(fields) == len(kinds) else (), kinds)
        match = _COLUMNS.search(text, at)


def _items(text: str, at: int, item: re.Pattern[str], closing: str) -> tuple[list[Field], int]:
    """Return the items of a list up to the sign that closes it, none where it does not end well, and where it ends."""
    found: list[Field] = []
    while match := item.match(text, at):
        at = match.end()
        found.append(match.span("s" if match["s"] is not None else "b"))
        if match["e"] == closing:
            return found, at
    return [], at
