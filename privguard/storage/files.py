"""Create files that only their owner can read."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from privguard.core.errors import PrivguardError


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """What a file is, in the words of an error, and which error is raised when it fails."""

    name: str  # "the audit log"
    error: type[PrivguardError]

    def cannot(self, action: str, path: Path, why: str) -> PrivguardError:
        """Return the error for something that could not be done with the file."""
        return self.error(f"cannot {action} {self.name} {path}: {why}")


def make_private(path: Path, kind: FileKind) -> None:
    """Make sure that `path` is a file: a new one has mode 0600, new directories have 0700.

    An existing file keeps its mode: an operator may have opened it to an auditor on purpose. It is not opened either:
    closing it again would drop the locks that SQLite holds on it in this process.

    Raises:
        PrivguardError: that of the kind, where there cannot be such a file.
    """
    try:
        for directory in reversed([parent for parent in path.parents if not parent.exists()]):
            directory.mkdir(mode=0o700, exist_ok=True)
        if path.is_dir():
            raise kind.error(f"{kind.name} {path} is a directory: name a file in it")
        if not path.exists():
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as exc:
        raise kind.cannot("open", path, system_words(exc)) from None


def inode(path: Path) -> int:
    """Return the number of the file that `path` names now, 0 where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def system_words(exc: OSError) -> str:
    """Return what the system says about a failure."""
    return exc.strerror or type(exc).__name__
