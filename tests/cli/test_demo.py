from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from privguard.cli import app


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "PRIVGUARD_KEY", "PRIVGUARD_PROFILES", "PRIVGUARD_AUDIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_demo_holds_its_promises_and_draws_itself(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["demo", "--svg", "demo.svg"])
    assert result.exit_code == 0, result.output
    assert "no model is involved" in result.stdout
    assert "BROKEN" not in result.stdout
    for word in ("asked", "left this machine", "came back", "the caller got", "REDACT", "ABSTRACT", "RETAIN"):
        assert word in result.stdout
    picture = (tmp_path / "demo.svg").read_text(encoding="utf-8")
    assert ET.fromstring(picture).tag.endswith("svg")  # noqa: S314 - our own file
    assert "url(" not in picture.replace("url(#", "")
    assert max(len(line) for line in result.stdout.splitlines()) <= 100


def test_a_picture_that_cannot_be_written_is_one_line() -> None:
    result = CliRunner().invoke(app, ["demo", "--svg", "missing/demo.svg"])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_real_provider_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 2
    assert "OPENAI_API_KEY" in result.stderr


def test_target_and_model_are_told_apart() -> None:
    result = CliRunner().invoke(app, ["demo", "--target", "gpt-5", "--model", "nothing"])
    assert result.exit_code == 2
    assert "no model is called nothing" in result.stderr
    shown = CliRunner().invoke(app, ["demo", "--target", "no-such-model"])
    assert "no-such-model" in shown.stdout
