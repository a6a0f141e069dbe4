"""`privguard audit show`, as a user sees it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from privguard.api import load_guard
from privguard.audit.erasing import Erasure
from privguard.audit.sinks import open_sink, open_store
from privguard.core.audit import Event, Outcome, RestoreEvent
from privguard.testing import FakeDetector
from tests.cli.audit_logs import RECORD, invoke, write_log


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_log(tmp_path / str(request.param))


def test_show_lists_the_requests_at_80_columns(log: Path) -> None:
    result = invoke("show", "--path", str(log))
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    for word in ("0a7be1d24c3f5f0c", "chat.completions", "gpt-5-mini", "default:1f2e3d4c", "2031-04-05 06:07:08"):
        assert word in result.stdout
    for word in ("1 retained", "2 redacted", "4 restored", "1 refused", "failed", "RateLimitError"):
        assert word in result.stdout
    assert "abstracted" not in result.stdout
    assert result.stdout.index("0a7be1d2") < result.stdout.index("3a7be1d2")


def test_show_takes_the_newest_and_filters_by_outcome(log: Path) -> None:
    newest = invoke("show", "--path", str(log), "--last", "1").stdout
    assert "3a7be1d24c3f5f0c" in newest
    assert "2a7be1d24c3f5f0c" not in newest
    blocked = invoke("show", "--path", str(log), "--outcome", "blocked").stdout
    assert "blocked" in blocked
    assert "done" not in blocked
    assert invoke("show", "--path", str(log), "--request", "1a", "--outcome", "failed").exit_code == 1


def test_show_tells_all_of_one_request_by_the_start_of_its_id(log: Path) -> None:
    result = invoke("show", "--path", str(log), "--request", "3a7b")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    for word in ("theta 1.25, published", "need-table/1", "detect 1.5 ms", "ORGANIZATION", "RETAIN", "0.97", "7QK2"):
        assert word in result.stdout
    for word in ("restored", "exact", "refused", "url", "RateLimitError"):
        assert word in result.stdout


def test_show_of_an_unknown_request_says_so(log: Path) -> None:
    result = invoke("show", "--path", str(log), "--request", "zz")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no request" in result.stderr


def test_show_json_is_one_record_a_line(log: Path) -> None:
    result = invoke("show", "--path", str(log), "--json")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [document["outcome"] for document in documents] == [outcome.value for outcome in Outcome]
    assert documents[0]["decisions"][0]["action"] == "REDACT"


@pytest.mark.parametrize("width", ["80", "100", "160"])
def test_no_word_of_the_table_is_broken_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    path = tmp_path / "audit.sqlite"
    sink = open_store(path)
    sink.write(replace(RECORD, route="openai.chat.completions", profile_id="default:1f2e3d4c5b6a"))
    sink.close()
    monkeypatch.setenv("COLUMNS", width)
    words = invoke("show", "--path", str(path)).stdout.split()
    assert {"1f2e3d4c5b6a", "default:1f2e3d4c5b6a"} & set(words)
    assert {"completions", "openai.chat.completions", "chat.completions"} & set(words)


def test_show_passes_over_what_the_log_says_of_itself_and_tells_what_was_erased(log: Path) -> None:
    sink = open_sink(log)
    sink.write(replace(RECORD, request_id="ffff"))
    sink.close()
    store = open_store(log)
    assert store.erase(Erasure(request="1a7be1d24c3f5f0c")) == 1
    store.close()
    result = invoke("show", "--path", str(log), "--json")
    ids = [json.loads(line)["request_id"] for line in result.stdout.splitlines()]
    assert ids == ["0a7be1d24c3f5f0c", "2a7be1d24c3f5f0c", "3a7be1d24c3f5f0c", "ffff"]
    assert result.stderr == "1 row had been erased\n"
    assert json.loads(invoke("show", "--path", str(log), "--last", "1", "--json").stdout)["request_id"] == "ffff"


def test_show_tells_what_the_model_brought_by_itself(tmp_path: Path) -> None:
    brought = RestoreEvent(event=Event.REDACTED, path="choices[0].message.content", kind="EMAIL", length=17, count=2)
    store = open_store(tmp_path / "audit.sqlite")
    store.write(replace(RECORD, events=(brought,)))
    store.close()
    result = invoke("show", "--path", str(tmp_path / "audit.sqlite"), "--request", RECORD.request_id)
    assert {"redacted", "EMAIL", "17", "2"} <= set(result.stdout.split())


@pytest.mark.parametrize("target", ["", "gpt-5-mini"])
def test_show_of_a_refused_request_tells_nothing_of_a_target_that_is_not_known(tmp_path: Path, target: str) -> None:
    sink = open_sink(tmp_path / "audit.jsonl")
    load_guard(detector=FakeDetector({}), audit=sink, profiles={}).block(
        route="POST files", error=KeyError(), target=target
    )
    sink.close()
    lines = invoke("show", "--path", str(tmp_path / "audit.jsonl"), "--request", "").stdout.splitlines()
    told = [line.split() for line in lines if line.startswith("target")]
    assert told == ([["target", target]] if target else [])
    assert not any("theta" in line for line in lines)
