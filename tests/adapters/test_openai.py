import asyncio
import copy
import json
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import httpx
import httpx2
import openai
import pytest
from pydantic import BaseModel

from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError, ProtectionError, UnprotectedRouteError
from privguard.testing import ModelServer, Reply, call_tool, say
from privguard_adapters.http_clients import gate_of
from privguard_adapters.openai import adapter
from tests.adapters.fake_guard import FakeGuard

MESSAGES: Any = [{"role": "user", "content": "I am Ada Roth, ada@roth.example"}]
TEXT = "I am Ada Roth, ada@roth.example"
SOCKETS = ["realtime", "realtime.translations", "beta.realtime", "beta.responses", "responses", "live", "live.sideband"]
TOOL: Any = {
    "type": "function",
    "function": {
        "name": "send_mail",
        "parameters": {
            "type": "object",
            "properties": {"to": {"type": "string"}},
            "required": ["to"],
            "additionalProperties": False,
        },
        "strict": True,
    },
}


class Letter(BaseModel):
    to: str


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def guard() -> FakeGuard:
    return FakeGuard()


@pytest.fixture
def plain(server: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=2) as client:
        yield client


@pytest.fixture
def client(plain: openai.OpenAI, guard: FakeGuard) -> openai.OpenAI:
    return adapter.wrap(plain, guard)


def ask(client: openai.OpenAI, **options: Any) -> Any:  # noqa: ANN401 - of the SDK
    return client.chat.completions.create(model="m", messages=MESSAGES, **options)


def resource(client: object, path: str) -> Any:  # noqa: ANN401 - of the SDK
    for step in path.split("."):
        client = getattr(client, step)
    return client


def test_the_class_is_the_same_and_the_client_stays_as_it_is(plain: openai.OpenAI, guard: FakeGuard) -> None:
    before = dict(plain.__dict__)
    wrapped = adapter.wrap(plain, guard)
    assert type(wrapped) is openai.OpenAI
    assert {name: value for name, value in plain.__dict__.items() if name in before} == before
    assert gate_of(plain._client) is None
    assert (wrapped.api_key, wrapped.base_url, wrapped.max_retries, wrapped.timeout) == (
        plain.api_key,
        plain.base_url,
        plain.max_retries,
        plain.timeout,
    )


def test_the_client_that_was_wrapped_still_sends_what_it_is_given(
    plain: openai.OpenAI, client: openai.OpenAI, server: ModelServer
) -> None:
    ask(client)
    assert b"Ada" not in server.last.wire
    ask(plain)
    assert b"Ada" in server.last.wire


CALLS: dict[str, Callable[[openai.OpenAI], str]] = {
    "create": lambda c: ask(c).choices[0].message.content,
    "n": lambda c: ask(c, n=3).choices[2].message.content,
    "stream": lambda c: "".join(x.choices[0].delta.content or "" for x in ask(c, stream=True) if x.choices),
    "raw": lambda c: (
        c.chat.completions.with_raw_response.create(model="m", messages=MESSAGES).parse().choices[0].message.content
        or ""
    ),
    "with_options": lambda c: ask(c.with_options(timeout=9)).choices[0].message.content,
    "copy": lambda c: ask(c.copy().copy(max_retries=0)).choices[0].message.content,
    "copy.copy": lambda c: ask(copy.copy(c)).choices[0].message.content,
    "copy.copy.with_options": lambda c: ask(copy.copy(c).with_options(timeout=9)).choices[0].message.content,
    "post": lambda c: c.post(
        "/chat/completions", cast_to=httpx2.Response, body={"model": "m", "messages": MESSAGES}
    ).json()["choices"][0]["message"]["content"],
    "absolute": lambda c: c.post(
        f"{c.base_url}chat/completions", cast_to=httpx2.Response, body={"model": "m", "messages": MESSAGES}
    ).json()["choices"][0]["message"]["content"],
    "completions": lambda c: c.completions.create(model="m", prompt=TEXT).choices[0].text,
    "completions stream": lambda c: "".join(
        x.choices[0].text for x in c.completions.create(model="m", prompt=TEXT, stream=True)
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_way_to_call_is_protected_and_restored(name: str, client: openai.OpenAI, server: ModelServer) -> None:
    assert CALLS[name](client) == TEXT
    assert server.requests
    assert all(b"Ada" not in request.wire and b"roth.example" not in request.wire for request in server.requests)


def test_streaming_responses_are_restored(client: openai.OpenAI) -> None:
    with client.chat.completions.with_streaming_response.create(model="m", messages=MESSAGES) as response:
        assert "Ada Roth" in b"".join(response.iter_bytes()).decode()
    with client.chat.completions.with_streaming_response.create(model="m", messages=MESSAGES, stream=True) as response:
        assert "Ada Roth" in "".join(response.iter_text())


def test_the_stream_helper_sees_restored_text(client: openai.OpenAI, guard: FakeGuard) -> None:
    with client.chat.completions.stream(model="m", messages=MESSAGES) as stream:
        deltas = "".join(event.delta for event in stream if event.type == "content.delta")
        done = stream.get_final_completion()
    assert deltas == done.choices[0].message.content == TEXT
    assert guard.outcomes == [Outcome.DONE]


@pytest.mark.parametrize("every", [1, 3, 7])
def test_parsed_models_and_tools_hold_real_values(server: ModelServer, client: openai.OpenAI, every: int) -> None:
    server.script(*[Reply(delta_every=every)] * 2, *[Reply(speak=call_tool, delta_every=every)] * 2)
    parsed = client.chat.completions.parse(model="m", messages=MESSAGES, response_format=Letter)
    assert parsed.choices[0].message.parsed is not None
    assert "[" not in parsed.choices[0].message.parsed.to
    with client.chat.completions.stream(model="m", messages=MESSAGES, response_format=Letter) as stream:
        assert stream.get_final_completion().choices[0].message.parsed == parsed.choices[0].message.parsed
    call = ask(client, tools=[TOOL]).choices[0].message.tool_calls[0]
    assert "[" not in call.function.arguments
    with client.chat.completions.stream(model="m", messages=MESSAGES, tools=[TOOL]) as stream:
        tools = stream.get_final_completion().choices[0].message.tool_calls
    assert tools is not None
    assert tools[0].function.parsed_arguments == json.loads(call.function.arguments)


@pytest.mark.parametrize("every", range(1, 20))
def test_the_stream_is_the_whole_for_every_cut(server: ModelServer, client: openai.OpenAI, every: int) -> None:
    server.script(Reply(cut_every=every, delta_every=every))
    stream = ask(client, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices) == TEXT


def test_a_retry_sends_the_same_bytes(server: ModelServer, client: openai.OpenAI, guard: FakeGuard) -> None:
    server.script(Reply.rate_limited(), Reply.rate_limited())
    assert ask(client).choices[0].message.content == TEXT
    assert len({request.body for request in server.requests}) == 1
    assert guard.outcomes == [Outcome.FAILED, Outcome.FAILED, Outcome.DONE]


def test_an_error_of_the_provider_is_the_error_of_the_sdk(server: ModelServer, client: openai.OpenAI) -> None:
    server.script(Reply(status=400))
    with pytest.raises(openai.BadRequestError):
        ask(client)


def test_a_broken_stream_is_the_error_of_the_sdk(server: ModelServer, client: openai.OpenAI, guard: FakeGuard) -> None:
    server.script(Reply(drop_after=200))
    with pytest.raises(openai.APIConnectionError):
        list(ask(client, stream=True))
    assert guard.outcomes == [Outcome.FAILED]


def test_an_error_of_the_guard_that_the_sdk_takes_for_one_of_the_connection_comes_as_it_is(
    plain: openai.OpenAI, guard: FakeGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As version 2 of the SDK does with whatever its HTTP client raises.
    refused, lost = UnprotectedRouteError("nothing was sent"), OSError("reset")
    request = httpx2.Request("POST", "https://host.example")

    def fail(cause: Exception) -> NoReturn:
        raise openai.APIConnectionError(request=request) from cause

    async def fail_later(cause: Exception) -> NoReturn:
        fail(cause)

    monkeypatch.setattr(openai.OpenAI, "request", lambda _self, cause: fail(cause))
    monkeypatch.setattr(openai.AsyncOpenAI, "request", lambda _self, cause: fail_later(cause))
    client: Any = adapter.wrap(plain, guard)
    other: Any = adapter.wrap(openai.AsyncOpenAI(api_key="key", base_url=plain.base_url), guard)
    for ask_for in (
        client.request,
        client.with_options(timeout=3).request,
        lambda cause: asyncio.run(other.request(cause)),
    ):
        with pytest.raises(UnprotectedRouteError) as raised:
            ask_for(refused)
        assert raised.value is refused
        with pytest.raises(openai.APIConnectionError):
            ask_for(lost)


def test_leaving_a_stream_is_recorded(server: ModelServer, client: openai.OpenAI, guard: FakeGuard) -> None:
    with ask(client, stream=True) as stream:
        next(iter(stream))
    assert guard.outcomes == [Outcome.ABANDONED]


@pytest.mark.parametrize("path", SOCKETS)
def test_websockets_are_refused_before_anything_is_sent(
    path: str, client: openai.OpenAI, server: ModelServer, guard: FakeGuard
) -> None:
    for protected in (client, client.with_options(timeout=3), copy.copy(client)):
        with pytest.raises(UnprotectedRouteError, match=path):
            resource(protected, path).connect(model="m")
    assert server.requests == ()
    assert guard.blocked[0] == (f"openai.{path}.connect", "UnprotectedRouteError")


def test_a_websocket_that_is_not_known_by_name_is_refused_as_well(client: openai.OpenAI) -> None:
    options: Any = openai._models.FinalRequestOptions.construct(method="get", url="wss://host.example/v1/unheard")
    with pytest.raises(UnprotectedRouteError):
        client._prepare_options(options)
    with pytest.raises(UnprotectedRouteError):
        client._websocket_query_params(httpx2.URL("wss://host.example"), {})


def test_libraries_that_open_a_websocket_themselves_find_no_address_for_it(
    plain: openai.OpenAI, client: openai.OpenAI
) -> None:
    # They read it off the client, as they do the headers, and send what the guard has not seen.
    other = client.with_options(websocket_base_url="wss://host.example/v1")
    for protected in (client, client.with_options(timeout=3), copy.copy(client), other):
        assert httpx2.URL(protected.websocket_base_url or protected.base_url).host.endswith(".invalid")
        assert ask(protected).choices[0].message.content == TEXT
    assert plain.websocket_base_url is None


def test_other_hosts_and_routes_are_refused(client: openai.OpenAI, server: ModelServer) -> None:
    for call in (
        lambda: client.responses.compact(model="m", input=TEXT),
        lambda: client.uploads.create(bytes=1, filename="Ada Roth", mime_type="x", purpose="batch"),
        lambda: client.post("https://other.example/v1/chat/completions", cast_to=object, body={"model": "m"}),
        lambda: client.images.generate(prompt=TEXT),
        lambda: ask(client, extra_headers={"x-note": "Ada Roth"}),
        lambda: ask(client, extra_query={"q": "Ada Roth"}),
        lambda: client.models.retrieve("4111111111111111"),
    ):
        with pytest.raises(ProtectionError) as caught:
            call()
        assert "Ada" not in str(caught.value)
    assert server.requests == ()


def test_a_new_http_client_or_base_url_of_a_copy_is_protected(
    client: openai.OpenAI, server: ModelServer, guard: FakeGuard
) -> None:
    with ModelServer() as other, httpx2.Client() as fresh, httpx.Client() as legacy:
        for changed in (
            client.with_options(http_client=fresh),
            client.with_options(http_client=legacy),  # type: ignore[arg-type]  # the SDK takes both
            client.copy(base_url=other.base_url),
        ):
            assert ask(changed).choices[0].message.content == TEXT
        assert b"Ada" not in server.wire + other.wire
        assert len(other.requests) == 1
    client.base_url = "http://127.0.0.1:1/v1"
    with pytest.raises(openai.APIConnectionError):
        ask(client.with_options(max_retries=0))


@pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])
def test_the_callers_own_http_client_keeps_its_settings(module: Any, server: ModelServer, guard: FakeGuard) -> None:  # noqa: ANN401
    seen: list[str] = []
    hooks = {"request": [lambda request: seen.append(request.method)]}
    with module.Client(headers={"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}, event_hooks=hooks, timeout=5) as own:
        client = adapter.wrap(openai.OpenAI(api_key="key", base_url=server.base_url, http_client=own), guard)
        assert ask(client).choices[0].message.content == TEXT
        assert seen == ["POST"]
        assert server.last.header("traceparent")
        assert isinstance(client._client, module.Client)


def test_wrapping_twice_guards_once(plain: openai.OpenAI, guard: FakeGuard) -> None:
    client = adapter.wrap(plain, guard)
    assert adapter.wrap(client, guard) is client
    other = FakeGuard()
    assert ask(adapter.wrap(client, other)).choices[0].message.content == TEXT
    assert (len(guard.exchanges), len(other.exchanges)) == (0, 1)


def test_the_profile_header_is_stripped(client: openai.OpenAI, server: ModelServer, guard: FakeGuard) -> None:
    ask(client, extra_headers={"X-Privguard-Profile": "strict"})
    assert guard.profiles == ["strict"]
    assert b"rivguard" not in server.last.wire


def test_where_there_is_nothing_to_minimize_the_bytes_are_the_same(
    plain: openai.OpenAI, client: openai.OpenAI, server: ModelServer
) -> None:
    for stream in (False, True):
        answers = []
        server.script(*[Reply(speak=say("plain text, é"))] * 2)
        for each in (plain, client):
            answer = each.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Say hé 😀"}], tools=[TOOL], tool_choice="none",
                extra_body={"unheard": [1.50, {"of": None}]}, stream=stream,
            )  # fmt: skip
            answers.append(list(answer) if stream else answer)
        first, second = server.requests[-2:]
        assert (first.body, first.headers) == (second.body, second.headers)
        assert [without_id(each) for each in answers[:1]] == [without_id(each) for each in answers[1:]]


def without_id(answer: Any) -> Any:  # noqa: ANN401 - of the SDK
    if isinstance(answer, list):
        return [without_id(each) for each in answer]
    return answer.model_dump(exclude={"id"})


def test_embeddings_are_minimized_and_models_are_listed(client: openai.OpenAI, server: ModelServer) -> None:
    assert client.embeddings.create(model="e", input=[TEXT]).data
    assert b"Ada" not in server.last.wire
    assert [model.id for model in client.models.list()]
    assert client.models.retrieve("scripted").id


async def test_the_async_client_is_protected_too(server: ModelServer, guard: FakeGuard) -> None:
    async with openai.AsyncOpenAI(api_key="key", base_url=server.base_url) as plain:
        client = adapter.wrap(plain, guard)
        assert type(client) is openai.AsyncOpenAI
        answer = await client.chat.completions.create(model="m", messages=MESSAGES)
        assert answer.choices[0].message.content == TEXT
        async with client.with_options(timeout=9).chat.completions.stream(model="m", messages=MESSAGES) as stream:
            assert (await stream.get_final_completion()).choices[0].message.content == TEXT
        with pytest.raises(UnprotectedRouteError):
            await client.responses.compact(model="m", input=TEXT)
        with pytest.raises(UnprotectedRouteError):
            client.realtime.connect(model="m")
        assert b"Ada" not in server.wire
    assert guard.outcomes == [Outcome.DONE, Outcome.DONE]


def test_other_clients_do_not_match_and_special_ones_are_refused(guard: FakeGuard) -> None:
    assert not adapter.matches(object())
    bedrock = object.__new__(openai.BedrockOpenAI)
    assert adapter.matches(bedrock)
    with pytest.raises(ConfigError, match=r"BedrockOpenAI is not supported.*privguard\.minimize\(\) works"):
        adapter.wrap(bedrock, guard)
    with openai.OpenAI(api_key="k") as client:
        assert adapter.matches(client)
        client._provider = openai._provider._Provider()
        with pytest.raises(ConfigError, match="provider"):
            adapter.wrap(client, guard)


def test_a_class_that_a_user_derives_is_kept(server: ModelServer, guard: FakeGuard) -> None:
    class Mine(openai.OpenAI):
        pass

    with Mine(api_key="key", base_url=server.base_url) as mine:
        client = adapter.wrap(mine, guard)
        assert type(client) is Mine
        assert ask(client).choices[0].message.content == TEXT


def test_a_wrapped_client_outlives_the_one_that_was_wrapped(server: ModelServer, guard: FakeGuard) -> None:
    client = adapter.wrap(openai.OpenAI(api_key="key", base_url=server.base_url), guard)
    assert ask(client).choices[0].message.content == TEXT
    client.close()
    with pytest.raises(RuntimeError, match="closed"):
        ask(client)


def test_closing_a_wrapped_client_leaves_the_other_usable(plain: openai.OpenAI, guard: FakeGuard) -> None:
    with adapter.wrap(plain, guard) as client:
        ask(client)
    assert ask(plain).choices[0].message.content == TEXT


def test_a_literal_reply_passes(server: ModelServer, client: openai.OpenAI) -> None:
    server.script(Reply(speak=say("plain [1] text")))
    assert ask(client).choices[0].message.content == "plain [1] text"
