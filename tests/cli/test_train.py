import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from privguard.cli import app
from privguard.research.training.folder import CORPORA, GAZETTEERS
from tests.fewer import one_in

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


RUNS = (
    ("teacher",),
    ("teacher", "--start", "small"),
    ("student", "--teacher", "runs/small"),
    ("student", "--teacher", "small", "--start", "tiny"),
    ("settle", "--student", "runs/tiny"),
    ("export", "--run", "runs/small", "--name", "tiny", "--version", "1"),
)


FURTHER = (
    *[run for run in RUNS if "--start" in run],
    ("export", "--run", "runs/mine", "--name", "mine", "--version", "1", "--start", "small"),
)
STRICT = tuple([run for run in RUNS if "--start" not in run])


def fill(data: Path) -> None:
    for name in (*CORPORA, *GAZETTEERS):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).touch()


@pytest.mark.parametrize("options", one_in(3, RUNS), ids=[" ".join(run[:1] + run[-2:]) for run in RUNS])
def test_without_the_extra_a_run_says_what_to_install(options: tuple[str, ...], tmp_path: Path) -> None:
    fill(tmp_path / "data")
    done = run_without_torch(*options, "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr.startswith("ConfigError: training needs the extras")
    assert "pip install 'privguard[train,cpu]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def mine(folder: Path) -> Path:
    folder.mkdir()
    (folder / "mine.txt").touch()
    return folder


@pytest.mark.parametrize("options", one_in(3, FURTHER), ids=[" ".join(run[:1] + run[-2:]) for run in FURTHER])
def test_a_model_that_has_learnt_makes_do_with_prompts_of_ones_own(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    folders = ("--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"))
    done = run_without_torch(*options, *folders, "--written", str(mine(tmp_path / "mine")))
    assert done.returncode == 2
    assert done.stderr.startswith("ConfigError: training needs the extras")
    done = run_without_torch(*options, *folders)
    assert done.returncode == 2
    assert "nothing to train on" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = run_without_torch(*options, *folders[2:], "--data", str(tmp_path / "nowhere"))
    assert "does not exist" in done.stderr
    if options[0] != "export":
        (tmp_path / "data" / GAZETTEERS[0]).parent.mkdir()
        (tmp_path / "data" / GAZETTEERS[0]).touch()
        done = run_without_torch(*options, *folders, "--written", str(tmp_path / "mine"))
        assert "lacks gaz_names/" in done.stderr


@pytest.mark.parametrize("options", one_in(2, STRICT), ids=[" ".join(run[:1] + run[-2:]) for run in STRICT])
def test_the_folder_is_looked_at_before_torch_is_asked_for(options: tuple[str, ...], tmp_path: Path) -> None:
    fill(tmp_path / "data")
    (tmp_path / "data" / CORPORA[-1]).unlink()
    for data, said in (("nowhere", "does not exist"), ("data", f"lacks {CORPORA[-1]}; ")):
        done = run_without_torch(*options, "--data", str(tmp_path / data), "--out", str(tmp_path / "out"))
        assert done.returncode == 2
        assert said in done.stderr
        assert "torch" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--generated", "--written"])
def test_examples_and_prompts_that_are_not_there_are_one_line(option: str, tmp_path: Path) -> None:
    fill(tmp_path / "data")
    folders = ("--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"))
    done = run_without_torch("teacher", *folders, option, str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "torch" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command", one_in(2, [("teacher",), ("student", "--teacher", "runs/small")]), ids=["teacher", "student"]
)
@pytest.mark.parametrize(
    ("start", "said"),
    [("medium", "shipped: small, tiny"), ("./nowhere", "does not exist"), ("./broken", "manifest.json")],
    ids=["name", "folder", "broken"],
)
def test_a_start_that_is_no_model_is_one_line(command: tuple[str, ...], start: str, said: str, tmp_path: Path) -> None:
    fill(tmp_path / "data")
    (tmp_path / "broken").mkdir()
    folders = ("--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "train", *command, *folders, "--start", start],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "torch" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("rate", ["0", "-1e-4", "2", "nan"])
def test_a_rate_is_above_zero_and_one_at_most(rate: str, tmp_path: Path) -> None:
    options = ["--data", str(tmp_path), "--out", str(tmp_path), "--rate", rate]
    result = CliRunner().invoke(app, ["train", "teacher", *options])
    assert result.exit_code == 2
    assert "--rate" in result.stderr


@pytest.mark.parametrize("there", [False, True], ids=["no folder", "no lists"])
def test_generating_without_lists_says_what_is_missing_and_leaves_no_file(there: bool, tmp_path: Path) -> None:
    data = tmp_path / "data"
    if there:
        data.mkdir()
    out = tmp_path / "g.jsonl"
    result = CliRunner().invoke(app, ["train", "generate", "--data", str(data), "--out", str(out)])
    assert result.exit_code == 2
    assert ("lacks gaz_names/" if there else "does not exist") in result.stderr
    assert "--data" in result.stderr
    assert set(tmp_path.iterdir()) == ({data} if there else set())


def test_a_round_is_at_least_one(tmp_path: Path) -> None:
    options = ["--data", str(tmp_path), "--out", str(tmp_path), "--rounds", "0"]
    assert CliRunner().invoke(app, ["train", "teacher", *options]).exit_code == 2
