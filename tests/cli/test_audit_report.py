"""`privguard audit report`, as a user sees it."""

import csv
import json
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from privguard.audit.signing import write_key_pair
from privguard.audit.sinks import open_store
from tests.cli.audit_logs import CANARY, KEY, MARKS, RECORD, invoke, write_log


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_log(tmp_path / str(request.param))


def numbers(path: Path) -> dict[tuple[str, str, str], int]:
    """Read a CSV."""
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["table"], row["row"], row["column"]): int(row["count"]) for row in csv.DictReader(file)}


def test_a_page_and_its_numbers_are_written_for_their_owner_alone(log: Path, tmp_path: Path) -> None:
    out, table = tmp_path / "report.html", tmp_path / "report.csv"
    result = invoke("report", "--path", str(log), "--out", str(out), "--csv", str(table))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "4 requests in" in result.stderr
    assert "The chain is whole" in out.read_text(encoding="utf-8")
    found = numbers(table)
    assert found["types", "PERSON", "redacted"] == 3  # nothing of the blocked request left
    assert found["models", "gpt-5-mini", "requests"] == 4
    assert found["restorations", "exact", "restored"] == 16
    assert found["refusals", "url", "refused"] == 4
    assert {stat.S_IMODE(file.stat().st_mode) for file in (out, table)} == {0o600}


def test_an_export_gives_the_same_report(log: Path, tmp_path: Path) -> None:
    assert invoke("export", "--path", str(log), "--out", str(tmp_path / "e.jsonl")).exit_code == 0
    for name, path in (("a", log), ("b", tmp_path / "e.jsonl")):
        out = ("--out", str(tmp_path / f"{name}.html"), "--csv", str(tmp_path / f"{name}.csv"))
        assert invoke("report", "--path", str(path), *out).exit_code == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_days_limit_the_figures_and_not_the_verification(tmp_path: Path) -> None:
    store = open_store(tmp_path / "audit.sqlite")
    for day in (4, 5, 6, 7):
        store.write(replace(RECORD, at=f"2031-04-0{day}T23:00:00Z"))
    store.close()
    out = (
        "--path",
        str(tmp_path / "audit.sqlite"),
        "--out",
        str(tmp_path / "r.html"),
        "--csv",
        str(tmp_path / "r.csv"),
    )
    assert invoke("report", *out, "--since", "2031-04-05", "--until", "2031-04-06").exit_code == 0
    found = numbers(tmp_path / "r.csv")
    assert {key[1]: value for key, value in found.items() if key[0] == "time" and key[2] == "requests"} == {
        "2031-04-05": 1,
        "2031-04-06": 1,
    }
    assert "4 records of requests" in (tmp_path / "r.html").read_text(encoding="utf-8")
    for wrong in (("--since", "5 April"), ("--since", "2031-04-06", "--until", "2031-04-05")):
        result = invoke("report", *out, *wrong)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


def test_the_report_of_a_log_with_faults_is_written_and_exits_with_1(tmp_path: Path) -> None:
    path = write_log(tmp_path / "audit.jsonl")
    path.write_bytes(path.read_bytes().replace(b"REDACT", b"RETAIN", 1))
    result = invoke("report", "--path", str(path), "--out", str(tmp_path / "r.html"))
    assert result.exit_code == 1
    assert "faults" in result.stderr
    assert "row 1 was changed" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_keys_and_checkpoints_are_those_of_verify(tmp_path: Path) -> None:
    public, key_id = write_key_pair(tmp_path / "key")
    store = open_store(tmp_path / "audit.sqlite", KEY.encode(), signing_key=tmp_path / "key")
    store.write(RECORD)
    store.close()
    out = ("--path", str(tmp_path / "audit.sqlite"), "--out", str(tmp_path / "r.html"))
    assert invoke("report", *out).exit_code == 2
    env = {"PRIVGUARD_AUDIT_KEY": KEY}
    kept = tmp_path / "kept.json"
    kept.write_text(invoke("checkpoint", "--path", str(tmp_path / "audit.sqlite"), env=env).stdout, encoding="ascii")
    assert invoke("report", *out, "--checkpoint", str(kept), env=env).exit_code == 2
    assert invoke("report", *out, "--public-key", str(public), "--checkpoint", str(kept), env=env).exit_code == 0
    made = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Newest checkpoint that holds: row 1" in made
    assert key_id in made


def test_what_cannot_be_read_or_written_is_exit_code_2(log: Path, tmp_path: Path) -> None:
    for path, out in ((tmp_path / "none.sqlite", tmp_path / "r.html"), (log, tmp_path / "no" / "r.html")):
        result = invoke("report", "--path", str(path), "--out", str(out))
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert not out.exists()


def test_content_that_someone_wrote_into_the_log_is_in_no_report(tmp_path: Path) -> None:
    path = write_log(tmp_path / "audit.sqlite")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        hostile = json.dumps(CANARY)[1:-1]
        for old in ("gpt-5-mini", "need", "PERSON", "RateLimitError", "chat.completions", "REDACT"):
            connection.execute("UPDATE rows SET line = replace(line, ?, ?) WHERE seq > 1", (old, hostile))
        connection.execute("UPDATE rows SET line = ? WHERE seq = 2", (CANARY,))
        assert connection.execute("SELECT count(*) FROM rows WHERE instr(line, 'Ada')").fetchone() == (3,)
    out, table = tmp_path / "r.html", tmp_path / "r.csv"
    result = invoke("report", "--path", str(path), "--out", str(out), "--csv", str(table))
    assert result.exit_code == 1
    written = out.read_text(encoding="utf-8") + table.read_text(encoding="utf-8") + result.output
    assert [mark for mark in MARKS if mark in written] == []
    assert numbers(table)["models", "not told", "requests"] == 2
