from dataclasses import replace

import pytest

from privguard.core.audit import AuditRecord, Cause, DecisionRecord, Event, Outcome, RestoreEvent
from privguard_adapters.gateway.meters import OTHER, Meters

RECORD = AuditRecord(
    request_id="r",
    at="",
    route="openai.chat.completions",
    target="m",
    theta=0.0,
    target_provenance="",
    profile_id="",
    artifact_ids=(),
    outcome=Outcome.DONE,
    decisions=(
        DecisionRecord(
            path="messages[0].content",
            kind="PERSON",
            source="fake",
            action="REDACT",
            reason="need",
            length=8,
            p_survive=1.0,
        ),
    ),
    events=(
        RestoreEvent(event=Event.RESTORED, count=3),
        RestoreEvent(event=Event.REFUSED, cause=Cause.URL),
    ),
    stage_ms={"detect": 3.0, "need": 1.0, "render": 1.0, "restore": 100.0},
)


def figure(meters: Meters, name: str, **labels: str) -> float:
    """Return one figure of the text."""
    wanted = ",".join(f'{key}="{value}"' for key, value in labels.items())
    head = f"{name}{{{wanted}}} " if labels else f"{name} "
    found = [line.removeprefix(head) for line in meters.text().decode().splitlines() if line.startswith(head)]
    assert len(found) == 1, head
    return float(found[0])


def test_a_record_is_counted_by_route_type_and_event() -> None:
    meters = Meters()
    meters.note_record(RECORD)
    route = "openai.chat.completions"
    assert figure(meters, "privguard_requests_total", outcome="done", route=route) == 1
    assert figure(meters, "privguard_spans_total", action="REDACT", kind="PERSON") == 1
    assert figure(meters, "privguard_placeholders_total", cause="", event="restored", route=route) == 3
    assert figure(meters, "privguard_placeholders_total", cause="url", event="refused", route=route) == 1
    assert figure(meters, "privguard_protect_seconds_sum", route=route) == pytest.approx(0.005)


def test_refusals_are_counted_by_their_class() -> None:
    meters = Meters()
    refused = replace(RECORD, outcome=Outcome.BLOCKED, decisions=(), events=(), error="UnknownContentError")
    meters.note_record(refused)
    assert (
        figure(meters, "privguard_refused_requests_total", error="UnknownContentError", route="openai.chat.completions")
        == 1
    )
    assert b"privguard_protect_seconds_count{" not in meters.text()


def test_labels_come_from_closed_lists() -> None:
    meters = Meters()
    strange = replace(
        RECORD,
        route="POST threads/Ada",
        outcome=Outcome.BLOCKED,
        error="Ada",
        decisions=(replace(RECORD.decisions[0], kind="Ada"),),
    )
    meters.note_record(strange)
    assert b"Ada" not in meters.text()
    assert figure(meters, "privguard_refused_requests_total", error=OTHER, route=OTHER) == 1


def test_requests_in_and_out() -> None:
    meters = Meters()
    meters.begin()
    meters.begin()
    meters.end("openai.models", status=200, left=False, first_s=0.5, whole_s=1.0)
    assert figure(meters, "privguard_open_requests") == 1
    assert figure(meters, "privguard_responses_total", route="openai.models", status="200") == 1
    assert figure(meters, "privguard_first_byte_seconds_sum", route="openai.models") == 0.5
    meters.end("openai.models", status=0, left=True, first_s=None, whole_s=2.0)
    assert figure(meters, "privguard_callers_left_total", route="openai.models") == 1
    assert figure(meters, "privguard_request_seconds_sum", route="openai.models") == 3.0
    assert figure(meters, "privguard_first_byte_seconds_count", route="openai.models") == 1


def test_every_registry_is_its_own() -> None:
    first, second = Meters(), Meters()
    first.begin()
    assert figure(second, "privguard_open_requests") == 0
