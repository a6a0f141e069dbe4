"""What the caller's view of a reply holds, and what each tool gets, on every sort of client."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from privguard.core.audit import Cause, Event
from privguard.core.entities import EntityType
from privguard.core.profile import ToolRule
from privguard.guard import Guard
from privguard.testing import (
    Canary,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    Said,
    ToolUse,
    echo_placeholders,
    find_canaries,
    find_placeholders,
)
from tests.contract.asked import messages_of
from tests.contract.driver import Answer, Client, Driver

PERSON, EMAIL, SECRET = Canary.person().value, Canary.email().value, Canary.secret().value
SYSTEM = f"Alert {EMAIL} when somebody shouts."
PROMPT = f"I am {PERSON}, and my password is {SECRET}."
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}


def streamed(driver: Driver, client: Client, **options: Answer) -> str:
    return "".join(driver.delta(event) for event in driver.stream(client, "", **options))


def refused(sink: ListSink) -> list[tuple[str, str, Cause | None]]:
    return [
        (event.path, event.kind, event.cause)
        for record in sink.records
        for event in record.events
        if event.event is Event.REFUSED
    ]


@pytest.mark.parametrize("cut", [None, 1, 7])
def test_instructions_and_secrets_stay_hidden_from_the_user(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink, cut: int | None
) -> None:
    server.script(*[Reply(speak=echo_placeholders, delta_every=cut or 20)] * 2)
    options = driver.instructed(SYSTEM, PROMPT)
    with driver.open(server.base_url, make_guard(restore_secrets=False)) as client:
        text = streamed(driver, client, **options) if cut else driver.text(driver.ask(client, "", **options))
    assert PERSON in text
    assert EMAIL not in text
    assert SECRET not in text
    assert {str(found.kind) for found in find_placeholders(text)} == {"EMAIL", "SECRET"}
    path = driver.text_path
    assert sorted(refused(sink)) == [(path, "EMAIL", Cause.PROVENANCE), (path, "SECRET", Cause.PROVENANCE)]


@pytest.mark.parametrize("system", [False, True])
@pytest.mark.parametrize("secrets", [False, True])
def test_the_profile_shows_them(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], system: bool, secrets: bool
) -> None:
    server.script(Reply(speak=echo_placeholders))
    shown = make_guard(restore_system=system, restore_secrets=secrets)
    with driver.open(server.base_url, shown) as client:
        text = driver.text(driver.ask(client, "", **driver.instructed(SYSTEM, PROMPT)))
    assert (EMAIL in text, SECRET in text) == (system, secrets)


def test_the_view_of_a_stream_is_that_of_the_whole_for_every_cut(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard]
) -> None:
    options = driver.instructed(SYSTEM, PROMPT)
    with driver.open(server.base_url, make_guard(restore_secrets=False)) as client:
        server.script(Reply(speak=echo_placeholders))
        whole = driver.text(driver.ask(client, "", **options))
        for cut in range(1, len(whole)):
            server.script(Reply(speak=echo_placeholders, delta_cuts=(cut,)))
            assert streamed(driver, client, **options) == whole


def test_what_was_withheld_comes_back_in_the_next_turn_as_the_same(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard]
) -> None:
    options = driver.instructed(SYSTEM, PROMPT)
    messages = options.pop("messages")
    sent: list[str] = []
    with driver.open(server.base_url, make_guard(restore_secrets=False)) as client:
        for _ in range(12):
            server.script(Reply(speak=echo_placeholders))
            text = driver.text(driver.ask(client, "", messages=messages, **options))
            left, said = server.last.json(), messages_of(server.last)
            instructions = left.get("system"), left.get("instructions")
            sent.append(str([instructions, said[: 2 if driver.instructs_in_messages else 1]]))
            messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": "Go on."}]
    assert len(set(sent)) == 1
    assert find_canaries(server.wire, [Canary.person(), Canary.email(), Canary.secret()]) == []


RULES = [
    ({}, {"PERSON", "EMAIL"}, {Cause.PROVENANCE}),
    ({"tools": {"send_*": ToolRule(secrets=True)}}, {"PERSON", "EMAIL", "SECRET"}, set()),
    (
        {"tools": {"send_*": ToolRule(kinds=frozenset({EntityType.EMAIL}))}},
        {"EMAIL"},
        {Cause.TOOL_RULE, Cause.PROVENANCE},
    ),
    ({"remote_tools": ("send_*",)}, set(), {Cause.REMOTE_TOOL}),
    ({"tools": {"send_mail": ToolRule(), "*": ToolRule(kinds=frozenset())}}, {"PERSON", "EMAIL"}, {Cause.PROVENANCE}),
    ({"tools": {"look_*": ToolRule(kinds=frozenset())}}, {"PERSON", "EMAIL"}, {Cause.PROVENANCE}),
]


def call_with_all(request: Recorded) -> Said:
    marks = {str(number): str(found) for number, found in enumerate(request.placeholders())}
    return Said(tools=(ToolUse(name="send_mail", arguments=json.dumps(marks)),))


@pytest.mark.parametrize("rule", RULES, ids=range(len(RULES)))
def test_a_tool_gets_what_its_rule_says(
    driver: Driver,
    server: ModelServer,
    make_guard: Callable[..., Guard],
    sink: ListSink,
    rule: tuple[dict[str, Any], set[str], set[Cause]],
) -> None:
    settings, kinds, causes = rule
    server.script(Reply(speak=call_with_all))
    with driver.open(server.base_url, make_guard(**settings)) as client:
        reply = driver.ask(client, "", **driver.instructed(SYSTEM, PROMPT), **driver.tools(SCHEMA))
    values = json.loads(driver.arguments(reply)).values()
    known = {"PERSON": PERSON, "EMAIL": EMAIL, "SECRET": SECRET}
    assert {kind for kind, value in known.items() if value in values} == kinds
    path = driver.arguments_path
    assert {(where, cause) for where, _, cause in refused(sink)} == {(path, cause) for cause in causes}
