"""Create audit files that only their owner can read."""

import os
from contextlib import suppress
from pathlib import Path

from privguard.core.errors import AuditError


def make_private(path: Path) -> None:
    """Make sure that `path` is a file: a new one has mode 0600, new directories have 0700.

    An existing file keeps its mode: an operator may have opened it to an auditor on purpose. It is not opened either:
    closing it again would drop the locks that SQLite holds on it in this process.

    Raises:
        AuditError: there cannot be such a file.
    """
    try:
        for directory in reversed([parent for parent in path.parents if not parent.exists()]):
            directory.mkdir(mode=0o700, exist_ok=True)
        if path.is_dir():
            raise AuditError(f"the audit log {path} is a directory: name a file in it")
        if not path.exists():
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as exc:
        raise cannot("open", path, exc) from None


def inode(path: Path) -> int:
    """Return the number of the file that `path` names now, 0 where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def cannot(action: str, path: Path, exc: OSError) -> AuditError:
    """Return the error for a file that fails, in the words of the system."""
    return AuditError(f"cannot {action} the audit log {path}: {exc.strerror or type(exc).__name__}")
