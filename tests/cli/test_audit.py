"""What all commands of `privguard audit` promise."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from privguard.audit.sinks import open_store
from tests.cli.audit_logs import CANARY, MARKS, RECORD, invoke, write_log


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_log(tmp_path / str(request.param))


def test_an_empty_log_has_no_requests_and_no_faults(tmp_path: Path) -> None:
    open_store(tmp_path / "audit.sqlite").close()
    assert invoke("show", "--path", str(tmp_path / "audit.sqlite")).stdout == "no requests\n"
    assert "0 records, no fault" in invoke("verify", "--path", str(tmp_path / "audit.sqlite")).stdout


@pytest.mark.parametrize("command", ["show", "verify"])
def test_what_cannot_be_read_is_exit_code_2(tmp_path: Path, command: str) -> None:
    for path in (str(tmp_path / "none.sqlite"), str(tmp_path), "off", "memory:"):
        result = invoke(command, "--path", path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1


def test_the_setting_of_the_library_is_the_setting_of_the_command(log: Path) -> None:
    assert "4 records" in invoke("verify", env={"PRIVGUARD_AUDIT": str(log)}).stdout
    if log.suffix == ".sqlite":
        assert "4 records" in invoke("verify", env={"PRIVGUARD_AUDIT": f"sqlite:///{log}"}).stdout


def test_content_that_someone_wrote_into_the_log_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    sink = open_store(path)
    for _ in range(3):
        sink.write(RECORD)
    sink.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for old in ("gpt-5-mini", "rules/name", "messages[0].content[1].text", "default:1f2e3d4c", "need-table/1"):
            hostile = json.dumps(CANARY)[1:-1]
            connection.execute("UPDATE rows SET line = replace(line, ?, ?) WHERE seq = 1", (old, hostile))
        connection.execute("UPDATE rows SET line = ? WHERE seq = 2", (CANARY,))
        connection.execute("UPDATE rows SET line = replace(line, '\"v\":2', '\"v\":9') WHERE seq = 3")
    for arguments in (("show",), ("show", "--json"), ("show", "--request", "5f"), ("verify",)):
        result = invoke(*arguments, "--path", str(path))
        assert not [mark for mark in MARKS if mark in result.output]
        assert result.output
        if "show" in arguments:
            assert "2 rows could not be read" in result.stderr


def test_what_a_hostile_record_holds_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = open_store(path)
    hostile = replace(RECORD.decisions[0], path=CANARY, source=CANARY, placeholder_id=CANARY)
    sink.write(replace(RECORD, target=CANARY, route=CANARY, error=CANARY, decisions=(hostile,)))
    sink.close()
    for arguments in (("show",), ("show", "--json"), ("show", "--request", RECORD.request_id), ("verify",)):
        result = invoke(*arguments, "--path", str(path))
        assert result.exit_code == 0
        assert not [mark for mark in MARKS if mark in result.output]
