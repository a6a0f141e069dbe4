import asyncio
import gc
import gzip
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

import httpx
import httpx2
import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import RestoreError
from privguard_adapters.gate import Gate
from privguard_adapters.http_clients import guard_http_client
from tests.adapters.fake_guard import FakeGuard

URL = "https://api.example/v1/chat/completions"
BODY = {"model": "m", "messages": [{"role": "user", "content": "I am Ada Roth"}]}
ANSWER = {"choices": [{"message": {"content": "Dear [PERSON_7QK2]"}}]}
EVENT = b'data: {"choices": [{"index": 0, "delta": {"content": "Dear [PERSON_7QK2] "}}]}\n\n'
Handler = Callable[[Any], Any]

both = pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])


class Sent(list[Any]):
    """The requests that reached the network."""

    @property
    def bodies(self) -> list[bytes]:
        return [request.content for request in self]


def gate(guard: FakeGuard) -> Gate:
    return Gate(guard, lambda: "https://api.example/v1/")


def recording(sent: Sent, answer: Handler) -> Handler:
    def handle(request: Any) -> Any:  # noqa: ANN401 - of either library
        sent.append(request)
        return answer(request)

    return handle


def client_of(module: ModuleType, handler: Handler, guard: FakeGuard, **options: Any) -> Any:  # noqa: ANN401 - likewise
    return guard_http_client(module.Client(transport=module.MockTransport(handler), **options), gate(guard))


def async_client_of(module: ModuleType, handler: Handler, guard: FakeGuard) -> Any:  # noqa: ANN401 - likewise
    return guard_http_client(module.AsyncClient(transport=module.MockTransport(handler)), gate(guard))


@both
def test_a_request_is_minimized_and_its_reply_restored(module: ModuleType) -> None:
    guard, sent = FakeGuard(), Sent()
    client = client_of(module, recording(sent, lambda _: module.Response(200, json=ANSWER)), guard)
    response = client.post(URL, json=BODY)
    assert response.json()["choices"][0]["message"]["content"] == "Dear Ada Roth"
    assert int(response.headers["content-length"]) == len(response.content)
    assert b"Ada" not in sent.bodies[0]
    assert int(sent[0].headers["content-length"]) == len(sent.bodies[0])
    assert guard.outcomes == [Outcome.DONE]


@both
async def test_the_same_awaited(module: ModuleType) -> None:
    guard, sent = FakeGuard(), Sent()
    client = async_client_of(module, recording(sent, lambda _: module.Response(200, json=ANSWER)), guard)
    response = await client.post(URL, json=BODY)
    assert response.json()["choices"][0]["message"]["content"] == "Dear Ada Roth"
    assert b"Ada" not in sent.bodies[0]
    assert guard.outcomes == [Outcome.DONE]
    await client.aclose()


@both
def test_a_compressed_reply_is_restored_and_no_longer_compressed(module: ModuleType) -> None:
    packed = gzip.compress(json.dumps(ANSWER).encode())
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    client = client_of(module, lambda _: module.Response(200, content=packed, headers=headers), FakeGuard())
    response = client.post(URL, json=BODY)
    assert response.json()["choices"][0]["message"]["content"] == "Dear Ada Roth"
    assert "content-encoding" not in response.headers


@both
@pytest.mark.parametrize("packed", [False, True])
def test_events_come_one_by_one(module: ModuleType, packed: bool) -> None:
    raw = EVENT * 2 + b"data: [DONE]\n\n"
    body = gzip.compress(raw) if packed else raw
    headers = {"content-type": "text/event-stream"} | ({"content-encoding": "gzip"} if packed else {})
    guard = FakeGuard()
    client = client_of(
        module, lambda _: module.Response(200, content=iter([body[:50], body[50:]]), headers=headers), guard
    )
    with client.stream("POST", URL, json=BODY) as response:
        text = b"".join(response.iter_bytes())
    assert text == raw.replace(b"[PERSON_7QK2]", b"Ada Roth")
    assert guard.outcomes == [Outcome.DONE]


class Pieces(httpx2.SyncByteStream, httpx.SyncByteStream):
    """A body that notes how far it was read and whether it was closed."""

    def __init__(self, pieces: list[bytes], failure: BaseException | None = None) -> None:
        self.pieces, self.failure = pieces, failure
        self.read, self.closed = 0, 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.read += 1
            yield piece
        if self.failure:
            raise self.failure

    def close(self) -> None:
        self.closed += 1


class AsyncPieces(httpx2.AsyncByteStream, httpx.AsyncByteStream):
    """The same, awaited; it hangs at its end."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.waiting, self.closed = asyncio.Event(), 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        self.waiting.set()
        await asyncio.Event().wait()

    async def aclose(self) -> None:
        self.closed += 1


def events(module: ModuleType, stream: object) -> Handler:
    return lambda _: module.Response(200, headers={"content-type": "text/event-stream"}, stream=stream)


@both
def test_an_event_is_given_before_the_next_is_read(module: ModuleType) -> None:
    pieces = Pieces([EVENT, EVENT])
    client = client_of(module, events(module, pieces), FakeGuard())
    with client.stream("POST", URL, json=BODY) as response:
        assert b"Ada Roth" in next(response.iter_bytes())
        assert pieces.read == 1


@both
def test_leaving_a_stream_closes_it_and_is_recorded(module: ModuleType) -> None:
    guard, pieces = FakeGuard(), Pieces([EVENT, EVENT])
    client = client_of(module, events(module, pieces), guard)
    with client.stream("POST", URL, json=BODY) as response:
        next(response.iter_bytes())
    assert pieces.closed
    assert guard.outcomes == [Outcome.ABANDONED]


@both
def test_another_thread_may_close_a_stream_that_waits(module: ModuleType) -> None:
    waiting, closing = threading.Event(), threading.Event()

    class Hanging(Pieces):
        def __iter__(self) -> Iterator[bytes]:
            yield EVENT
            waiting.set()
            closing.wait()

        def close(self) -> None:
            closing.set()

    guard = FakeGuard()
    client = client_of(module, events(module, Hanging([])), guard)
    with client.stream("POST", URL, json=BODY) as response:
        reader = threading.Thread(target=lambda: list(response.iter_raw()))
        reader.start()
        waiting.wait()
        response.close()
        reader.join()
    assert guard.outcomes == [Outcome.ABANDONED]


@both
def test_a_connection_that_breaks_in_a_stream_is_the_same_error(module: ModuleType) -> None:
    guard = FakeGuard()
    failure = module.ReadError("broken")
    pieces = Pieces([EVENT], failure)
    client = client_of(module, events(module, pieces), guard)
    with pytest.raises(module.ReadError) as caught, client.stream("POST", URL, json=BODY) as response:
        b"".join(response.iter_bytes())
    assert caught.value is failure
    assert pieces.closed
    assert guard.outcomes == [Outcome.FAILED]


@both
def test_what_was_held_back_comes_before_the_error_of_a_connection_that_breaks(module: ModuleType) -> None:
    guard, cut = FakeGuard(), EVENT.replace(b"] ", b"")
    client = client_of(module, events(module, Pieces([cut], module.ReadError("broken"))), guard)
    with client.stream("POST", URL, json=BODY) as response:
        came = response.iter_bytes()
        assert b"Ada" not in next(came)
        assert b"Ada Roth" in next(came)
        with pytest.raises(module.ReadError):
            next(came)
    assert guard.outcomes == [Outcome.FAILED]


@both
def test_a_connection_that_fails_is_the_same_error(module: ModuleType) -> None:
    guard, failure = FakeGuard(), module.ConnectError("refused")

    def fail(_: object) -> None:
        raise failure

    with pytest.raises(module.ConnectError) as caught:
        client_of(module, fail, guard).post(URL, json=BODY)
    assert caught.value is failure
    assert guard.outcomes == [Outcome.FAILED]


@both
def test_a_reply_that_cannot_be_restored_is_closed(module: ModuleType) -> None:
    guard, pieces = FakeGuard(), Pieces([b"x"])
    headers = {"content-encoding": "unheard-of"}
    client = client_of(module, lambda _: module.Response(200, headers=headers, stream=pieces), guard)
    with pytest.raises(RestoreError):
        client.post(URL, json=BODY)
    assert pieces.closed
    assert guard.outcomes == [Outcome.FAILED]


@both
def test_a_redirect_on_the_same_host_sends_the_same_bytes(module: ModuleType) -> None:
    guard, sent = FakeGuard(), Sent()

    def answer(_: object) -> Any:  # noqa: ANN401 - of either library
        return module.Response(307, headers={"location": URL}) if len(sent) == 1 else module.Response(200, json=ANSWER)

    client = client_of(module, recording(sent, answer), guard, follow_redirects=True)
    assert "Ada Roth" in client.post(URL, json=BODY).text
    assert sent.bodies[0] == sent.bodies[1]
    assert guard.outcomes == [Outcome.DONE, Outcome.DONE]


@both
def test_the_body_of_a_redirect_that_is_not_followed_is_restored(module: ModuleType) -> None:
    guard = FakeGuard()
    moved = module.Response(307, headers={"location": URL}, json={"message": "[PERSON_7QK2] has moved"})
    response = client_of(module, lambda _: moved, guard).post(URL, json=BODY)
    assert response.json() == {"message": "Ada Roth has moved"}
    assert response.headers["location"] == URL
    assert guard.outcomes == [Outcome.DONE]


@both
def test_a_redirect_to_another_host_is_refused(module: ModuleType) -> None:
    guard, sent = FakeGuard(), Sent()
    elsewhere = {"location": "https://evil.example/v1/chat/completions"}
    client = client_of(
        module, recording(sent, lambda _: module.Response(307, headers=elsewhere)), guard, follow_redirects=True
    )
    with pytest.raises(RestoreError):
        client.post(URL, json=BODY)
    assert len(sent) == 1
    assert guard.outcomes == [Outcome.FAILED]


@both
def test_a_stream_that_is_collected_unread_leaves_its_record(module: ModuleType) -> None:
    guard = FakeGuard()
    headers = {"content-type": "text/event-stream"}
    client = client_of(module, lambda _: module.Response(200, content=iter([EVENT]), headers=headers), guard)
    response = client.send(client.build_request("POST", URL, json=BODY), stream=True)
    assert guard.outcomes == [None]
    del response
    gc.collect()
    assert guard.outcomes == [Outcome.ABANDONED]


@both
def test_a_body_that_comes_in_pieces_is_read(module: ModuleType) -> None:
    sent = Sent()
    client = client_of(module, recording(sent, lambda _: module.Response(200, json=ANSWER)), FakeGuard())
    pieces = iter([b'{"model": "m", ', b'"prompt": "Ada Roth"}'])
    client.post("https://api.example/v1/completions", content=pieces, headers={"content-type": "application/json"})
    assert sent.bodies == [b'{"model": "m", "prompt": "[PERSON_7QK2]"}']
    assert "transfer-encoding" not in sent[0].headers


@both
def test_a_target_beside_the_url_does_not_reach_the_wire(module: ModuleType) -> None:
    sent = Sent()
    client = client_of(module, recording(sent, lambda _: module.Response(200, json=ANSWER)), FakeGuard())
    client.post(URL, json=BODY, extensions={"target": b"/Ada", "sni_hostname": "x"})
    assert "target" not in sent[0].extensions
    assert sent[0].extensions["sni_hostname"] == "x"


@both
async def test_cancelling_while_the_guard_works_sends_nothing_and_leaves_nothing_open(module: ModuleType) -> None:
    started, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    class Slow(FakeGuard):
        def scan(self, text: str, *, key: str = "") -> bool:
            started.set()
            go_on.wait()
            return False

        def ended(self) -> None:
            closed.set()

    guard, sent = Slow(), Sent()
    client = async_client_of(module, recording(sent, lambda _: module.Response(200)), guard)
    task = asyncio.create_task(client.post(URL, json=BODY))
    await asyncio.to_thread(started.wait)
    task.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(closed.wait)
    assert sent == []
    assert guard.outcomes == [Outcome.ABANDONED]


@both
async def test_cancelling_while_the_provider_works_leaves_nothing_open(module: ModuleType) -> None:
    guard, waiting = FakeGuard(), asyncio.Event()

    async def hang(_: object) -> None:
        waiting.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(async_client_of(module, hang, guard).post(URL, json=BODY))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert guard.outcomes == [Outcome.ABANDONED]


@both
async def test_cancelling_in_a_stream_closes_it(module: ModuleType) -> None:
    guard, pieces = FakeGuard(), AsyncPieces([EVENT])
    client = async_client_of(module, events(module, pieces), guard)
    got: list[bytes] = []

    async def read() -> None:
        async with client.stream("POST", URL, json=BODY) as response:
            chunks = response.aiter_bytes()
            got.append(await anext(chunks))
            await anext(chunks)

    task = asyncio.create_task(read())
    await pieces.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert b"Ada Roth" in b"".join(got)
    assert pieces.closed
    assert guard.outcomes == [Outcome.ABANDONED]


@both
async def test_leaving_an_awaited_stream_closes_it(module: ModuleType) -> None:
    guard, pieces = FakeGuard(), AsyncPieces([EVENT, EVENT])
    client = async_client_of(module, events(module, pieces), guard)
    async with client.stream("POST", URL, json=BODY) as response:
        async for chunk in response.aiter_bytes():
            assert b"Ada Roth" in chunk
            break
    assert pieces.closed
    assert guard.outcomes == [Outcome.ABANDONED]


@both
@pytest.mark.parametrize("accepted", ["*", "gzip;q=0.5, *;q=0.1", "GZIP"])
def test_an_encoding_may_be_accepted_in_every_way(module: ModuleType, accepted: str) -> None:
    packed = gzip.compress(json.dumps(ANSWER).encode())
    client = client_of(
        module,
        lambda _: module.Response(200, content=iter([packed]), headers={"content-encoding": "gzip"}),
        FakeGuard(),
    )
    response = client.post(URL, json=BODY, headers={"accept-encoding": accepted})
    assert response.json()["choices"][0]["message"]["content"] == "Dear Ada Roth"


@both
@pytest.mark.parametrize("streams", [False, True])
def test_an_encoding_that_the_library_does_not_undo_does_not_pass(module: ModuleType, streams: bool) -> None:
    guard = FakeGuard()
    client = client_of(
        module, lambda _: module.Response(200, content=iter([b"packed"]), headers={"content-encoding": "x-own"}), guard
    )
    with pytest.raises(RestoreError, match="does not undo"):
        client.post(URL, json=BODY | {"stream": streams}, headers={"accept-encoding": "x-own"})
    assert guard.outcomes == [Outcome.FAILED]
