"""The requests of a conversation share what the vault keeps, whichever client they go through."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from privguard.guard import Guard, conversation
from privguard.testing import Canary, ModelServer, Reply, find_canaries, say
from privguard.vault import open_vault
from tests.contract.driver import Answer, Client, Driver

PERSON, EMAIL = Canary.person().value, Canary.email().value


@pytest.fixture
def client(driver: Driver, server: ModelServer, make_guard: Callable[..., Guard]) -> Iterator[Answer]:
    keeping = Guard(replace(make_guard().parts, vault=open_vault("memory:")))
    with driver.open(server.base_url, keeping) as opened:
        yield opened


def mark_of(driver: Driver, client: Client, server: ModelServer, prompt: str) -> str:
    """Ask, and return the placeholder that left."""
    driver.ask(client, prompt)
    return str(server.last.placeholders()[0])


def test_a_later_reply_may_speak_of_what_an_earlier_request_said(
    driver: Driver, client: Client, server: ModelServer
) -> None:
    with conversation("a"):
        mark = mark_of(driver, client, server, f"I am {PERSON}")
        for _ in range(2):
            server.script(Reply(speak=say(f"You are {mark}.")))
            assert driver.text(driver.ask(client, f"Write to {EMAIL}")) == f"You are {PERSON}."
        server.script(Reply(speak=say(f"You are {mark}."), delta_every=1))
        assert "".join(map(driver.delta, driver.stream(client, "Who am I?"))) == f"You are {PERSON}."
    assert find_canaries(server.wire, [Canary.person(), Canary.email()]) == []


def test_nothing_of_it_comes_back_elsewhere(driver: Driver, client: Client, server: ModelServer) -> None:
    with conversation("a"):
        mark = mark_of(driver, client, server, f"I am {PERSON}")
    server.script(Reply(speak=say(mark)))
    assert driver.text(driver.ask(client, "Who am I?")) == mark
    with conversation("b"):
        server.script(Reply(speak=say(mark)))
        assert driver.text(driver.ask(client, "Who am I?")) == mark
        assert mark_of(driver, client, server, f"I am {PERSON}") != mark
