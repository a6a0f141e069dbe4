"""The command line of the need benchmark."""

from pathlib import Path

import pytest

from benchmarks.need.run import main


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--data", str(tmp_path / "nowhere")])
    said = str(stopped.value)
    assert "nowhere" in said
    assert "cannot be read" in said
    assert len(said.splitlines()) == 1
