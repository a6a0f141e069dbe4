import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from privguard.cli import app
from privguard.testing import Canary, find_canaries

EMAIL, SECRET = Canary.email(42), Canary.secret(42)
TEXT = f"Grüße \U0001f600, write to {EMAIL.value}, the token is {SECRET.value}."


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("PRIVGUARD_KEY", "PRIVGUARD_PROFILES", "PRIVGUARD_AUDIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "state").exists(), "a dry run wrote a record"


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(app, ["minimize", *arguments], input=stdin)


def test_one_json_object_describes_what_would_leave() -> None:
    report = json.loads(run("--json", "--target", "gpt-5", stdin=TEXT).stdout)
    assert find_canaries(report["minimized"].encode(), [EMAIL, SECRET]) == []
    assert (report["target"]["name"], report["target"]["known"]) == ("gpt-5", True)
    assert {TEXT[span["start"] : span["end"]] for span in report["spans"]} == {EMAIL.value, SECRET.value}
    assert all(span["message"] is None for span in report["spans"])


def test_the_picture_names_actions_reasons_and_an_unknown_model(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text(TEXT, encoding="utf-8")
    shown = run("prompt.txt", "--target", "no-such-model").stdout
    for word in ("unknown model", "original", "minimized", "REDACT", "floor", "[SECRET_", "nothing was sent"):
        assert word in shown


def test_the_picture_tells_what_no_model_can_read(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Karin met ნინო", encoding="utf-8")
    assert "not read: 4 characters" in run("prompt.txt", "--target", "gpt-5").stdout
    assert "not read" not in run("prompt.txt", "--target", "gpt-5", "--profile", "strict").stdout


def test_the_same_key_gives_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "0123456789abcdef")
    keyed = [run("--json", "-t", "m", "--key-env", "MY_KEY", stdin=TEXT).stdout for _ in range(2)]
    assert keyed[0] == keyed[1]
    assert run("--json", "-t", "m", stdin=TEXT).stdout != keyed[0]


def test_a_data_set_is_minimized_and_a_bad_row_makes_the_exit_code_one(tmp_path: Path) -> None:
    rows = [
        json.dumps({"id": 1, "text": TEXT}),
        json.dumps({"id": 2, "text": [TEXT]}),
        json.dumps({"id": 3, "text": "x"}),
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(rows), encoding="utf-8")
    result = run("--jsonl", "in.jsonl", "--out", "out.jsonl", "--target", "gpt-5")
    assert result.exit_code == 1
    assert "line 2: text is not a string" in result.stderr
    written = (tmp_path / "out.jsonl").read_bytes()
    assert [json.loads(line)["id"] for line in written.splitlines()] == [1, 3]
    assert find_canaries(written + result.output.encode(), [EMAIL, SECRET]) == []


def test_a_data_set_flows_from_standard_input_to_standard_output() -> None:
    result = run("--jsonl", "-", "-t", "m", stdin=json.dumps({"id": "a", "text": TEXT}) + "\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["id"] == "a"
    assert "1 rows written" in result.stderr


def test_standard_input_does_not_overwrite_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert run("--jsonl", "-", "-o", "out", "-t", "m").exit_code == 2
    assert (tmp_path / "out").read_text() == "mine"
    assert run("--jsonl", "-", "-o", "out", "-t", "m", "--fresh", stdin='{"id": 1, "text": "x"}').exit_code == 0
    assert (tmp_path / "out").read_text().startswith('{"id": 1')


@pytest.mark.parametrize(
    ("arguments", "stdin", "told"),
    [
        ((TEXT, "-t", "m"), b"", "FILE cannot be read"),
        (("-t", "m"), b"\xff", "not UTF-8 at byte 0"),
        (("-t", "m", "--profile", "nope"), b"x", "profile"),
        (("-t", "m", "--profiles", "missing.toml"), b"x", "missing.toml"),
        (("-t", "m", "--key-env", "NOPE"), b"x", "NOPE"),
        (("-t", "m", "--out", "x"), b"x", "go with --jsonl"),
        (("-t", "m", "--jsonl", "in", "--json"), b"", "neither"),
        (("-t", "m", "--jsonl", "in", "--out", "out"), b"", "in cannot be read"),
    ],
)
def test_a_wrong_call_is_one_line_without_content(arguments: tuple[str, ...], stdin: bytes, told: str) -> None:
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert told in result.stderr
    assert find_canaries(result.stderr.encode(), [EMAIL, SECRET]) == []


def test_a_detector_without_names_can_be_asked_for() -> None:
    report = json.loads(run("--json", "--target", "gpt-5", "--detector", "rules", stdin=TEXT).stdout)
    assert report["artifacts"][0] == "rules-1+secrets-1"
    assert find_canaries(report["minimized"].encode(), [EMAIL, SECRET]) == []


def artifacts(*options: str) -> set[str]:
    return set(json.loads(run("--json", "-t", "m", *options, stdin=TEXT).stdout)["artifacts"])


def test_the_model_that_is_named_is_the_one_at_work() -> None:
    by_name = {name: artifacts("--model", name) for name in ("tiny", "off")}
    assert any("tiny" in one for one in by_name["tiny"])
    assert not any("tiny" in one or "small" in one for one in by_name["off"])


@pytest.mark.parametrize("data_set", [False, True], ids=["text", "data set"])
@pytest.mark.parametrize(
    ("options", "said"),
    [(("--model", "nothing"), "shipped:"), (("--device", "abacus"), "auto, cpu, cuda")],
    ids=["model", "device"],
)
def test_a_model_or_device_that_is_not_there_is_one_line(
    options: tuple[str, ...], said: str, data_set: bool, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "x"}\n')
    rows = ("--jsonl", "in.jsonl", "--out", "out.jsonl") if data_set else ()
    result = run("-t", "m", *options, *rows, stdin=TEXT)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "out.jsonl").exists()
