"""`privguard serve` as a process of its own: what it prints, and how it starts and ends."""

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import openai
import pytest
from typer.testing import CliRunner

from privguard.audit import verify_file
from privguard.cli import app
from privguard.testing import Canary, ModelServer, find_canaries

EMAIL, CARD = Canary.email().value, Canary.card().value
PROMPT = f"Write to {EMAIL} about card {CARD}."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


class Running:
    """One process."""

    def __init__(self, process: subprocess.Popen[str], base_url: str, told: list[str]) -> None:
        self.process, self.base_url, self.told = process, base_url, told

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; return the exit code once everything that was printed is in `told`."""
        self.process.send_signal(number)
        assert self.process.stderr is not None
        self.told += self.process.stderr
        return self.process.wait(30)


@contextmanager
def running(*options: str, **environment: str) -> Iterator[Running]:
    command = [sys.executable, "-m", "privguard", "serve", "--port", "0", "--detector", "rules", *options]
    chosen = {key: value for key, value in os.environ.items() if not key.startswith("PRIVGUARD_")} | environment
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=chosen)
    assert process.stderr is not None
    told: list[str] = []
    try:
        for line in process.stderr:
            told.append(line)
            if "listening on" in line:
                break
        yield Running(process, told[-1].split()[-1], told)
    finally:
        process.kill()
        process.wait(30)
        process.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_records_and_ends_cleanly(server: ModelServer, tmp_path: Path, number: int) -> None:
    audit = tmp_path / "audit.sqlite"
    key = {"MY_KEY": "a key of sixteen characters"}
    with running("--upstream", server.base_url, "--audit", str(audit), "--key-env", "MY_KEY", **key) as gateway:
        with openai.OpenAI(api_key="sk-caller", base_url=gateway.base_url, max_retries=0) as client:
            reply = client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": PROMPT}])
        assert reply.choices[0].message.content == PROMPT
        assert gateway.end(number) == 0
    printed = "".join(gateway.told)
    assert "POST openai.chat.completions 200" in printed
    assert printed.rstrip().endswith("stopped")
    assert "no key is set" not in printed
    for blob in (printed.encode(), server.wire, audit.read_bytes()):
        assert find_canaries(blob, [EMAIL, CARD]) == []
    assert "sk-caller" not in printed
    assert verify_file(audit).ok


def test_without_a_key_it_says_that_placeholders_change(server: ModelServer) -> None:
    with running("--upstream", server.base_url, "--audit", "off") as gateway:
        connection = http.client.HTTPConnection(gateway.base_url.split("/")[2], timeout=30)
        connection.request("GET", "/readyz")
        assert connection.getresponse().status == 200
        connection.close()
        assert gateway.end() == 0
    assert "no key is set" in "".join(gateway.told)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--upstream", "nonsense"], "upstream"),
        (["--upstream", "http://127.0.0.1:1/v1", "--host", "192.0.2.1"], "--allow-public"),
        (["--upstream", "http://127.0.0.1:1/v1", "--model", "nowhere"], "nowhere"),
        (["--upstream", "http://127.0.0.1:1/v1", "--profiles", "nowhere.toml"], "nowhere.toml"),
        (["--upstream", "http://127.0.0.1:1/v1", "--audit", "nowhere.txt"], "audit"),
        (["--upstream", "http://127.0.0.1:1/v1", "--key-env", "NOWHERE"], "NOWHERE"),
    ],
)
def test_a_wrong_setting_is_told_at_the_start(options: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--detector", "rules", *options])
    assert done.exit_code == 2
    assert told in done.output


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "uvicorn" else object())
    done = CliRunner().invoke(app, ["serve", "--upstream", "http://127.0.0.1:1/v1"])
    assert done.exit_code == 2
    assert "uvicorn" in done.output
    assert "privguard[gateway]" in done.output


def test_its_help_loads_no_server() -> None:
    code = (
        "import sys, runpy; sys.argv = ['privguard', 'serve', '--help']\n"
        "try: runpy.run_module('privguard', run_name='__main__')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--upstream" in done.stdout
    assert {"uvicorn", "starlette", "httpx2", "prometheus_client"}.isdisjoint(done.stderr.split())
