"""Which files this process has open."""

from contextlib import suppress
from pathlib import Path

import pytest

_OPEN = Path("/proc/self/fd")

needs_open_files = pytest.mark.skipif(not _OPEN.is_dir(), reason="open files cannot be counted")


def open_under(folder: Path) -> list[str]:
    """Return the open files of a folder: those of other tests and threads come and go."""
    found = []
    for each in _OPEN.iterdir():
        with suppress(OSError):  # closed meanwhile, as that of the listing itself
            found.append(str(each.readlink()))
    return sorted(path for path in found if path.startswith(str(folder)))
