"""Where `privguard audit export` and `report` write: never over the log, and over nothing unless that was asked for."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from privguard.audit.jsonl_files import checkpoints_path, head_path
from privguard.cli.audit_options import stop

ForceOption = Annotated[bool, typer.Option("--force", help="Replace a file that is there. The log itself never.")]

_SQLITE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database


def new_place(path: Path, log: str | Path, *, force: bool) -> Path:
    """Return the file that an output names, behind symbolic links; end the command where it may not be written.

    Args:
        path: the output.
        log: the log that is read: a file, or the URL of a database.
        force: whether a file that is there may be replaced. One of the log's never may.
    """
    place = _real(path)
    if isinstance(log, Path) and any(_is_same(place, each) for each in _files_of(log)):
        raise stop(f"{path} belongs to the audit log that is read: name another file")
    if place.is_file() and not force:
        raise stop(f"{path} is there already: name another file, or give --force")
    return place


@contextmanager
def new_file(place: Path) -> Iterator[BinaryIO]:
    """Open a file of its owner's alone that takes its place when it is whole; until then, and on errors, nothing does.

    What is there and no file, such as a pipe, is written to as it stands.

    Raises:
        OSError: it cannot be written.
    """
    if place.exists() and not place.is_file():
        with place.open("wb") as file:
            yield file
        return
    number, beside = tempfile.mkstemp(prefix=f".{place.name[:32]}.", dir=place.parent)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise


def _files_of(log: Path) -> Iterator[Path]:
    # SQLite keeps its files beside the database itself, a JSONL log beside the name that it was opened by.
    for path in {log.expanduser().absolute(), _real(log)}:
        yield from (path, head_path(path), checkpoints_path(path))
        yield from (path.with_name(path.name + ending) for ending in _SQLITE)


def _is_same(place: Path, other: Path) -> bool:
    with suppress(OSError):  # one of them is not there
        return place == _real(other) or place.samefile(other)
    return False


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path.expanduser()))
