"""A JSONL log is written anew without the bodies, and takes the place of the old one as a whole."""

import os
import stat
from pathlib import Path

import pytest

from privguard.audit.erasing import Erasure
from privguard.audit.jsonl_erase import copy_erased, replacing, rows_to_erase
from privguard.audit.lines import format_row, parse_row
from privguard.core.errors import AuditError
from tests.audit.chains import Maker


def log_at(path: Path) -> Maker:
    """Write a log with five records and an unfinished line."""
    maker = Maker()
    for number in range(5):
        maker.record(f"r{number}")
    lines = [format_row(row) + b"\n" for row in maker.rows]
    path.write_bytes(b"".join([*lines[:3], b'{"seq":3,\n', *lines[3:]]))
    return maker


def test_the_rows_to_erase_are_found_and_copied_without_their_bodies(tmp_path: Path) -> None:
    maker = log_at(tmp_path / "a.jsonl")
    erasure = Erasure(request="r2")
    assert list(rows_to_erase(tmp_path / "a.jsonl", erasure, maker.hasher)) == [(3, 3)]
    with (tmp_path / "b.jsonl").open("wb") as copy:
        copy_erased(tmp_path / "a.jsonl", copy.fileno(), erasure, maker.hasher)
    before = (tmp_path / "a.jsonl").read_bytes().splitlines()
    after = (tmp_path / "b.jsonl").read_bytes().splitlines()
    assert [line for line in after if line not in before] == [format_row(maker.hasher.erase(maker.rows[3]))]
    assert len(after) == len(before)


def test_a_row_that_does_not_verify_stops_it_all(tmp_path: Path) -> None:
    maker = log_at(tmp_path / "a.jsonl")
    data = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "a.jsonl").write_bytes(data.replace(b"2031", b"2032"))
    with pytest.raises(AuditError, match="do not verify"):
        rows_to_erase(tmp_path / "a.jsonl", Erasure(request="r2"), maker.hasher)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_new_file_has_the_mode_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"old")
    path.chmod(0o640)
    (tmp_path / "a.jsonl.new").write_bytes(b"left by somebody who was killed")
    with replacing(path) as copy:
        os.write(copy, b"new")
        assert stat.S_IMODE((tmp_path / "a.jsonl.new").stat().st_mode) == 0o600
        assert path.read_bytes() == b"old"
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)
    assert [file.name for file in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_copy_that_fails_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"old")

    def stumble() -> None:
        with replacing(path) as copy:
            os.write(copy, b"new")
            raise KeyError

    with pytest.raises(KeyError):
        stumble()
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_log_larger_than_one_step_is_copied_whole(tmp_path: Path) -> None:
    maker = Maker()
    for _ in range(5):
        maker.add(b'{"x":"%s"}' % (b"x" * 700_000))
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(format_row(row) + b"\n" for row in maker.rows))
    with (tmp_path / "b.jsonl").open("wb") as copy:
        copy_erased(path, copy.fileno(), Erasure(request="r9"), maker.hasher)
    assert [parse_row(line) for line in (tmp_path / "b.jsonl").read_bytes().splitlines()] == maker.rows
