"""LiteLLM's functions and Router are held to what every adapter promises."""

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

import logging

from privguard.core.audit import Outcome
from privguard.guard import Guard
from privguard.testing import ListSink, ModelServer, Reply, find_canaries
from tests.contract import test_contract as contract
from tests.contract.driver import Driver
from tests.contract.test_contract import CANARIES, PERSON, TEXT, outcomes, streamed

# The same tests, with the drivers of this folder; below are those that LiteLLM has a way of its own with.
globals().update({name: each for name, each in vars(contract).items() if name == "client" or name.startswith("test_")})


def test_two_messages_of_a_conversation_hold_one_placeholder(driver: Driver, server: ModelServer, guard: Guard) -> None:
    """A message of an earlier reply goes back as the object that it came as."""
    with driver.open(server.base_url, guard) as client:
        first = driver.ask(client, f"I am {PERSON}")
        again = [first.choices[0].message, {"role": "user", "content": f"Who is {PERSON}?"}]
        driver.ask(client, "", messages=again)
    assert len({str(found) for request in server.requests for found in request.placeholders()}) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_an_error_status_is_recorded_and_nothing_leaks(
    driver: Driver, server: ModelServer, guard: Guard, sink: ListSink, stream: bool
) -> None:
    server.script(Reply(status=500))
    with driver.open(server.base_url, guard) as client, pytest.raises(Exception, match="scripted failure"):
        streamed(driver, client, TEXT) if stream else driver.ask(client, TEXT)
    assert outcomes(sink) == [Outcome.FAILED]
    assert find_canaries(server.wire, CANARIES) == []


def test_logs_errors_and_reprs_show_no_canary(
    driver: Driver, server: ModelServer, guard: Guard, sink: ListSink, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        caplog.set_level(logging.DEBUG, logger=name)
    seen: list[str] = []
    server.script(Reply(), Reply(), Reply(status=500))
    with driver.open(server.base_url, guard) as client:
        driver.ask(client, TEXT)
        streamed(driver, client, TEXT)
        refused: tuple[dict[str, object], ...] = (
            {},  # the scripted failure
            {"extra_headers": {"x-note": PERSON}},
            {"extra_body": {"model": PERSON}},
            {"fallbacks": [{"model": "m", "messages": [{"role": "user", "content": PERSON}]}]},
            {"metadata": {"who": object()}},
            {"prompt_id": PERSON},
        )
        for options in refused:
            with pytest.raises(Exception, match=r".") as caught:
                driver.ask(client, TEXT, **options)
            seen.append(f"{caught.value!r} {caught.value}")
        seen += [repr(client), repr(guard), repr(sink.records)]
    logged = "\n".join(f"{record.getMessage()} {record.exc_info}" for record in caplog.records)
    assert find_canaries("\n".join([logged, *seen]).encode(), CANARIES) == []
    assert find_canaries(server.wire, CANARIES) == []
    assert len(server.requests) == 3
