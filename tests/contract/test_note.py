"""The note on placeholders, through every sort of client."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from privguard.core.note import EXAMPLE, NOTE
from privguard.guard import Guard
from privguard.testing import Canary, ListSink, ModelServer, Recorded, Reply, Said
from tests.contract.conftest import DRIVERS
from tests.contract.driver import Answer, Client, Driver

CHAT = [driver for driver in DRIVERS if driver.instructs_in_messages]
PERSON = Canary.person().value
PROMPT = f"Write to {PERSON}, please."


def recite(request: Recorded) -> Said:
    """Say all that was sent, as a model does that is asked for its instructions."""
    return Said(text="\n".join(message["content"] for message in request.json()["messages"]))


@pytest.fixture(params=CHAT, ids=[driver.name for driver in CHAT])
def driver(request: pytest.FixtureRequest) -> Driver:
    chosen: Driver = request.param
    return chosen


@pytest.fixture
def client(driver: Driver, server: ModelServer, make_guard: Callable[..., Guard]) -> Iterator[Answer]:
    with driver.open(server.base_url, make_guard(note=True)) as opened:
        yield opened


def messages_of(server: ModelServer) -> Any:  # noqa: ANN401 - JSON
    return server.last.json()["messages"]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_the_note_leaves_and_an_example_that_comes_back_is_nobodys_value(
    driver: Driver, client: Client, server: ModelServer, sink: ListSink, size: int
) -> None:
    server.script(Reply(speak=recite), Reply(speak=recite, delta_every=size))
    whole = driver.text(driver.ask(client, PROMPT))
    sent = messages_of(server)
    assert sent[0] == {"role": "system", "content": NOTE}
    assert [message["role"] for message in sent] == ["system", "user"]
    assert "".join(driver.delta(event) for event in driver.stream(client, PROMPT)) == whole == f"{NOTE}\n{PROMPT}"
    assert messages_of(server) == sent
    for record in sink.records:
        assert [(event.kind, event.cause) for event in record.events] == [("PERSON", None)]
        assert [decision.path for decision in record.decisions] == ["messages[0].content"]


def test_every_turn_has_the_same_note_behind_the_instructions(
    driver: Driver, client: Client, server: ModelServer
) -> None:
    messages = driver.instructed("Be brief.", PROMPT)["messages"]
    driver.ask(client, "", messages=messages)
    first = messages_of(server)
    assert first[0] == {"role": messages[0]["role"], "content": f"Be brief.\n\n{NOTE}"}
    later = [{"role": "assistant", "content": f"{EXAMPLE}? {PERSON}!"}, {"role": "user", "content": "Go on."}]
    driver.ask(client, "", messages=[*messages, *later])
    assert messages_of(server)[: len(first)] == first
    assert len(messages_of(server)) == len(first) + len(later)
    assert messages_of(server)[2]["content"].startswith(f"{EXAMPLE}? ")


def test_what_left_may_be_sent_again(driver: Driver, client: Client, server: ModelServer) -> None:
    driver.ask(client, PROMPT)
    once = messages_of(server)
    driver.ask(client, "", messages=[*once, {"role": "user", "content": PROMPT}])
    assert messages_of(server)[:-1] == once
    assert str(server.last.json()).count(NOTE) == 1


def test_a_request_without_placeholders_has_none(driver: Driver, client: Client, server: ModelServer) -> None:
    driver.ask(client, "What is a placeholder?")
    assert messages_of(server) == [{"role": "user", "content": "What is a placeholder?"}]


def test_a_profile_that_does_not_ask_has_none(driver: Driver, server: ModelServer, guard: Guard) -> None:
    with driver.open(server.base_url, guard) as opened:
        driver.ask(opened, PROMPT)
    assert [message["role"] for message in messages_of(server)] == ["user"]
