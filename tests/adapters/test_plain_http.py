"""Clients of httpx and httpx2 without an SDK: every call passes the guard, and what is not protected is refused."""

import importlib
import json
from collections.abc import Iterator
from typing import Any, TypeAlias

import httpx
import httpx2
import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError, UnknownContentError, UnprotectedRouteError
from privguard.testing import ModelServer, Reply
from privguard_adapters.http_clients import gate_of
from privguard_adapters.plain_http import adapter
from tests.adapters.fake_guard import FakeGuard

TEXT = "I am Ada Roth, ada@roth.example"
BODY = {"model": "m", "messages": [{"role": "user", "content": TEXT}]}
Library: TypeAlias = Any  # either library, and what is theirs
both = pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def guard() -> FakeGuard:
    return FakeGuard()


def text_of(body: bytes) -> str:
    return str(json.loads(body)["choices"][0]["message"]["content"])


def streamed_text(events: str) -> str:
    lines = [line.removeprefix("data: ") for line in events.splitlines() if line.startswith("data: {")]
    choices = [choice for line in lines for choice in json.loads(line)["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


@both
def test_a_transport_protects_a_client_that_is_made_by_hand(
    module: Library,
    server: ModelServer,
    guard: FakeGuard,
) -> None:
    transport = adapter.guarded(module.HTTPTransport(), guard, server.base_url)
    with module.Client(transport=transport, base_url=server.base_url) as client:
        assert text_of(client.post("chat/completions", json=BODY).content) == TEXT
        with client.stream("POST", "chat/completions", json=BODY | {"stream": True}) as reply:
            assert streamed_text("".join(reply.iter_text())) == TEXT
        assert client.post("embeddings", json={"model": "m", "input": TEXT}).json()["data"]
        assert client.get("models").json()["data"]
    assert b"Ada" not in server.wire
    assert guard.outcomes == [Outcome.DONE] * 3


@both
async def test_an_async_transport_does_too(module: Library, server: ModelServer, guard: FakeGuard) -> None:
    transport = adapter.guarded(module.AsyncHTTPTransport(), guard, server.base_url)
    async with module.AsyncClient(transport=transport, base_url=server.base_url) as client:
        assert text_of((await client.post("chat/completions", json=BODY)).content) == TEXT
        async with client.stream("POST", "chat/completions", json=BODY | {"stream": True}) as reply:
            assert streamed_text("".join([piece async for piece in reply.aiter_text()])) == TEXT
    assert b"Ada" not in server.wire
    assert guard.outcomes == [Outcome.DONE] * 2


@both
@pytest.mark.parametrize("every", [1, 3, 7, 50])
def test_a_stream_is_whole_for_every_cut(module: Library, server: ModelServer, guard: FakeGuard, every: int) -> None:
    server.script(Reply(cut_every=every, delta_every=every))
    with module.Client(transport=adapter.guarded(module.HTTPTransport(), guard, server.base_url)) as client:
        reply = client.post(f"{server.base_url}/chat/completions", json=BODY | {"stream": True})
        assert streamed_text(reply.text) == TEXT


@both
def test_a_whole_client_is_copied_with_all_its_settings(module: Library, server: ModelServer, guard: FakeGuard) -> None:
    seen: list[str] = []
    hooks = {"request": [lambda request: seen.append(request.method)]}
    with module.Client(headers={"x-team": "blue"}, event_hooks=hooks, base_url=server.base_url) as own:
        client = adapter.guarded(own, guard, server.base_url)
        assert isinstance(client, module.Client)
        assert gate_of(own) is None
        assert text_of(client.post("chat/completions", json=BODY).content) == TEXT
        assert server.last.header("x-team") == "blue"
        assert seen == ["POST"]
    assert b"Ada" not in server.wire


@both
def test_the_proxies_and_mounts_of_a_whole_client_are_guarded(module: Library, guard: FakeGuard) -> None:
    sent: list[bytes] = []

    def answer(request: Library) -> Library:
        sent.append(request.content)
        return module.Response(200, json={"choices": []})

    own = module.Client(mounts={"https://": module.MockTransport(answer)})
    adapter.guarded(own, guard, "https://api.example/v1").post("https://api.example/v1/chat/completions", json=BODY)
    assert len(sent) == 1
    assert b"Ada" not in sent[0]


@both
async def test_a_mock_transport_serves_sync_and_async(module: Library, guard: FakeGuard) -> None:
    mock = module.MockTransport(lambda request: module.Response(200, content=request.content))
    transport = adapter.guarded(mock, guard, "https://api.example/v1")
    url = "https://api.example/v1/chat/completions"
    with module.Client(transport=transport) as client:
        assert client.post(url, json=BODY).json()["messages"][0]["content"] == TEXT
    async with module.AsyncClient(transport=transport) as awaited:
        assert (await awaited.post(url, json=BODY)).json()["messages"][0]["content"] == TEXT
    assert guard.outcomes == [Outcome.DONE] * 2


REFUSED = {
    "another route": ("POST", "responses/unheard", {"input": TEXT}),
    "a route of the server's own": ("POST", "../api/chat", BODY),
    "an upload": ("PUT", "files/x", BODY),
    "the root": ("GET", "", None),
}


@both
@pytest.mark.parametrize("name", REFUSED)
def test_routes_that_are_not_protected_are_refused(
    module: Library, server: ModelServer, guard: FakeGuard, name: str
) -> None:
    method, path, body = REFUSED[name]
    with module.Client(transport=adapter.guarded(module.HTTPTransport(), guard, server.base_url)) as client:
        with pytest.raises(UnprotectedRouteError):
            client.request(method, f"{server.base_url}/{path}", json=body)
        with pytest.raises(UnprotectedRouteError, match="another host"):
            client.post("http://other.example/v1/chat/completions", json=BODY)
        with pytest.raises(UnknownContentError):
            client.post(f"{server.base_url}/chat/completions", data={"messages": TEXT})
    assert server.requests == ()
    assert len(guard.blocked) == 3


@both
def test_one_that_is_guarded_already_gets_the_new_guard_alone(
    module: Library, server: ModelServer, guard: FakeGuard
) -> None:
    other = FakeGuard()
    first = adapter.guarded(module.HTTPTransport(), guard, server.base_url)
    with module.Client(transport=adapter.guarded(first, other, server.base_url)) as client:
        assert text_of(client.post(f"{server.base_url}/chat/completions", json=BODY).content) == TEXT
    assert (len(guard.exchanges), len(other.exchanges)) == (0, 1)


@both
def test_the_profile_of_a_header_does_not_leave(module: Library, server: ModelServer, guard: FakeGuard) -> None:
    headers = {"X-Privguard-Profile": "strict"}
    with module.Client(transport=adapter.guarded(module.HTTPTransport(), guard, server.base_url)) as client:
        client.post(f"{server.base_url}/chat/completions", json=BODY, headers=headers)
    assert guard.profiles == ["strict"]
    assert b"rivguard" not in server.last.wire


@both
@pytest.mark.parametrize(
    ("base_url", "asked"),
    [
        ("http://api.example:80/v1/", "http://api.example/v1/chat/completions"),
        ("https://API.example/v1", "https://api.example:443/v1/chat/completions"),
        ("https://api.example", "https://api.example/chat/completions"),
        ("https://bücher.example/v1", "https://bücher.example/v1/chat/completions"),
    ],
)
def test_a_host_is_the_same_however_it_is_written(module: Library, guard: FakeGuard, base_url: str, asked: str) -> None:
    mock = module.MockTransport(lambda _request: module.Response(200, json={"choices": []}))
    with module.Client(transport=adapter.guarded(mock, guard, base_url)) as client:
        assert client.post(asked, json=BODY).status_code == 200


@both
@pytest.mark.parametrize(
    "base_url", ["", "localhost:8000/v1", "/v1", "ftp://x.example", "https://", "https://x/v1?a=1", 5]
)
def test_a_base_url_that_is_none_is_told(module: Library, guard: FakeGuard, base_url: Library) -> None:
    with pytest.raises(ConfigError, match="base_url is the URL of an API"):
        adapter.guarded(module.HTTPTransport(), guard, base_url)


@both
def test_what_is_neither_a_transport_nor_a_client_does_not_match(module: Library) -> None:
    for thing in (object(), module.Headers(), module.URL("https://x.example"), module.BaseTransport):
        assert not adapter.matches(thing)
    for thing in (module.Client(), module.AsyncClient(), module.HTTPTransport(), module.AsyncHTTPTransport()):
        assert adapter.matches(thing)


@both
def test_a_transport_of_ones_own_is_known_whatever_other_libraries_say_of_its_base(
    module: Library, guard: FakeGuard
) -> None:
    class Mine(module.BaseTransport):  # type: ignore[misc]  # of either library
        def handle_request(self, request: Library) -> Library:
            return module.Response(200, content=request.read())

    assert importlib.import_module("openai").__name__ == "openai"  # which renames the base
    with module.Client(transport=adapter.guarded(Mine(), guard, "https://api.example/v1")) as client:
        reply = client.post("https://api.example/v1/chat/completions", json=BODY)
        assert reply.json()["messages"][0]["content"] == TEXT
    assert guard.outcomes == [Outcome.DONE]
