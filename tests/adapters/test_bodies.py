"""The body of a reply: restored chunk by chunk, ended once, left when it is closed early, dropped when it is lost."""

from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from privguard.core.errors import RestoreError
from privguard_adapters.bodies import AsyncRestoredBody, RestoredBody
from privguard_adapters.call import Call


class FakeCall:
    """Restores by writing in capitals, holds back what is a dash, and notes what was asked of it."""

    is_slow = False

    def __init__(self, held: bytes = b"") -> None:
        self.seen: list[str] = []
        self.held = held  # when the reply breaks off

    @property
    def is_closed(self) -> bool:
        return bool(self.seen)

    def feed(self, chunk: bytes) -> bytes:
        return b"" if chunk == b"-" else chunk.upper()

    def end(self) -> bytes:
        self.seen.append("end")
        return b"rest" if self.seen.count("end") == 1 else b""

    def break_off(self, error: Exception) -> bytes:
        self.seen.append(f"broken off: {error}")
        return self.held

    def leave(self) -> None:
        self.seen.append("leave")

    def drop(self) -> None:
        self.seen.append("drop")

    @contextmanager
    def watched(self) -> Iterator[None]:
        try:
            yield
        except Exception:
            self.seen.append("failed")
            raise


class FakeResponse:
    """The response of either library."""

    closed = False

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.closed = True


def chunks(error: Exception | None = None) -> Generator[bytes]:
    yield from (b"a", b"-", b"b")
    if error is not None:
        raise error


async def awaited(error: Exception | None = None) -> AsyncGenerator[bytes]:
    for chunk in chunks(error):
        yield chunk


def body_of(call: FakeCall, response: FakeResponse, error: Exception | None = None) -> RestoredBody:
    return RestoredBody(response, chunks(error), cast("Call", call))


def async_body_of(call: FakeCall, response: FakeResponse, error: Exception | None = None) -> AsyncRestoredBody:
    return AsyncRestoredBody(response, awaited(error), cast("Call", call))


async def test_each_chunk_is_restored_and_what_is_left_comes_last() -> None:
    body = body_of(FakeCall(), FakeResponse())
    assert list(body) == [b"A", b"B", b"rest"]
    assert list(body) == []
    async_body = async_body_of(FakeCall(), FakeResponse())
    assert [chunk async for chunk in async_body] == [b"A", b"B", b"rest"]
    assert [chunk async for chunk in async_body] == []


@pytest.mark.parametrize("held", [b"", b"held"])
async def test_a_reply_that_breaks_off_gives_what_was_held_back_and_then_its_error(held: bytes) -> None:
    call, async_call, failure = FakeCall(held), FakeCall(held), ValueError("cut")
    body, async_body = body_of(call, FakeResponse(), failure), async_body_of(async_call, FakeResponse(), failure)
    expected = [b"A", b"B", *([held] if held else [])]
    assert [next(body) for _ in expected] == [await anext(async_body) for _ in expected] == expected
    with pytest.raises(ValueError, match="cut") as caught:
        next(body)
    assert caught.value is failure
    with pytest.raises(ValueError, match="cut"):
        await anext(async_body)
    assert call.seen == async_call.seen == ["broken off: cut"]
    assert list(body) == [chunk async for chunk in async_body] == []


async def test_a_chunk_that_cannot_be_restored_fails_the_call() -> None:
    class Failing(FakeCall):
        def feed(self, chunk: bytes) -> bytes:
            raise RestoreError("no")

    call, async_call = Failing(), Failing()
    with pytest.raises(RestoreError):
        next(body_of(call, FakeResponse()))
    with pytest.raises(RestoreError):
        await anext(async_body_of(async_call, FakeResponse()))
    assert call.seen == async_call.seen == ["failed"]


async def test_closing_early_leaves_the_exchange_and_the_connection() -> None:
    call, async_call, response, async_response = FakeCall(), FakeCall(), FakeResponse(), FakeResponse()
    body, async_body = body_of(call, response), async_body_of(async_call, async_response)
    assert next(body) == await anext(async_body) == b"A"
    body.close()
    await async_body.aclose()
    assert call.seen == async_call.seen == ["leave"]
    assert response.closed
    assert async_response.closed
    assert list(body) == [b"rest"]  # nothing more is read


def test_a_body_that_is_lost_drops_its_call() -> None:
    call, async_call = FakeCall(), FakeCall()
    next(body_of(call, FakeResponse()))
    async_body_of(async_call, FakeResponse())
    assert call.seen == async_call.seen == ["drop"]
