"""Files are their owner's alone."""

import os
import stat
from pathlib import Path

import pytest

from privguard.core.errors import PrivguardError
from privguard.storage.files import FileKind, inode, make_private

KIND = FileKind(name="the invented file", error=PrivguardError)


def mode(path: Path) -> int:
    """Return the permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_new_files_and_directories_are_private(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "audit.sqlite"
    old = os.umask(0)
    try:
        make_private(path, KIND)
    finally:
        os.umask(old)
    assert (mode(path), mode(path.parent), mode(path.parent.parent)) == (0o600, 0o700, 0o700)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_an_existing_file_keeps_its_mode_and_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"{}")
    path.chmod(0o640)
    make_private(path, KIND)
    assert mode(path) == 0o640
    assert path.read_bytes() == b"{}"


def test_a_path_that_cannot_be_a_file_is_a_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(PrivguardError, match="cannot open the invented file"):
        make_private(blocked / "a.sqlite", KIND)
    with pytest.raises(PrivguardError, match="is a directory"):
        make_private(tmp_path, KIND)


def test_the_inode_tells_a_replaced_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert inode(path) == 0
    path.touch()
    other = tmp_path / "b"
    other.touch()
    before = inode(path)
    other.replace(path)
    assert inode(path) not in (0, before)
