"""The loop that peers answer in, and the client that asks."""

import io
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.peers.catalogue import PEERS, kind_named
from benchmarks.peers.client import PeerProcess
from benchmarks.peers.serving import Spans, serve
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError


def answers(monkeypatch: pytest.MonkeyPatch, requests: Iterable[object]) -> list[dict[str, object]]:
    def detect(text: str) -> Spans:
        if text == "fail":
            raise ValueError(text)
        return [(0, 3, "PERSON", 0.9)]

    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(map(json.dumps, requests)) + "\n"))
    monkeypatch.setattr(sys, "stdout", out)
    serve(lambda: ("toy 1", detect))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_peer_says_hello_then_answers_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    hello, answer = answers(monkeypatch, [{"text": "Ada \ud83d", "repeat": 3}])
    assert hello["version"] == "toy 1"
    assert answer["spans"] == [[0, 3, "PERSON", 0.9]]
    assert len(answer["ms"]) == 3  # type: ignore[arg-type]  # JSON


def test_a_failure_is_told_by_its_class_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    _, failed, answer = answers(monkeypatch, [{"text": "fail"}, {"text": "Ada"}])
    assert failed == {"error": "ValueError"}
    assert answer["spans"]


def test_a_peer_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("benchmarks.peers.catalogue.HOME", tmp_path)
    with pytest.raises(ConfigError, match=r"python -m benchmarks\.peers\.install"):
        PeerProcess(replace(PEERS["rampart"], environment="absent"))


def test_labels_of_every_peer_have_a_type_of_ours() -> None:
    assert kind_named("GIVEN_NAME") is EntityType.PERSON
    assert kind_named("NRP") is EntityType.ORIGIN
    assert kind_named("SOMETHING_NEW") is EntityType.MISC
