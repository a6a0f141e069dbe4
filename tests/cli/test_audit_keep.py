"""`privguard audit export`, `purge`, `keygen` and `checkpoint`, as a user sees them."""

import json
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from privguard.audit.read import read_records, verify_file
from privguard.audit.sinks import open_store
from tests.cli.audit_logs import KEY, RECORD, invoke, write_log


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_log(tmp_path / str(request.param))


def test_an_export_verifies_anywhere(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "elsewhere" / "out.jsonl"
    out.parent.mkdir()
    result = invoke("export", "--path", str(log), "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"5 rows in {out}" in result.stderr
    if os.name != "nt":
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "4 records, no fault" in invoke("verify", "--path", str(out)).stdout
    assert list(read_records(out)) == list(read_records(log))
    assert "0a7be1d24c3f5f0c" in invoke("show", "--path", str(out)).stdout
    shown = invoke("export", "--path", str(log))
    assert shown.stdout_bytes == out.read_bytes()
    assert all(json.loads(line) for line in shown.stdout.splitlines())


def test_an_export_that_cannot_be_written_is_exit_code_2(log: Path, tmp_path: Path) -> None:
    for out in (tmp_path, tmp_path / "none" / "out.jsonl"):
        result = invoke("export", "--path", str(log), "--out", str(out))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cannot write the export" in result.stderr


def test_requests_before_a_date_are_purged(log: Path) -> None:
    store = open_store(log)
    store.write(replace(RECORD, request_id="new", at="2031-04-06T00:00:00+00:00"))
    store.close()
    tried = invoke("purge", "--path", str(log), "--before", "2031-04-06", "--dry-run")
    assert (tried.exit_code, tried.stdout) == (0, "4 rows would be erased\n")
    assert len(list(read_records(log))) == 5
    done = invoke("purge", "--path", str(log), "--before", "2031-04-06")
    assert (done.exit_code, done.stdout) == (0, "4 rows erased\n")
    assert [record.request_id for record in read_records(log)] == ["new"]
    verdict = verify_file(log)
    assert (verdict.faults, verdict.notes, verdict.erased) == ((), (), 4)
    assert invoke("purge", "--path", str(log), "--before", "2031-04-06").stdout == "0 rows erased\n"


@pytest.mark.parametrize(("age", "erased"), [("10d", 1), ("2w", 1), ("100h", 1), ("3w", 0), ("36500d", 0)])
def test_requests_of_an_age_are_purged(tmp_path: Path, age: str, erased: int) -> None:
    path = tmp_path / "audit.sqlite"
    store = open_store(path)
    now = datetime.now(UTC)
    for name, at in (("old", now - timedelta(days=15)), ("new", now)):
        store.write(replace(RECORD, request_id=name, at=at.isoformat()))
    store.close()
    assert invoke("purge", "--path", str(path), "--older-than", age).stdout.startswith(f"{erased} row")
    assert len(list(read_records(path))) == 2 - erased


def test_one_request_is_purged_by_its_whole_id(log: Path) -> None:
    assert invoke("purge", "--path", str(log), "--request", "2a7b").stdout == "0 rows erased\n"
    assert invoke("purge", "--path", str(log), "--request", "2a7be1d24c3f5f0c").stdout == "1 row erased\n"
    assert "2a7be1d24c3f5f0c" not in invoke("show", "--path", str(log)).stdout
    assert b"2a7be1d24c3f5f0c" not in b"".join(file.read_bytes() for file in log.parent.iterdir())


def test_a_keyed_log_is_purged_with_its_key(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    store = open_store(path, KEY.encode())
    store.write(RECORD)
    store.close()
    without = invoke("purge", "--path", str(path), "--before", "2099-01-01")
    assert (without.exit_code, without.stdout) == (2, "")
    assert "another key" in without.stderr
    done = invoke("purge", "--path", str(path), "--before", "2099-01-01", env={"PRIVGUARD_AUDIT_KEY": KEY})
    assert done.stdout == "1 row erased\n"
    assert verify_file(path, KEY.encode()).ok


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--before", "2031-01-01", "--older-than", "3d"),
        ("--before", "yesterday"),
        ("--older-than", "90"),
        ("--older-than", "0d"),
        ("--older-than", "9999999d"),
        ("--older-than", "999999w"),
        ("--request", ""),
    ],
    ids=range(8),
)
def test_a_purge_that_does_not_say_what_is_refused(log: Path, arguments: tuple[str, ...]) -> None:
    result = invoke("purge", "--path", str(log), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert len(list(read_records(log))) == 4


def test_no_log_is_made_where_there_is_none(tmp_path: Path) -> None:
    key = tmp_path / "key"
    assert invoke("keygen", str(key)).exit_code == 0
    signed = {"PRIVGUARD_AUDIT_SIGNING_KEY": str(key)}
    for arguments in (("purge", "--before", "2031-01-01"), ("checkpoint",), ("export",)):
        result = invoke(*arguments, "--path", str(tmp_path / "audit.sqlite"), env=signed)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "there is no audit log" in result.stderr
    assert not list(tmp_path.glob("audit*"))


def test_keygen_makes_a_pair_and_says_what_it_is_for(tmp_path: Path) -> None:
    result = invoke("keygen", str(tmp_path / "key"))
    assert result.exit_code == 0
    for word in ("PRIVGUARD_AUDIT_SIGNING_KEY", "key.pub", "give it to whoever verifies"):
        assert word in result.stdout
    assert "PRIVATE" not in result.stdout
    again = invoke("keygen", str(tmp_path / "key"))
    assert (again.exit_code, again.stdout) == (2, "")


def test_checkpoint_prints_the_newest_and_signs_the_end_where_it_can(log: Path, tmp_path: Path) -> None:
    none = invoke("checkpoint", "--path", str(log))
    assert (none.exit_code, none.stdout) == (2, "")
    assert "PRIVGUARD_AUDIT_SIGNING_KEY" in none.stderr
    invoke("keygen", str(tmp_path / "key"))
    signed = {"PRIVGUARD_AUDIT_SIGNING_KEY": str(tmp_path / "key")}
    first = invoke("checkpoint", "--path", str(log), env=signed)
    assert json.loads(first.stdout)["seq"] == 4
    assert invoke("checkpoint", "--path", str(log), env=signed).stdout == first.stdout
    assert invoke("checkpoint", "--path", str(log)).stdout == first.stdout
