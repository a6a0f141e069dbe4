"""Where `privguard audit export` and `report` write."""

import os
import stat
from pathlib import Path

import pytest

from privguard.audit.read import verify_file
from privguard.cli.audit_out import new_file
from tests.cli.audit_logs import invoke, write_log

ENDINGS = ("", ".head", ".checkpoints", "-wal", "-shm", "-journal")


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return write_log(folder / str(request.param))


def files_of(folder: Path) -> dict[str, bytes]:
    """Return what stands in a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize("command", [("export",), ("report",), ("report", "--csv")], ids=["export", "page", "csv"])
def test_no_output_stands_in_the_place_of_the_log(
    log: Path, tmp_path: Path, command: tuple[str, ...], force: tuple[str, ...], ending: str
) -> None:
    before = files_of(log.parent)
    name, *csv = command
    out = [*csv, f"{log}{ending}", "--out", str(tmp_path / "page.html")] if csv else ["--out", f"{log}{ending}"]
    result = invoke(name, "--path", str(log), *out, *force)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "belongs to the audit log" in result.stderr
    assert files_of(log.parent) == before
    assert not (tmp_path / "page.html").exists()
    assert verify_file(log).ok


def test_other_names_of_the_log_are_the_log(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_of(log.parent)
    (tmp_path / "link").symlink_to(log)
    (tmp_path / "folder").symlink_to(log.parent)
    os.link(log, tmp_path / "hard")
    monkeypatch.chdir(log.parent)
    outs = ("../link", "../folder/" + log.name, "../hard", f"../logs/{log.name}", f"../folder/{log.name}.head")
    for out in outs:
        for path in (str(log), log.name, "../link"):
            result = invoke("export", "--path", path, "--out", out, "--force")
            assert (result.exit_code, "belongs to the audit log" in result.stderr) == (2, True)
    assert files_of(log.parent) == before


@pytest.mark.parametrize("command", ["export", "report"])
def test_a_file_that_is_there_is_replaced_only_by_force(log: Path, tmp_path: Path, command: str) -> None:
    out = tmp_path / "out"
    out.write_text("kept")
    arguments = (command, "--path", str(log), "--out", str(out))
    refused = invoke(*arguments)
    assert (refused.exit_code, refused.stdout, out.read_text()) == (2, "", "kept")
    assert "--force" in refused.stderr
    assert invoke(*arguments, "--force").exit_code == 0
    assert out.read_text(encoding="utf-8") != "kept"
    if os.name != "nt":
        assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_a_page_and_its_numbers_are_two_files(log: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    result = invoke("report", "--path", str(log), "--out", out, "--csv", out)
    assert (result.exit_code, "one file" in result.stderr) == (2, True)
    assert not Path(out).exists()


def test_what_fails_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("kept")
    with pytest.raises(ZeroDivisionError), new_file(out) as file:
        file.writelines(bytes([8 // left]) for left in (2, 1, 0))
    assert files_of(tmp_path) == {"out": b"kept"}


@pytest.mark.skipif(os.name == "nt", reason="there are no such devices")
def test_what_is_no_file_is_written_to_and_stays(log: Path) -> None:
    assert invoke("export", "--path", str(log), "--out", os.devnull, "--force").exit_code == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
