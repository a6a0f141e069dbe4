import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from privguard.cli import app


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PRIVGUARD_KEY", "PRIVGUARD_PROFILES", "PRIVGUARD_MODEL", "PRIVGUARD_DEVICE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PRIVGUARD_AUDIT", str(tmp_path / "audit.sqlite"))
    monkeypatch.chdir(tmp_path)


def test_a_sound_installation_proves_that_the_guard_is_on() -> None:
    result = CliRunner().invoke(app, ["doctor", "--json", "--target", "gpt-5"])
    report = json.loads(result.stdout)
    checks = {check["name"]: check for check in report["checks"]}
    assert (result.exit_code, report["ok"]) == (0, True)
    assert checks["guard by hand"]["status"] == checks["guard on OpenAI"]["status"] == "ok"
    assert "theta" in checks["target"]["detail"]


def test_the_picture_says_the_same() -> None:
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0
    for word in (
        "detector",
        "need model",
        "model",
        "device",
        "profiles",
        "audit log",
        "key",
        "proxies",
        "the guard is on",
    ):
        assert word in result.stdout


def test_a_failure_changes_the_exit_code_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_KEY", "zebra")
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "-> set PRIVGUARD_KEY" in result.stdout
    assert "the guard is on" not in result.stdout
    assert "zebra" not in result.output


def test_the_model_that_is_named_is_the_one_that_is_proved() -> None:
    model = Path(__file__).parents[1] / "encoder" / "model"
    result = CliRunner().invoke(app, ["doctor", "--json", "--model", str(model), "--device", "cpu"])
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert checks["model"]["detail"].startswith("tables-1-")
    assert "tables-1-" in checks["detector"]["detail"]
