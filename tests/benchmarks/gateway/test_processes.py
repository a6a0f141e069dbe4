"""Processes that are started for a measurement."""

import socket
import sys

import pytest

from benchmarks.gateway.processes import held_port, serve_command, started

PRINTS = "import sys; print('one'); print('at http://x.example/v1', flush=True); print('y' * 200000); sys.stdin.read()"


def test_the_url_is_that_of_the_line_and_the_process_ends_with_the_block() -> None:
    with started([sys.executable, "-c", PRINTS]) as url:
        assert url == "http://x.example/v1"


def test_a_process_that_ends_at_once_says_why() -> None:
    with pytest.raises(RuntimeError, match="no such thing"), started([sys.executable, "-c", "print('no such thing')"]):
        pass


def test_a_system_is_the_rules_or_a_model(tmp_path: object) -> None:
    rules = serve_command("rules", "http://x.example/v1", profiles=tmp_path)  # type: ignore[arg-type]
    model = serve_command("tiny", "http://x.example/v1", profiles=tmp_path)  # type: ignore[arg-type]
    assert rules[-2:] == ["--detector", "rules"]
    assert model[-2:] == ["--model", "tiny"]


def test_a_held_port_is_given_to_nobody_and_listened_on_by_who_asks_for_it() -> None:
    with held_port() as port, held_port() as other:
        assert port != other
        with pytest.raises(OSError, match="in use"), socket.socket() as stranger:
            stranger.bind(("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)) as server, socket.create_connection(("127.0.0.1", port)):
            assert server.getsockname()[1] == port
