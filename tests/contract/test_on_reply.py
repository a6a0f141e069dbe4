"""Values that the model itself brings, through every sort of client."""

import json
from collections.abc import Callable

import pytest

from privguard.core.audit import Event, Outcome
from privguard.core.errors import RestoreError
from privguard.core.profile import OnReply
from privguard.guard import Guard
from privguard.testing import Canary, FailingDetector, ListSink, ModelServer, Recorded, Reply, Said, ToolUse
from tests.contract.asked import messages_of
from tests.contract.driver import Driver

PERSON, EMAIL = Canary.person().value, Canary.email().value
FILLER = "Nothing is said here that would tell anything of anybody, whoever reads it. "
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
BROUGHT = "Zoë 😀 Ådahl"


def answer(request: Recorded) -> Said:
    asked = messages_of(request)[-1]["content"]
    return Said(text=f"{FILLER}{FILLER}{asked} says: ask {BROUGHT}, or {EMAIL}. {FILLER}{FILLER}{BROUGHT} knows.")


def call(request: Recorded) -> Said:
    asked = messages_of(request)[-1]["content"]
    inner = json.dumps({"by": BROUGHT})
    return Said(tools=(ToolUse(name="send_mail", arguments=json.dumps({"to": asked, "cc": BROUGHT, "more": inner})),))


SHOWN = (
    f"{FILLER}{FILLER}{PERSON} says: ask [REDACTED PERSON], or [REDACTED EMAIL]. {FILLER}{FILLER}"
    "[REDACTED PERSON] knows."
)


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_what_the_model_brings_is_hidden_whole_and_in_streams(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink, size: int
) -> None:
    with driver.open(server.base_url, make_guard(on_reply=OnReply.REDACT)) as client:
        server.script(Reply(speak=answer), Reply(speak=answer, delta_every=size))
        assert driver.text(driver.ask(client, PERSON)) == SHOWN
        assert "".join(driver.delta(event) for event in driver.stream(client, PERSON)) == SHOWN
    for record in sink.records:
        hidden = {(each.kind, each.length): each.count for each in record.events if each.event is Event.REDACTED}
        assert hidden == {("PERSON", len(BROUGHT)): 2, ("EMAIL", len(EMAIL)): 1}
        assert record.outcome is Outcome.DONE


def test_the_arguments_of_a_tool_stay_valid_at_every_level(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard]
) -> None:
    with driver.open(server.base_url, make_guard(on_reply=OnReply.REDACT)) as client:
        server.script(Reply(speak=call))
        arguments = json.loads(driver.arguments(driver.ask(client, PERSON, **driver.tools(SCHEMA))))
    assert json.loads(arguments.pop("more")) == {"by": "[REDACTED PERSON]"}
    assert arguments == {"to": PERSON, "cc": "[REDACTED PERSON]"}


def test_what_is_flagged_passes_and_is_recorded(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink
) -> None:
    with driver.open(server.base_url, make_guard(on_reply=OnReply.FLAG)) as client:
        server.script(Reply(speak=answer))
        assert BROUGHT in "".join(driver.delta(event) for event in driver.stream(client, PERSON))
    flagged = [each.kind for each in sink.records[0].events if each.event is Event.FLAGGED]
    assert sorted(flagged) == ["EMAIL", "PERSON"]


def test_a_reply_that_cannot_be_searched_does_not_pass(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink
) -> None:
    guard = make_guard(on_reply=OnReply.REDACT)
    with driver.open(server.base_url, guard) as client:
        server.script(Reply(speak=answer))
        events = driver.stream(client, PERSON)
        got = driver.delta(next(events))
        object.__setattr__(guard.parts, "detector", FailingDetector())
        with pytest.raises(RestoreError) as caught:
            got += "".join(driver.delta(event) for event in events)
    assert BROUGHT not in got
    assert BROUGHT not in str(caught.value)
    assert [(record.outcome, record.error) for record in sink.records] == [(Outcome.FAILED, "RestoreError")]
