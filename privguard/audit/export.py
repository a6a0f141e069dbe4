"""One file that holds a whole log: its head, its checkpoints and its rows, as JSON lines.

It is read and verified like the log itself, anywhere. What is no row of the log leaves a mark where it stood.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from privguard.audit.chain import Head, Row
from privguard.audit.checkpoints import Checkpoint, format_checkpoint, parse_checkpoint
from privguard.audit.lines import Torn, format_head, format_row, parse_head, parse_row, parse_torn

if TYPE_CHECKING:
    from privguard.audit.read import Log

_FIRST = re.compile(rb'\{"export":1,"head":(null|\{.*\})\}\n?')
_MARK = b'{"foreign":true}'
_LONGEST_LINE = 1 << 26  # bytes; what is longer is read in pieces, none of which is a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export that is being read."""

    head: Head | None
    checkpoints: Iterator[Checkpoint]
    rows: Iterator[Row | Torn | None]


def write_export(log: "Log", out: BinaryIO) -> int:
    """Write a log to an open file, row by row, and return how many rows it has."""
    out.write(b'{"export":1,"head":%s}\n' % (b"null" if log.head is None else format_head(log.head)))
    out.writelines(format_checkpoint(checkpoint) + b"\n" for checkpoint in log.checkpoints)
    count = 0
    for row in log.rows:
        count += isinstance(row, Row)
        out.write(_line(row) + b"\n")
    return count


def open_export(path: Path, file: BinaryIO) -> Export | None:
    """Read an export from an open file; None, and the file at its beginning, where it is none."""
    first = _FIRST.fullmatch(file.readline(_LONGEST_LINE))
    if first is None:
        file.seek(0)
        return None
    lines = iter(partial(file.readline, _LONGEST_LINE), b"")
    return Export(head=parse_head(first[1]), checkpoints=_checkpoints(path), rows=_rows(lines))


def _line(row: Row | Torn | None) -> bytes:
    match row:
        case Row():
            return _MARK if b"\n" in row.body else format_row(row)
        case Torn():
            return row.lead
        case None:
            return _MARK


def _checkpoints(path: Path) -> Iterator[Checkpoint]:
    """Yield the checkpoints, which stand before the rows, over a file of their own: both are read at the same time."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        file.readline(_LONGEST_LINE)
        for line in file:
            checkpoint = parse_checkpoint(line.removesuffix(b"\n"))
            if checkpoint is None:
                return
            yield checkpoint


def _rows(lines: Iterable[bytes]) -> Iterator[Row | Torn | None]:
    in_front = True
    for line in lines:
        whole = line.removesuffix(b"\n")
        in_front = in_front and parse_checkpoint(whole) is not None
        if not in_front:
            yield parse_row(whole) or parse_torn(whole)
