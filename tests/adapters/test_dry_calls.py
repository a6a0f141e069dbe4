"""The request of a call is made as the SDK makes it, and nothing is sent."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import httpx2
import openai
import pytest
from pydantic import BaseModel

from privguard.core.errors import ConfigError
from privguard.testing import ModelServer
from privguard_adapters.call import HttpRequest
from privguard_adapters.dry_calls import dry_request
from privguard_adapters.http_clients import guard_http_client
from privguard_adapters.watching import ClosedGate
from tests.adapters.fake_guard import FakeGuard

MESSAGES: Any = [{"role": "user", "content": "I am Ada Roth"}]
ASKS: dict[str, Any] = {"model": "m", "messages": MESSAGES}


class Letter(BaseModel):
    to: str


def close_off(copy: Any) -> None:  # noqa: ANN401 - of the SDK
    """Let whatever is sent fail."""
    copy._client = guard_http_client(copy._client, ClosedGate(FakeGuard(), lambda: "http://api.example/v1"))


def fail(_request: object) -> httpx2.Response:
    raise AssertionError("something was sent")


def dry(client: object, call: object, *args: object, **kwargs: object) -> HttpRequest:
    return dry_request(client, close_off, call, args, kwargs)


@pytest.fixture
def client() -> openai.OpenAI:
    return openai.OpenAI(api_key="key", base_url="http://api.example/v1")


CALLS: dict[str, Callable[[Any], tuple[object, dict[str, Any]]]] = {
    "create": lambda _c: ("chat.completions.create", ASKS),
    "stream": lambda c: (c.chat.completions.create, ASKS | {"stream": True}),
    "parse": lambda c: (c.chat.completions.parse, ASKS | {"response_format": Letter}),
    "extras": lambda _c: (
        "chat.completions.create",
        ASKS | {"extra_body": {"top_k": 3}, "extra_query": {"a": "b"}, "extra_headers": {"x-b": "c"}},
    ),
    "embeddings": lambda c: (c.embeddings.create, {"model": "m", "input": "Ada Roth"}),
    "responses": lambda _c: ("responses.create", {"model": "m", "input": "Ada Roth"}),
    "a list": lambda c: (c.models.list, {}),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])
def test_the_request_is_the_one_that_the_sdk_sends(name: str, module: Any) -> None:  # noqa: ANN401 - either library
    with ModelServer() as server, module.Client() as http_client:
        real = openai.OpenAI(api_key="key", base_url=server.base_url, http_client=http_client, max_retries=0)
        call, options = CALLS[name](real)
        made = dry(real, call, **options)
        assert server.requests == ()
        method = call if callable(call) else partial(_at, real, str(call))
        try:
            method(**options)
        except openai.OpenAIError:
            assert name == "responses"  # which the scripted server does not know
        sent, base_url = server.last, server.base_url
    assert (made.method, made.body) == (sent.method, sent.body)
    assert made.url.removeprefix(base_url) == sent.target.removeprefix("/v1")
    made_headers = {name.decode().lower(): value.decode() for name, value in made.headers}
    sent_headers = {name.lower(): value for name, value in sent.headers if name.lower() in made_headers}
    changing = ("host", "idempotency-key")
    assert {**made_headers, **dict.fromkeys(changing)} == {**sent_headers, **dict.fromkeys(changing)}


def _at(client: object, path: str, **options: object) -> object:
    found: Any = client
    for step in path.split("."):
        found = getattr(found, step)
    return found(**options)


async def test_an_async_client_is_asked_without_a_loop_of_its_own() -> None:
    client = openai.AsyncOpenAI(api_key="key", base_url="http://api.example/v1")
    for call in ("chat.completions.create", client.chat.completions.create):
        made = dry(client, call, **ASKS)
        assert json.loads(made.body) == ASKS
        assert made.url == "http://api.example/v1/chat/completions"
    assert dry(client, client.models.list).url == "http://api.example/v1/models"


def test_a_provider_of_keys_is_not_asked() -> None:
    def provide() -> str:
        raise AssertionError("a key was fetched")

    client = openai.OpenAI(api_key=provide, base_url="http://api.example/v1")
    assert json.loads(dry(client, "chat.completions.create", **ASKS).body) == ASKS


def test_a_method_of_another_client_is_refused_and_not_called(client: openai.OpenAI) -> None:
    other = openai.OpenAI(
        api_key="key", base_url="http://api.example/v1", http_client=httpx2.Client(transport=httpx2.MockTransport(fail))
    )
    for call in (
        other.chat.completions.create,
        client.with_options(timeout=3).chat.completions.create,
        client.chat.completions.with_raw_response.create,
        partial(client.chat.completions.create, model="m"),
        openai.OpenAI.post,
        5,
    ):
        with pytest.raises(ConfigError, match="this very client"):
            dry(client, call, **ASKS)


@pytest.mark.parametrize(
    "path", ["", "chat", "chat.completions", "chat.completions.unheard", "post", "_client.post", "copy", "__class__"]
)
def test_a_path_that_leads_to_no_method_is_told(client: openai.OpenAI, path: str) -> None:
    with pytest.raises(ConfigError, match="path of a method"):
        dry(client, path, **ASKS)


def test_a_call_that_sends_nothing_at_once_is_told(client: openai.OpenAI) -> None:
    with pytest.raises(ConfigError, match="no request at once"):
        dry(client, "chat.completions.stream", **ASKS)


def test_what_the_sdk_says_of_wrong_arguments_is_the_callers(client: openai.OpenAI) -> None:
    with pytest.raises(TypeError):
        dry(client, "chat.completions.create", model="m")
