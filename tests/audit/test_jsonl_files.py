"""The files of a JSONL log are read backwards, written in place, and survive what a kill leaves."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privguard.audit.jsonl_files import (
    MAX_LAG,
    checkpoints_path,
    checkpoints_size,
    head_path,
    last_checkpoint,
    load_head,
    locked,
    read_at,
    read_checkpoints,
    rows_from,
    store_checkpoint,
    store_head,
    write_all,
)
from privguard.audit.lines import format_row
from tests.audit.chains import Maker


def test_a_head_covers_the_one_before_it(tmp_path: Path) -> None:
    path, maker = tmp_path / "audit.jsonl", Maker()
    assert load_head(path) is None
    store_head(path, maker.head)
    size = head_path(path).stat().st_size
    for _ in range(20):
        maker.record()
    store_head(path, maker.head)
    assert load_head(path) == maker.head
    assert head_path(path).stat().st_size == size <= 512


def test_checkpoints_are_appended_and_a_torn_one_is_passed_over(tmp_path: Path) -> None:
    path, maker = tmp_path / "audit.jsonl", Maker()
    assert (last_checkpoint(path), checkpoints_size(path)) == (None, 0)
    for _ in range(3):
        maker.record()
        maker.sign()
    first, second, third = maker.checkpoints
    store_checkpoint(path, first)
    with checkpoints_path(path).open("ab") as file:
        file.write(b'{"chain":"c0')
    size = checkpoints_size(path)
    store_checkpoint(path, third)
    store_checkpoint(path, second)
    assert list(read_checkpoints(checkpoints_path(path))) == [first, third, second]
    assert list(read_checkpoints(checkpoints_path(path), size)) == [first]
    assert last_checkpoint(path) == third


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.integers(1, 2 * MAX_LAG + 10), st.integers(0, 2 * MAX_LAG), st.sampled_from([1, 300, 5000]), st.booleans())
def test_the_rows_from_one_on_are_found_from_the_end(
    tmp_path: Path, length: int, seq: int, width: int, torn: bool
) -> None:
    maker = Maker()
    for _ in range(length):
        maker.add(b'{"x":"%s"}' % (b"x" * width))
    data = b"".join(format_row(row) + b"\n" for row in maker.rows) + (b'{"seq":' if torn else b"")
    (tmp_path / "a").write_bytes(data)
    file = os.open(tmp_path / "a", os.O_RDONLY)
    try:
        found = rows_from(file, len(data), seq)
    finally:
        os.close(file)
    wanted = maker.rows[seq:] or maker.rows[-1:]
    if len(wanted) <= MAX_LAG + 1:
        assert found == wanted
    else:
        assert found == maker.rows[-len(found) :]
        assert len(found) > MAX_LAG + 1


def test_a_file_without_rows_has_none(tmp_path: Path) -> None:
    for content in (b"", b"anything", b"\n\n"):
        (tmp_path / "a").write_bytes(content)
        file = os.open(tmp_path / "a", os.O_RDONLY)
        try:
            assert rows_from(file, len(content), 0) == []
        finally:
            os.close(file)


def test_what_is_written_is_read_at_its_place(tmp_path: Path) -> None:
    file = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    try:
        write_all(file, b"0123456789")
        assert read_at(file, 3, 4) == b"3456"
    finally:
        os.close(file)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no flock")
def test_readers_share_a_lock_that_writers_do_not(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / "a").touch()
    files = [os.open(tmp_path / "a", os.O_RDWR) for _ in range(2)]
    try:
        with locked(files[0], shared=True), locked(files[1], shared=True):
            pass
        with locked(files[0]), pytest.raises(BlockingIOError):
            fcntl.flock(files[1], fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(files[1], fcntl.LOCK_SH | fcntl.LOCK_NB)
    finally:
        for file in files:
            os.close(file)
