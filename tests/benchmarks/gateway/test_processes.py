"""Processes that are started for a measurement."""

import sys

import pytest

from benchmarks.gateway.processes import free_port, serve_command, started

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


def test_a_free_port_is_one() -> None:
    assert 0 < free_port() < 65536
