"""The lines that rows and heads are written as: JSON of one fixed form, read without decoding the body."""

import json
import re
from dataclasses import dataclass

from privguard.audit.chain import ORIGIN, SALT_SIZE, Head, Row

_LINE = re.compile(
    rb'\{"seq":(0|[1-9][0-9]{0,17}),"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})",'
    rb'(?:"salt":"([0-9a-f]{32})",)?"record":(\{.*\})\}',
    re.DOTALL,
)
_ERASED = re.compile(
    rb'\{"seq":([1-9][0-9]{0,17}),"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})","erased":"([0-9a-f]{64})"\}'
)
_HEAD = re.compile(rb'\{"seq":(0|[1-9][0-9]{0,17}),"hash":"([0-9a-f]{64})","seal":"([0-9a-f]{64})"\}')

_DIGITS = re.compile(rb"(?:0|[1-9][0-9]{0,17})?")
_HEX = re.compile(rb"[0-9a-f]{0,64}")
_SALT = re.compile(rb"[0-9a-f]{0,%d}" % (2 * SALT_SIZE))
# What stands before each field of a row, the field as far as it was written, and its length when it is whole.
_FIRST_FIELDS = ((b'{"seq":', _DIGITS, 1), (b',"previous":"', _HEX, len(ORIGIN)), (b'","hash":"', _HEX, len(ORIGIN)))
_FIELDS = (*_FIRST_FIELDS, (b'","salt":"', _SALT, 2 * SALT_SIZE))
_RECORD = b'","record":'
_LONGEST_SCRAP = 6  # bytes of an unfinished literal or escape sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Torn:
    """The beginning of a row, as a killed writer leaves it: not empty, and cut off somewhere."""

    lead: bytes  # up to where its record begins

    def may_follow(self, seq: int, previous: str | None) -> bool:
        """Tell whether it may have become the row `seq` behind the hash `previous`, None where that is not known."""
        wanted = b'{"seq":%d,"previous":"' % seq
        if previous is not None:
            wanted += previous.encode("ascii", "replace") + b'"'
        return wanted.startswith(self.lead[: len(wanted)])


def format_row(row: Row) -> bytes:
    """Write a row as one line of JSON, without the line break."""
    place = b'{"seq":%d,"previous":"%s","hash":"%s",' % (
        row.seq,
        row.previous.encode("ascii"),
        row.hash.encode("ascii"),
    )
    if row.erased is not None:
        return b'%s"erased":"%s"}' % (place, row.erased.encode("ascii"))
    if row.salt:
        return b'%s"salt":"%s","record":%s}' % (place, row.salt.encode("ascii"), row.body)
    return b'%s"record":%s}' % (place, row.body)


def parse_row(line: bytes) -> Row | None:
    """Read one line without decoding its body; None where it is not a row."""
    found = _LINE.fullmatch(line)
    if found is not None:
        seq, previous, digest, salt, body = found.groups()
        return Row(
            seq=int(seq),
            previous=previous.decode("ascii"),
            hash=digest.decode("ascii"),
            body=body,
            salt="" if salt is None else salt.decode("ascii"),
        )
    found = _ERASED.fullmatch(line)
    if found is None:
        return None
    seq, previous, digest, erased = found.groups()
    return Row(
        seq=int(seq),
        previous=previous.decode("ascii"),
        hash=digest.decode("ascii"),
        erased=erased.decode("ascii"),
    )


def parse_torn(line: bytes) -> Torn | None:
    """Read what a killed writer left of a row; None where the line is empty, whole, or no beginning of a row.

    An erased row is never torn: it is written into a copy of the log.
    """
    return _torn_as(line, _FIELDS) or _torn_as(line, _FIRST_FIELDS)


def _torn_as(line: bytes, fields: tuple[tuple[bytes, re.Pattern[bytes], int], ...]) -> Torn | None:
    rest = line
    for literal, field, length in fields:
        if len(rest) <= len(literal):
            return Torn(lead=line) if rest and literal.startswith(rest) else None
        found = field.match(rest, len(literal))
        if not rest.startswith(literal) or found is None:
            return None
        rest = rest[found.end() :]
        if not rest:
            return Torn(lead=line)
        if len(found.group()) < length:
            return None
    if len(rest) <= len(_RECORD):
        return Torn(lead=line) if _RECORD.startswith(rest) else None
    body = rest.removeprefix(_RECORD)
    return Torn(lead=line[: -len(body)]) if body != rest and _is_cut_off(body) else None


def _is_cut_off(body: bytes) -> bool:
    """Tell whether a record stops before its end, and holds nothing else until there."""
    if not body.isascii() or not body.startswith(b"{"):
        return False
    try:
        _, end = json.JSONDecoder().raw_decode(body.decode("ascii"))
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or len(body) - error.pos < _LONGEST_SCRAP
    except (ValueError, RecursionError):
        return False
    return end == len(body)  # only the last brace of the row is missing


def format_head(head: Head) -> bytes:
    """Write a head as one line of JSON, without the line break."""
    return b'{"seq":%d,"hash":"%s","seal":"%s"}' % (head.seq, head.hash.encode("ascii"), head.seal.encode("ascii"))


def parse_head(line: bytes) -> Head | None:
    """Read a head; None where it is not one."""
    found = _HEAD.fullmatch(line)
    if found is None:
        return None
    seq, digest, seal = found.groups()
    return Head(seq=int(seq), hash=digest.decode("ascii"), seal=seal.decode("ascii"))
