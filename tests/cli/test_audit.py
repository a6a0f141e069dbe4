"""`privguard audit show` and `privguard audit verify`, as a user sees them."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from privguard.audit.sinks import open_sink
from privguard.cli.audit import app
from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Match, Outcome, RestoreEvent

KEY = "an invented audit key"
CANARY = "Ada Roth [red]\x1b[2J +1-202-555-0143"
MARKS = ("Ada", "Roth", "\x1b", "555-0143")

RECORD = AuditRecord(
    request_id="5f0c9a7be1d24c3f",
    at="2031-04-05T06:07:08.250000+00:00",
    route="chat.completions",
    target="gpt-5-mini",
    theta=1.25,
    target_provenance="published",
    profile_id="default:1f2e3d4c",
    artifact_ids=("rules/1", "need-table/1"),
    outcome=Outcome.DONE,
    decisions=tuple(
        DecisionRecord(
            path="messages[0].content[1].text",
            kind=kind,
            source="rules/name",
            action=action,
            reason="need",
            length=8,
            p_survive=0.973,
            placeholder_id="7QK2" if action == "REDACT" else "",
        )
        for kind, action in (("PERSON", "REDACT"), ("ORGANIZATION", "REDACT"), ("LOCATION", "RETAIN"))
    ),
    events=(
        RestoreEvent(
            event=Event.RESTORED,
            path="choices[0].message.content",
            placeholder_id="7QK2",
            kind="PERSON",
            match=Match.EXACT,
            count=4,
        ),
        RestoreEvent(event=Event.REFUSED, path="choices[0].message.content", kind="PERSON", cause=Cause.URL),
    ),
    stage_ms={"detect": 1.5, "render": 0.25},
)


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a log with one request of each outcome."""
    path = tmp_path / str(request.param)
    sink = open_sink(path)
    for number, outcome in enumerate(Outcome):
        error = "RateLimitError" if outcome is Outcome.FAILED else ""
        sink.write(replace(RECORD, request_id=f"{number}a7be1d24c3f5f0c", outcome=outcome, error=error))
    sink.close()
    return path


def invoke(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Run the command at 80 columns."""
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80", "PRIVGUARD_AUDIT": None, **(env or {})})


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


def test_an_empty_log_has_no_requests_and_no_faults(tmp_path: Path) -> None:
    open_sink(tmp_path / "audit.sqlite").close()
    assert invoke("show", "--path", str(tmp_path / "audit.sqlite")).stdout == "no requests\n"
    assert "0 records, no fault" in invoke("verify", "--path", str(tmp_path / "audit.sqlite")).stdout


def test_verify_says_that_all_is_well_and_where_the_log_ends(log: Path) -> None:
    result = invoke("verify", "--path", str(log))
    assert result.exit_code == 0
    assert "4 records, no fault" in result.stdout
    assert "ends with row 4, hash " in result.stdout
    assert "without a key" in result.stdout


def test_verify_lists_every_fault_and_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = open_sink(path)
    for _ in range(9):
        sink.write(RECORD)
    sink.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"REDACT", b"RETAIN")
    path.write_bytes(b"".join([*lines[:4], *lines[6:8], lines[1]]))
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "row 1 stands there more than once",
        "row 2 was changed",
        "rows 4 to 5 are missing",
        "rows 8 to 9 are missing at the end",
    ]


def test_verify_speaks_of_the_head_of_unfinished_lines_and_of_foreign_rows(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = open_sink(path)
    sink.write(RECORD)
    sink.close()
    with path.open("ab") as file:
        file.write(b'{"seq":2')
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 0
    assert "an unfinished line stands before row 2" in result.stdout
    assert "1 record, no fault" in result.stdout
    foreign = path.read_bytes().splitlines()[1].replace(b'"seq":1', b'"seq":77')
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + foreign + b"\n" + path.read_bytes())
    path.with_name("audit.jsonl.head").write_bytes(b"?")
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 1
    assert "the head of the log is missing" in result.stdout
    assert "something that is no row" in result.stdout


def test_verify_needs_the_key_of_a_keyed_log(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    sink = open_sink(path, KEY.encode())
    sink.write(RECORD)
    sink.close()
    assert invoke("verify", "--path", str(path)).exit_code == 2
    good = invoke("verify", "--path", str(path), env={"PRIVGUARD_AUDIT_KEY": KEY})
    assert good.exit_code == 0
    assert "without a key" not in good.stdout
    assert invoke("verify", "--path", str(path), "--key-env", "OTHER", env={"OTHER": KEY}).exit_code == 0
    wrong = invoke("verify", "--path", str(path), env={"PRIVGUARD_AUDIT_KEY": f"{KEY}!"})
    assert wrong.exit_code == 1
    assert "was the log written with this key?" in wrong.stdout
    for env in ({"PRIVGUARD_AUDIT_KEY": "short"}, {}):
        unset = invoke("verify", "--path", str(path), *(() if env else ("--key-env", "UNSET")), env=env)
        assert unset.exit_code == 2
        assert "short" not in unset.output


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
    sink = open_sink(path)
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
    sink = open_sink(path)
    hostile = replace(RECORD.decisions[0], path=CANARY, source=CANARY, placeholder_id=CANARY)
    sink.write(replace(RECORD, target=CANARY, route=CANARY, error=CANARY, decisions=(hostile,)))
    sink.close()
    for arguments in (("show",), ("show", "--json"), ("show", "--request", RECORD.request_id), ("verify",)):
        result = invoke(*arguments, "--path", str(path))
        assert result.exit_code == 0
        assert not [mark for mark in MARKS if mark in result.output]


@pytest.mark.parametrize("width", ["80", "100", "160"])
def test_no_word_of_the_table_is_broken_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    path = tmp_path / "audit.sqlite"
    sink = open_sink(path)
    sink.write(replace(RECORD, route="openai.chat.completions", profile_id="default:1f2e3d4c5b6a"))
    sink.close()
    monkeypatch.setenv("COLUMNS", width)
    words = invoke("show", "--path", str(path)).stdout.split()
    assert {"1f2e3d4c5b6a", "default:1f2e3d4c5b6a"} & set(words)
    assert {"completions", "openai.chat.completions", "chat.completions"} & set(words)
