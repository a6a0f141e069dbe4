import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.cli.lines import BATCH_LINES, batches, digest_lines, is_blank, open_input
from privguard.core.errors import ConfigError


@given(st.lists(st.sampled_from([b"\n", b"  \r\n", b"row\n", b"r" * 70_000])))
def test_batches_hold_every_line_with_a_row_once_and_in_order(lines: list[bytes]) -> None:
    grouped = list(batches(enumerate(lines, start=1)))
    expected = [(number, line) for number, line in enumerate(lines, start=1) if not is_blank(line)]
    assert [line for batch in grouped for line in batch] == expected
    assert all(0 < len(batch) <= BATCH_LINES for batch in grouped)


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes("a\u2028b\rc\n\nd".encode())
    with open_input(path) as lines:
        assert list(lines) == ["a\u2028b\rc\n".encode(), b"\n", b"d"]
    assert digest_lines(path) == (hashlib.sha256(path.read_bytes()).hexdigest(), 2)


def test_a_compressed_input_reads_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(b"a\nb\n"))
    with open_input(path) as lines:
        assert list(lines) == [b"a\n", b"b\n"]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.jsonl cannot be read"), open_input(tmp_path / "missing.jsonl"):
        pass
    torn = tmp_path / "torn.gz"
    torn.write_bytes(gzip.compress(b"a\n" * 5_000)[:-9])
    with pytest.raises(ConfigError, match="to its end"):
        digest_lines(torn)
