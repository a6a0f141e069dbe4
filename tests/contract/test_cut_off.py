"""Streams that end before they say so, as a server or a proxy ends them that gives up."""

import re

import pytest

from privguard.core.audit import Outcome
from privguard.guard import Guard
from privguard.testing import ListSink, ModelServer, Reply
from tests.contract import anthropic_driver, openai_driver, responses_driver
from tests.contract.driver import Answer, Client, Driver

DRIVERS: tuple[Driver, ...] = (
    openai_driver.DRIVERS[0],
    *responses_driver.DRIVERS,
    *anthropic_driver.DRIVERS,
)


@pytest.fixture(params=DRIVERS, ids=[driver.name for driver in DRIVERS])
def driver(request: pytest.FixtureRequest) -> Driver:
    chosen: Driver = request.param
    return chosen


def seen(driver: Driver, client: Client, prompt: str) -> list[Answer]:
    """Return what a client shows of a stream: its events, and the sort of error that ends them."""
    events: list[Answer] = []
    try:
        events.extend(event.to_dict() for event in driver.stream(client, prompt))
    except Exception as error:  # noqa: BLE001 - whatever the SDK raises
        events.append(type(error))
    return events


def test_a_stream_that_ends_early_is_shown_as_without_a_guard_and_recorded_as_failed(
    driver: Driver, server: ModelServer, guard: Guard, sink: ListSink
) -> None:
    prompt = "Say hé, nothing more."
    with driver.open(server.base_url, None) as plain, driver.open(server.base_url, guard) as client:
        server.script(Reply(end_after=10**6))
        whole = len(seen(driver, plain, prompt))
        for length in (0, 200, 500, 700):
            server.script(Reply(end_after=length), Reply(end_after=length))
            assert without_ids(seen(driver, client, prompt)) == without_ids(seen(driver, plain, prompt))
        assert [(record.outcome, record.error) for record in sink.records] == [(Outcome.FAILED, "CutOff")] * 4
        assert len(seen(driver, client, prompt)) == whole
        assert sink.records[-1].outcome is Outcome.DONE


def without_ids(events: list[Answer]) -> list[str]:
    return [re.sub(r"\d+", "0", str(event)) for event in events]
