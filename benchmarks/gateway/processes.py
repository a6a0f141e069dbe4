"""Gateways and servers in processes of their own."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

KEY = "a key for benchmarks, no secret!"


@contextmanager
def started(
    command: Sequence[str], marker: str = "http", environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Start a process, and yield the URL at the end of the line that holds `marker`; end it at the end.

    Raises:
        RuntimeError: it ended without such a line; what it printed is told.
    """
    pipe = subprocess.PIPE
    merged = os.environ | dict(environment or {})
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=merged)
    assert process.stdin is not None
    assert process.stdout is not None
    printed: list[str] = []
    # Somebody must go on reading, or the process waits once the pipe is full.
    rest = Thread(target=process.stdout.read)
    try:
        for line in process.stdout:
            printed.append(line)
            if marker in line:
                break
        else:
            raise RuntimeError("the process ended at its start: " + " ".join(printed))
        rest.start()
        yield printed[-1].split()[-1]
    finally:
        process.stdin.close()
        process.terminate()
        process.wait(60)
        if rest.is_alive():
            rest.join()
        process.stdout.close()


def serve_command(system: str, upstream: str, *, profiles: Path, port: int = 0) -> list[str]:
    """Return the command of a gateway that records into nothing.

    Args:
        system: "rules", or the name or the folder of a model.
        upstream: base URL of the model server.
        profiles: the profile file.
        port: 0 for any that is free.
    """
    chosen = ["--detector", "rules"] if system == "rules" else ["--model", system]
    options = ["--upstream", upstream, "--port", str(port), "--audit", "off", "--profiles", str(profiles)]
    return [sys.executable, "-m", "privguard", "serve", *options, *chosen]


@contextmanager
def gateway(system: str, upstream: str, *, profiles: Path) -> Iterator[str]:
    """Start a gateway and yield its base URL."""
    command = serve_command(system, upstream, profiles=profiles)
    with started(command, "listening on", {"PRIVGUARD_KEY": KEY}) as url:
        yield url


@contextmanager
def held_port() -> Iterator[int]:
    """Yield a port of the loopback interface that the system gives to nobody else meanwhile.

    A server takes long to start: until it asks for the port that it was told, many others have asked for some free one.
    It can listen on the port that is held here if it sets SO_REUSEADDR, as servers do.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        yield port
