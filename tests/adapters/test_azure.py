"""Clients of Azure: the deployment stands in the path, the version in the query, and both are looked at."""

from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest

import privguard
from privguard.core.audit import Outcome
from privguard.core.errors import ProtectionError, UnknownContentError, UnprotectedRouteError
from privguard.guard import Guard
from privguard.testing import ListSink, ModelServer
from privguard_adapters.openai import adapter
from tests.adapters.fake_guard import FakeGuard

VERSION = "2024-10-21"
TEXT = "I am Ada Roth, ada@roth.example"
MESSAGES: Any = [{"role": "user", "content": TEXT}]
WAYS: dict[str, dict[str, Any]] = {
    "endpoint": {"azure_endpoint": ""},
    "deployment": {"azure_endpoint": "", "azure_deployment": "gpt-5-mini"},
    "base_url": {"base_url": "/openai/deployments/gpt-5-mini"},
    "gateway": {"azure_endpoint": "/gateway"},
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def guard() -> FakeGuard:
    return FakeGuard()


def options(way: str, server: ModelServer) -> dict[str, Any]:
    """Return the arguments of a client, with the address of the server in the place of its host."""
    root = server.base_url.removesuffix("/v1")
    told = {name: root + value if name != "azure_deployment" else value for name, value in WAYS[way].items()}
    return {"api_key": "key", "api_version": VERSION, **told}


def streamed(events: Any) -> str:  # noqa: ANN401 - of the SDK
    return "".join(event.choices[0].delta.content or "" for event in events if event.choices)


@pytest.mark.parametrize("way", WAYS)
def test_requests_are_minimized_and_answers_restored(way: str, server: ModelServer, guard: FakeGuard) -> None:
    with openai.AzureOpenAI(**options(way, server)) as plain:
        client = adapter.wrap(plain, guard)
        assert type(client) is openai.AzureOpenAI
        asked: Any = {"model": "gpt-5-mini", "messages": MESSAGES}
        for each in (client, client.with_options(timeout=9), client.copy()):
            assert each.chat.completions.create(**asked).choices[0].message.content == TEXT
        assert streamed(client.chat.completions.create(**asked, stream=True)) == TEXT
        assert client.completions.create(model="gpt-5-mini", prompt=TEXT).choices[0].text == TEXT
        assert client.embeddings.create(model="gpt-5-mini", input=TEXT).data
    paths = {request.target for request in server.requests}
    assert all("/openai/deployments/gpt-5-mini/" in path and path.endswith(f"api-version={VERSION}") for path in paths)
    assert b"Ada" not in server.wire
    assert set(guard.outcomes) == {Outcome.DONE}


@pytest.mark.parametrize("way", ["endpoint", "deployment"])
def test_models_are_listed_above_the_deployments(way: str, server: ModelServer, guard: FakeGuard) -> None:
    with openai.AzureOpenAI(**options(way, server)) as plain:
        adapter.wrap(plain, guard).models.list()
    assert server.last.target == f"/openai/models?api-version={VERSION}"


async def test_the_async_client_is_protected_too(server: ModelServer, guard: FakeGuard) -> None:
    async with openai.AsyncAzureOpenAI(**options("endpoint", server)) as plain:
        client = adapter.wrap(plain, guard)
        answer = await client.chat.completions.create(model="gpt-5-mini", messages=MESSAGES)
        assert answer.choices[0].message.content == TEXT
        with pytest.raises(UnprotectedRouteError):
            client.realtime.connect(model="gpt-5-mini")
        with pytest.raises(UnprotectedRouteError):
            client.beta.realtime.connect(model="gpt-5-mini")
    assert b"Ada" not in server.wire


@pytest.mark.parametrize("deployment", ["4111111111111111", "ada_roth", "Ada Roth"], ids=["number", "name", "spaced"])
def test_a_deployment_that_tells_something_is_refused(deployment: str, server: ModelServer, guard: FakeGuard) -> None:
    with openai.AzureOpenAI(**options("endpoint", server)) as plain, pytest.raises(ProtectionError) as caught:
        adapter.wrap(plain, guard).chat.completions.create(model=deployment, messages=MESSAGES)
    assert server.requests == ()
    assert deployment not in str(caught.value)


def test_a_version_that_is_none_is_looked_at(server: ModelServer, guard: FakeGuard) -> None:
    with openai.AzureOpenAI(**options("endpoint", server) | {"api_version": "Ada Roth"}) as plain:
        client = adapter.wrap(plain, guard)
        with pytest.raises(UnknownContentError):
            client.chat.completions.create(model="gpt-5-mini", messages=MESSAGES)
    assert server.requests == ()


def test_other_routes_are_refused(server: ModelServer, guard: FakeGuard) -> None:
    with openai.AzureOpenAI(**options("endpoint", server)) as plain:
        client = adapter.wrap(plain, guard)
        calls: tuple[Callable[[], object], ...] = (
            lambda: client.images.generate(model="gpt-5-mini", prompt=TEXT),
            lambda: client.audio.speech.create(model="gpt-5-mini", input=TEXT, voice="alloy"),
            client.evals.list,
            lambda: client.post("/deployments/x/extensions/chat/completions", cast_to=object, body={"model": "m"}),
        )
        for call in calls:
            with pytest.raises(UnprotectedRouteError):
                call()
    assert server.requests == ()


def test_a_preview_fetches_no_token_and_is_what_leaves(server: ModelServer, real_guard: Guard, sink: ListSink) -> None:
    fetched: list[str] = []

    def fetch() -> str:
        fetched.append("token")
        return "token"

    asked: Any = {"model": "gpt-5-mini", "messages": MESSAGES}
    settings = options("endpoint", server) | {"api_key": None, "azure_ad_token_provider": fetch}
    with openai.AzureOpenAI(**settings) as plain:
        client = adapter.wrap(plain, real_guard)
        preview = privguard.session(client).preview(**asked)
        assert (fetched, server.requests) == ([], ())
        client.chat.completions.create(**asked)
    assert server.last.body == preview.body
    assert fetched == ["token"]
    assert len(sink.records) == 1


def test_a_copy_with_another_address_is_protected_there(server: ModelServer, guard: FakeGuard) -> None:
    with ModelServer() as other, openai.AzureOpenAI(**options("deployment", server)) as plain:
        client = adapter.wrap(plain, guard)
        moved = client.with_options(base_url=other.base_url.replace("/v1", "/openai"))
        assert moved.chat.completions.create(model="m", messages=MESSAGES).choices[0].message.content == TEXT
        assert other.last.target == f"/openai/deployments/m/chat/completions?api-version={VERSION}"
        assert b"Ada" not in other.wire
    assert server.requests == ()
