import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from privguard.cli import app

COMMANDS = ("generate", "teacher", "student", "export")
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from privguard.cli import main
sys.argv = ["privguard", *sys.argv[1:]]
main()
"""


def run_without_torch(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "train", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_what_a_command_takes(command: str) -> None:
    result = CliRunner().invoke(app, ["train", command, "--help"])
    assert result.exit_code == 0
    assert "--data" in result.stdout
    assert "--out" in result.stdout


def test_help_works_without_torch() -> None:
    done = run_without_torch("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in COMMANDS)


@pytest.mark.parametrize(
    "options",
    [
        ("teacher",),
        ("student", "--teacher", "runs/small"),
        ("export", "--run", "runs/small", "--name", "tiny", "--version", "1"),
    ],
    ids=["teacher", "student", "export"],
)
def test_without_the_extra_a_run_says_what_to_install(options: tuple[str, ...], tmp_path: Path) -> None:
    done = run_without_torch(*options, "--data", str(tmp_path), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr.startswith("ConfigError: training needs the extras")
    assert "pip install 'privguard[train,cpu]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_generating_without_gazetteers_names_the_option(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", "generate", "--data", str(tmp_path), "--out", str(tmp_path / "g.jsonl")])
    assert result.exit_code == 2
    assert "ConfigError" in result.stderr


def test_a_round_is_at_least_one(tmp_path: Path) -> None:
    options = ["--data", str(tmp_path), "--out", str(tmp_path), "--rounds", "0"]
    assert CliRunner().invoke(app, ["train", "teacher", *options]).exit_code == 2
