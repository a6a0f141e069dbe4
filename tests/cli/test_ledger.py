from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.cli.ledger import Ledger, Settings, ledger_path
from privguard.core.errors import ConfigError

SETTINGS = Settings(input_sha256="s", target="m", profile_id="p:1", artifact_ids=("d", "n"), key_id="k")


def begun(out: Path, rows: int = 2) -> None:
    ledger = Ledger(out, SETTINGS)
    for number in range(rows):
        ledger.write(f'{{"id": {number}}}')
    ledger.note_failure(17)
    ledger.close()


def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    out = tmp_path / "out"
    begun(out)
    ledger = Ledger(out, SETTINGS)
    assert (ledger.rows, ledger.last_row, ledger.failed) == (2, b'{"id": 1}\n', {17})
    ledger.write('{"id": 2}')
    ledger.close()
    assert out.read_bytes() == b'{"id": 0}\n{"id": 1}\n{"id": 2}\n'


@given(st.integers(0, 30))
def test_a_torn_output_keeps_its_whole_rows(size: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        begun(out, rows=3)
        whole = out.read_bytes()
        out.write_bytes(whole[:size])
        ledger = Ledger(out, SETTINGS)
        ledger.close()
        assert ledger.rows == whole[:size].count(b"\n")
        assert out.read_bytes() == whole[: ledger.rows * 10]


def test_a_torn_note_of_a_failure_is_forgotten(tmp_path: Path) -> None:
    out = tmp_path / "out"
    begun(out)
    with ledger_path(out).open("ab") as file:
        file.write(b'{"failed": 1')
    ledger = Ledger(out, SETTINGS)
    ledger.close()
    assert ledger.failed == {17}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"input_sha256": "t"}, "another input"),
        ({"target": "n"}, "another target"),
        ({"profile_id": "q"}, "another profile"),
        ({"artifact_ids": ("d",)}, "another artifact"),
        ({"key_id": "l"}, "another key"),
    ],
)
def test_an_output_of_other_settings_is_not_touched(tmp_path: Path, change: dict[str, object], named: str) -> None:
    out = tmp_path / "out"
    begun(out)
    before = out.read_bytes(), ledger_path(out).read_bytes()
    with pytest.raises(ConfigError, match=named):
        Ledger(out, replace(SETTINGS, **change))  # type: ignore[arg-type] # one field at a time
    assert (out.read_bytes(), ledger_path(out).read_bytes()) == before
    Ledger(out, replace(SETTINGS, target="n"), fresh=True).close()
    assert out.read_bytes() == b""


def test_a_foreign_file_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(ConfigError, match="--fresh"):
        Ledger(out, SETTINGS)
    assert out.read_text() == "mine"


@pytest.mark.parametrize("content", ["", "[]\n", "{}\n", "no\n", '{"failed": 1}\n'])
def test_a_damaged_ledger_is_refused(tmp_path: Path, content: str) -> None:
    out = tmp_path / "out"
    begun(out)
    ledger_path(out).write_text(content)
    with pytest.raises(ConfigError, match="damaged"):
        Ledger(out, SETTINGS)


def test_an_output_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        Ledger(tmp_path / "missing" / "out", SETTINGS)


def test_rows_of_another_random_key_are_noticed(tmp_path: Path) -> None:
    out, random = tmp_path / "out", replace(SETTINGS, key_id="")
    first = Ledger(out, random)
    first.write("{}")
    first.close()
    again = Ledger(out, random)
    again.close()
    assert (first.other_random_key, again.other_random_key) == (False, True)
