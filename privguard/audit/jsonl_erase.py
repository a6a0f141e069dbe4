"""Write a JSONL log anew without the bodies that are to be erased."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from privguard.audit.chain import Hasher
from privguard.audit.erasing import Erasure, check_rows
from privguard.audit.jsonl_files import BINARY, write_all
from privguard.audit.lines import format_row, parse_row
from privguard.audit.ranges import Ranges

_BATCH = 1 << 20  # bytes that are written at once


def rows_to_erase(path: Path, erasure: Erasure, hasher: Hasher) -> Ranges:
    """Return the numbers of the rows to erase.

    Raises:
        AuditError: one of them does not verify.
    """
    with path.open("rb") as lines:
        rows = (parse_row(line.removesuffix(b"\n")) for line in lines)
        # A line that is no row may be what a killed writer left: it stays as it is.
        wanted = check_rows((row for row in rows if row is not None), erasure, hasher)
        return Ranges((row.seq, row.seq) for row in wanted)


def copy_erased(path: Path, copy: int, erasure: Erasure, hasher: Hasher) -> None:
    """Copy the log to an open file, without the bodies to erase; what is no row is copied as it is."""
    chosen = erasure.chooser()
    pending: list[bytes] = []
    size = 0
    with path.open("rb") as lines:
        for line in lines:
            row = parse_row(line.removesuffix(b"\n"))
            kept = format_row(hasher.erase(row)) + b"\n" if row is not None and chosen(row) else line
            pending.append(kept)
            size += len(kept)
            if size >= _BATCH:
                write_all(copy, b"".join(pending))
                pending, size = [], 0
    write_all(copy, b"".join(pending))


@contextmanager
def replacing(path: Path) -> Iterator[int]:
    """Open a new file that takes the place of `path`, with its mode, when the block has ended well.

    Raises:
        OSError: it cannot be written.
    """
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)  # of a process that was killed
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    try:
        try:
            yield file
            beside.chmod(path.stat().st_mode)
            os.fsync(file)
        finally:
            os.close(file)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
