"""LiteLLM's proxy on the loopback interface, in processes of its own, for tests and measurements."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.gateway.processes import held_port

KEY = "sk-Vq8ZkTn2Lw7RcXy4Hs9Pd3Jm"  # of the proxy; it refuses weak ones
_PATIENCE_S = 300.0
_MODELS = {
    "chat": "openai/gpt-4o",
    "text": "text-completion-openai/gpt-3.5-turbo-instruct",
    "vectors": "openai/text-embedding-3-small",
    "claude": "anthropic/claude-sonnet-4-5",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A proxy that runs."""

    url: str
    process: subprocess.Popen[bytes] = field(repr=False)
    log: Path

    @property
    def workers(self) -> list[int]:
        """Return the processes that serve: the children that listen, without the one that watches over resources."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(each) for each in listed if "resource_tracker" not in _command(int(each))]


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return "resource_tracker"


def config(upstream: str, *, guardrails: list[dict[str, Any]], callbacks: list[str] | None = None) -> dict[str, Any]:
    """Return the configuration of a proxy before a scripted server.

    Args:
        upstream: the base URL of the server, `/v1` included.
        guardrails: as LiteLLM has them.
        callbacks: loggers, by their paths.
    """
    models = [
        {
            "model_name": name,
            "litellm_params": {
                "model": model,
                "api_base": upstream.removesuffix("/v1") if name == "claude" else upstream,
                "api_key": "key",
                "max_retries": 0,
            },
        }
        for name, model in _MODELS.items()
    ]
    return {
        "model_list": models,
        "general_settings": {"master_key": KEY},
        "router_settings": {"num_retries": 0, "disable_cooldowns": True},
        "litellm_settings": {"callbacks": callbacks or [], "telemetry": False},
        "guardrails": guardrails,
    }


@contextmanager
def running(
    folder: Path, settings: Mapping[str, Any], *, workers: int, environment: Mapping[str, str]
) -> Iterator[Proxy]:
    """Run a proxy.

    Args:
        folder: where its configuration and its log are written.
        settings: its configuration.
        workers: the number of its processes.
        environment: variables beside those of this process.
    """
    with held_port() as port, _started(folder, settings, port, workers, environment) as proxy:
        yield proxy


@contextmanager
def _started(
    folder: Path, settings: Mapping[str, Any], port: int, workers: int, environment: Mapping[str, str]
) -> Iterator[Proxy]:
    written = folder / "config.yaml"
    written.write_text(json.dumps(settings))  # JSON is YAML
    log = folder / "proxy.log"
    command = [str(Path(sys.executable).with_name("litellm")), "--config", str(written), "--host", "127.0.0.1"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--num_workers", str(workers), "--timeout_worker_healthcheck", "120"],
            env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONPATH": str(Path.cwd()), **environment},
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    proxy = Proxy(url=f"http://127.0.0.1:{port}", process=process, log=log)
    try:
        _wait(proxy)
        yield proxy
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(15)


def _wait(proxy: Proxy) -> None:
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end and proxy.process.poll() is None and b"startup failed" not in proxy.log.read_bytes():
        try:
            if httpx.get(f"{proxy.url}/health/liveliness", timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError(f"the proxy did not start:\n{proxy.log.read_text(errors='replace')[-4000:]}")


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run a Redis server and yield its URL.

    Raises:
        FileNotFoundError: there is none on the path.
    """
    server = shutil.which("redis-server")
    if server is None:
        raise FileNotFoundError("redis-server")
    socket_path = folder / "redis.sock"
    process = subprocess.Popen(
        [server, "--port", "0", "--unixsocket", str(socket_path), "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 60
        while not socket_path.exists():
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("redis-server did not start")
            time.sleep(0.02)
        yield f"unix://{socket_path}"
    finally:
        process.terminate()
        process.wait(10)
