"""Logs to show, and the command that shows them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner, Result

from privguard.audit.sinks import open_store
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


def write_log(path: Path) -> Path:
    """Write a log with one request of each outcome."""
    store = open_store(path)
    for number, outcome in enumerate(Outcome):
        error = "RateLimitError" if outcome is Outcome.FAILED else ""
        store.write(replace(RECORD, request_id=f"{number}a7be1d24c3f5f0c", outcome=outcome, error=error))
    store.close()
    return path


def invoke(*arguments: str, env: Mapping[str, str | None] | None = None) -> Result:
    """Run the command at 80 columns."""
    unset = dict.fromkeys(("PRIVGUARD_AUDIT", "PRIVGUARD_AUDIT_KEY", "PRIVGUARD_AUDIT_SIGNING_KEY"))
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80", **unset, **(env or {})})
