import asyncio
import json

import anyio
import pytest
from starlette.types import Message

from privguard.testing import FixedClock
from privguard_adapters.gateway.incoming import CallerLeft
from privguard_adapters.gateway.problems import OVERLOADED
from privguard_adapters.gateway.sending import Sending

EVENTS = ((b"Content-Type", b"text/event-stream; charset=utf-8"),)
JSON = ((b"content-type", b"application/json"),)


class Outbox:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def bodies(self) -> list[bytes]:
        return [each["body"] for each in self.messages if each["type"] == "http.response.body"]

    @property
    def is_ended(self) -> bool:
        return self.messages[-1].get("more_body") is False


async def test_pieces_go_out_as_they_come() -> None:
    out, clock = Outbox(), FixedClock()
    sending = Sending(out, clock.monotonic)
    await sending.start(200, JSON)
    clock.seconds = 1.5
    await sending.body(b"ab")
    clock.seconds = 2.5
    await sending.body(b"c")
    await sending.end()
    assert out.bodies == [b"ab", b"c", b""]
    assert out.is_ended
    assert (sending.status, sending.size, sending.first_s, sending.whole_s) == (200, 3, 1.5, 2.5)
    assert sending.has_ended


async def test_proxies_are_told_not_to_hold_events_back() -> None:
    for headers, told in ((EVENTS, True), (JSON, False)):
        out = Outbox()
        await Sending(out).start(200, headers)
        assert ((b"x-accel-buffering", b"no") in out.messages[0]["headers"]) is told


async def test_a_problem_before_the_reply_is_the_reply() -> None:
    out = Outbox()
    await Sending(out).tell(OVERLOADED)
    assert out.messages[0]["status"] == 503
    assert json.loads(out.bodies[0])["error"]["code"] == "overloaded"
    assert out.is_ended


async def test_a_problem_within_events_is_an_event_and_not_the_end() -> None:
    out = Outbox()
    sending = Sending(out)
    await sending.start(200, EVENTS)
    await sending.tell(OVERLOADED)
    assert out.bodies == [OVERLOADED.event()]
    assert not out.is_ended


async def test_a_problem_within_any_other_reply_cannot_be_told() -> None:
    out = Outbox()
    sending = Sending(out)
    await sending.start(200, JSON)
    await sending.body(b"{")
    await sending.tell(OVERLOADED)
    assert out.bodies == [b"{"]
    assert not out.is_ended


async def test_nothing_is_told_after_the_end() -> None:
    out = Outbox()
    sending = Sending(out)
    await sending.start(200, EVENTS)
    await sending.end()
    await sending.tell(OVERLOADED)
    assert out.bodies == [b""]


async def test_a_caller_who_takes_nothing_has_left() -> None:
    async def never(_message: Message) -> None:
        await anyio.sleep_forever()

    with pytest.raises(CallerLeft):
        await Sending(never, timeout_s=0.01).body(b"x")


async def test_between_pieces_the_loop_learns_that_the_caller_left() -> None:
    out = Outbox()
    sending = Sending(out)
    await sending.start(200, EVENTS)
    with anyio.CancelScope() as scope:
        asyncio.get_running_loop().call_soon(scope.cancel)
        for _ in range(5):
            await sending.body(b"data: {}\n\n")
    assert len(out.bodies) <= 1
