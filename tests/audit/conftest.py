"""Records as the guard makes them, records as it never should, and the marks to look for."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Match, Outcome, RestoreEvent
from tests.postgres import database, postgres

__all__ = ["database", "postgres"]

ROOT = Path(__file__).parents[2]
CANARY = "Ada Röth <ada@roth.example> +1-202-555-0143"
MARKS = ("Ada", "R\u00f6th", "R\\u00f6th", "ada@roth", "555-0143")


def _record(number: int = 0, outcome: Outcome = Outcome.DONE) -> AuditRecord:
    """Return an ordinary record."""
    return AuditRecord(
        request_id=f"r{number:04d}",
        at=f"2031-04-05T06:07:{number % 60:02d}.250000+00:00",
        route="chat.completions",
        target="gpt-5-mini",
        theta=1.25,
        target_provenance="published",
        profile_id="default:1f2e3d",
        artifact_ids=("rules/1", "need-table/1"),
        outcome=outcome,
        decisions=(
            DecisionRecord(
                path="messages[0].content",
                kind="PERSON",
                source="rules/name",
                action="REDACT",
                reason="need",
                length=8,
                p_survive=0.973,
                placeholder_id="7QK2",
            ),
            DecisionRecord(
                path="messages[0].content",
                kind="LOCATION",
                source="rules/place",
                action="RETAIN",
                reason="need",
                length=6,
                p_survive=0.41,
            ),
        ),
        events=(
            RestoreEvent(
                event=Event.RESTORED,
                path="choices[0].message.content",
                placeholder_id="7QK2",
                kind="PERSON",
                match=Match.EXACT,
                count=2,
            ),
            RestoreEvent(event=Event.REFUSED, placeholder_id="7QK2", kind="PERSON", cause=Cause.URL),
        ),
        stage_ms={"detect": 1.5, "render": 0.25},
    )


def _hostile_record() -> AuditRecord:
    """Return a record with content in every field that can hold a string."""
    return AuditRecord(
        request_id=CANARY,
        at=CANARY,
        route=f"POST {CANARY}",
        target="ada@roth.example",
        theta=float("nan"),
        target_provenance=CANARY,
        profile_id=CANARY,
        artifact_ids=(CANARY, "rules/1"),
        outcome=Outcome.FAILED,
        error=CANARY,
        decisions=(
            DecisionRecord(
                path=f"messages[0].{CANARY}",
                kind=CANARY,
                source=CANARY,
                action=CANARY,
                reason=CANARY,
                length=2025550143000,
                p_survive=float("inf"),
                placeholder_id="+1-202-555-0143",
            ),
        ),
        events=(RestoreEvent(event=Event.UNRESTORED, path=CANARY, placeholder_id=CANARY, kind=CANARY),),
        stage_ms={CANARY: 1.0},
    )


def marks_in(data: bytes | str) -> list[str]:
    """Return the marks of the canary that stand in the data."""
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogateescape")
    return [mark for mark in MARKS if mark in text]


@pytest.fixture
def record() -> AuditRecord:
    return _record()


@pytest.fixture
def make_record() -> Callable[..., AuditRecord]:
    return _record


@pytest.fixture
def hostile_record() -> AuditRecord:
    return _hostile_record()


@pytest.fixture
def find_marks() -> Callable[[bytes | str], list[str]]:
    return marks_in


_WRITER = """
import sys
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditRecord, DecisionRecord, Outcome

decision = DecisionRecord(path="messages[0].content", kind="PERSON", source="rules/name", action="REDACT",
                          reason="need", length=8, p_survive=0.5, placeholder_id="7QK2")
sink = open_store(sys.argv[1])
number = 0
while number < int(sys.argv[2]):
    sink.write(AuditRecord(
        request_id=f"{sys.argv[3]}-{number}", at="2031-04-05T06:07:08+00:00", route="by-hand", target="gpt-5-mini",
        theta=0.0, target_provenance="assumed", profile_id="default:1", artifact_ids=(), outcome=Outcome.DONE,
        decisions=(decision,) * 60))
    number += 1
    print(number, flush=True)
"""


@pytest.fixture
def start_writer() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start processes that append records and print how many they have written."""
    started = []

    def start(path: Path, count: int = 10**6, name: str = "w") -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(count), name], stdout=subprocess.PIPE, cwd=ROOT
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
