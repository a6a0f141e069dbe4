"""The files of a JSONL log: its lines, its head and its checkpoints, and the lock that its writers share."""

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from privguard.audit.chain import Head, Row
from privguard.audit.checkpoints import Checkpoint, format_checkpoint, parse_checkpoint
from privguard.audit.lines import format_head, parse_head, parse_row

MAX_LAG = 64  # rows that a killed writer may leave behind the head

_TAIL = 1 << 14  # bytes; read first when looking for the last rows
_HEAD_SIZE = 256  # bytes; always the same, so that a head covers the one before it
_LONGEST_CHECKPOINT = 512  # bytes
BINARY = getattr(os, "O_BINARY", 0)  # Windows alone has it


def head_path(path: Path) -> Path:
    """Return the place of the head of the log at `path`."""
    return path.with_name(f"{path.name}.head")


def checkpoints_path(path: Path) -> Path:
    """Return the place of the checkpoints of the log at `path`."""
    return path.with_name(f"{path.name}.checkpoints")


def load_head(path: Path) -> Head | None:
    """Read the head of the log at `path`; None where there is none that can be read.

    Raises:
        OSError: there is one, and it cannot be opened.
    """
    try:
        return parse_head(head_path(path).read_bytes().rstrip())
    except FileNotFoundError:
        return None


def store_head(path: Path, head: Head) -> None:
    """Write the head in place: within one disk sector, so neither a kill nor a power cut leaves half of it."""
    file = os.open(head_path(path), os.O_WRONLY | os.O_CREAT | BINARY, 0o600)
    try:
        write_all(file, format_head(head).ljust(_HEAD_SIZE - 1) + b"\n")
    finally:
        os.close(file)


def checkpoints_size(path: Path) -> int:
    """Return how many bytes of checkpoints the log at `path` has."""
    try:
        return checkpoints_path(path).stat().st_size
    except FileNotFoundError:
        return 0


def read_checkpoints(path: Path, size: int | None = None) -> Generator[Checkpoint]:
    """Yield the checkpoints in the first `size` bytes of a file, in stored order, without the lines that are none."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        while size is None or file.tell() < size:
            line = file.readline(_LONGEST_CHECKPOINT)
            if not line:
                return
            yield from parse_checkpoints((line,))


def parse_checkpoints(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    """Yield the checkpoints among lines."""
    for line in lines:
        checkpoint = parse_checkpoint(line.rstrip())
        if checkpoint is not None:
            yield checkpoint


def last_checkpoint(path: Path) -> Checkpoint | None:
    """Return the newest checkpoint of the log at `path`."""
    return max(read_checkpoints(checkpoints_path(path)), key=lambda checkpoint: checkpoint.seq, default=None)


def store_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Append a checkpoint of the log at `path`; the caller holds its lock."""
    file = os.open(checkpoints_path(path), os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
    try:
        size = os.fstat(file).st_size
        torn = size > 0 and read_at(file, size - 1, 1) != b"\n"
        write_all(file, (b"\n" if torn else b"") + format_checkpoint(checkpoint) + b"\n")
    finally:
        os.close(file)


@contextmanager
def locked(file: int, *, shared: bool = False) -> Iterator[None]:
    """Hold the advisory lock of an open file; does nothing where the system has none."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def rows_from(file: int, size: int, seq: int) -> list[Row]:
    """Return the rows at the end of a log, from the row `seq` on and in stored order, reading backwards.

    Where there is no such row, or it lies too far back for a killed writer, the last rows are returned.
    """
    length = min(_TAIL, size)
    while True:
        lines = read_at(file, size - length, length).split(b"\n")
        whole = lines if length == size else lines[1:]  # the first may have begun before what was read
        rows = [row for row in map(parse_row, whole) if row is not None]
        if length == size or (rows and (rows[0].seq <= seq or len(rows) > MAX_LAG + 1)):
            return [row for row in rows if row.seq >= seq] or rows[-1:]
        length = min(length * 8, size)


def read_at(file: int, at: int, length: int) -> bytes:
    """Read from an open file."""
    os.lseek(file, at, os.SEEK_SET)
    return os.read(file, length)


def write_all(file: int, data: bytes) -> None:
    """Write to an open file."""
    while data:
        data = data[os.write(file, data) :]
