"""The lines of a data set, as raw bytes: only b"\\n" ends one."""

import gzip
import hashlib
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from privguard.core.errors import ConfigError

BATCH_LINES = 32
_BATCH_BYTES = 1 << 16

Line = tuple[int, bytes]  # number from 1, raw bytes


def is_blank(line: bytes) -> bool:
    """Tell whether a line holds no row."""
    return not line.strip()


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Group the lines that hold a row, so that a worker gets enough of them at once."""
    batch: list[Line] = []
    size = 0
    for number, line in lines:
        if is_blank(line):
            continue
        batch.append((number, line))
        size += len(line)
        if len(batch) >= BATCH_LINES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def digest_lines(source: Path) -> tuple[str, int]:
    """Return the SHA-256 of the input, and how many of its lines hold a row."""
    sha, count = hashlib.sha256(), 0
    with open_input(source) as lines:
        for line in lines:
            sha.update(line)
            count += not is_blank(line)
    return sha.hexdigest(), count


@contextmanager
def open_input(source: Path | None) -> Iterator[Iterator[bytes]]:
    """Open the input as lines of bytes; one that ends in .gz is decompressed. None is standard input.

    Raises:
        ConfigError: it cannot be read.
    """
    if source is None:
        yield iter(sys.stdin.buffer)
        return
    try:
        file = source.open("rb")
    except OSError as error:
        raise ConfigError(f"{source} cannot be read: {error.strerror or type(error).__name__}") from None
    with file, gzip.GzipFile(fileobj=file) if source.suffix == ".gz" else file as lines:
        yield _lines_of(lines, source)


def _lines_of(lines: Iterable[bytes], source: Path) -> Iterator[bytes]:
    try:
        yield from lines
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigError(f"{source} cannot be read to its end: {type(error).__name__}") from None
