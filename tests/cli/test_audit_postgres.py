"""The commands of the audit log over a PostgreSQL database, whose password they never show."""

from pathlib import Path

import pytest

from privguard.audit.sinks import open_store
from tests.cli.audit_logs import RECORD, invoke
from tests.postgres import MARKS, database, execute, postgres

__all__ = ["database", "postgres"]


def test_every_command_takes_the_url_and_shows_no_password(database: str, tmp_path: Path) -> None:
    store = open_store(database)
    for _ in range(3):
        store.write(RECORD)
    store.close()
    env = {"PRIVGUARD_AUDIT": database}
    report = ("report", "--out", str(tmp_path / "r.html"), "--csv", str(tmp_path / "r.csv"))
    said = {
        command[0]: invoke(*command, env=env)
        for command in (
            ("show",),
            ("verify",),
            report,
            ("export", "--out", str(tmp_path / "e.jsonl")),
            ("purge", "--before", "2031-04-06", "--dry-run"),
            ("purge", "--before", "2031-04-06"),
        )
    }
    assert {result.exit_code for result in said.values()} == {0}
    assert "3 records, no fault" in said["verify"].stdout
    assert "3 rows erased" in said["purge"].stdout
    assert "3 records, no fault" in invoke("verify", "--path", str(tmp_path / "e.jsonl")).stdout
    assert invoke("checkpoint", env=env).exit_code == 2
    written = "".join(result.output for result in said.values()) + (tmp_path / "r.html").read_text(encoding="utf-8")
    assert [mark for mark in MARKS if mark in written] == []


@pytest.mark.parametrize("damage", ["", "?host=/nowhere", "://"], ids=["no-log", "no-server", "no-url"])
def test_what_cannot_be_read_is_exit_code_2_without_the_password(database: str, damage: str) -> None:
    url = {"": database, "?host=/nowhere": "postgresql://ada:Canary@/audit?host=/nowhere"}.get(
        damage, "mysql://ada:Canary@db.example/audit"
    )
    for command in ("show", "verify", "export", "checkpoint"):
        result = invoke(command, "--path", url)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert [mark for mark in MARKS if mark in result.output] == []


def test_faults_are_told_as_for_a_file(database: str) -> None:
    store = open_store(database)
    store.write(RECORD)
    store.close()
    execute(database, "UPDATE privguard_audit_rows SET line = replace(line, 'REDACT', 'RETAIN') WHERE seq = 1")
    result = invoke("verify", "--path", database)
    assert (result.exit_code, result.stdout) == (1, "row 1 was changed\n")
