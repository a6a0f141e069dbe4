"""The files of the audit log, and the error that is raised when one fails."""

from pathlib import Path

from privguard.core.errors import AuditError, PrivguardError
from privguard.storage import files
from privguard.storage.files import FileKind, inode, system_words

__all__ = ["AUDIT_LOG", "cannot", "inode", "make_private"]

AUDIT_LOG = FileKind(name="the audit log", error=AuditError)


def make_private(path: Path) -> None:
    """Make sure that `path` is a file: a new one has mode 0600, new directories have 0700.

    Raises:
        AuditError: there cannot be such a file.
    """
    files.make_private(path, AUDIT_LOG)


def cannot(action: str, path: Path, exc: OSError) -> PrivguardError:
    """Return the error for a file that fails, in the words of the system."""
    return AUDIT_LOG.cannot(action, path, system_words(exc))
