import copy
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import beta_tool
from pydantic import BaseModel

import privguard
from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError, ProtectionError, UnprotectedRouteError
from privguard.guard import Guard
from privguard.testing import ModelServer, Recorded, Reply, Said, call_tool, say
from privguard_adapters.anthropic import adapter
from privguard_adapters.http_clients import gate_of
from tests.adapters.fake_guard import FakeGuard

TEXT = "I am Ada Roth, ada@roth.example"
MESSAGES: Any = [{"role": "user", "content": TEXT}]
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
TOOL: Any = {"name": "send_mail", "input_schema": SCHEMA}
ASK: Any = {"model": "m", "max_tokens": 99, "messages": MESSAGES}


class Letter(BaseModel):
    to: str


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def guard() -> FakeGuard:
    return FakeGuard()


@pytest.fixture
def plain(server: ModelServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="key", base_url=server.root_url, max_retries=2) as client:
        yield client


@pytest.fixture
def client(plain: anthropic.Anthropic, guard: FakeGuard) -> anthropic.Anthropic:
    return adapter.wrap(plain, guard)


def ask(client: Any, **options: Any) -> str:  # noqa: ANN401 - of the SDK
    return text_of(client.messages.create(**{**ASK, **options}))


def text_of(message: Any) -> str:  # noqa: ANN401 - of the SDK
    return "".join([block.text for block in message.content if block.type == "text"])


def streamed(events: Any) -> str:  # noqa: ANN401 - of the SDK
    return "".join([event.delta.text for event in events if event.type == "content_block_delta"])


def final(manager: Any) -> Any:  # noqa: ANN401 - of the SDK
    with manager as stream:
        return stream.get_final_message()


def test_the_class_is_the_same_and_the_client_stays_as_it_is(plain: anthropic.Anthropic, guard: FakeGuard) -> None:
    before = dict(plain.__dict__)
    wrapped = adapter.wrap(plain, guard)
    assert type(wrapped) is anthropic.Anthropic
    assert {name: value for name, value in plain.__dict__.items() if name in before} == before
    assert gate_of(plain._client) is None
    assert (wrapped.api_key, wrapped.base_url, wrapped.max_retries, wrapped.timeout) == (
        plain.api_key,
        plain.base_url,
        plain.max_retries,
        plain.timeout,
    )


def test_the_client_that_was_wrapped_still_sends_what_it_is_given(
    plain: anthropic.Anthropic, client: anthropic.Anthropic, server: ModelServer
) -> None:
    ask(client)
    assert b"Ada" not in server.last.wire
    ask(plain)
    assert b"Ada" in server.last.wire


CALLS: dict[str, Callable[[anthropic.Anthropic], str]] = {
    "create": ask,
    "stream": lambda c: streamed(c.messages.create(**ASK, stream=True)),
    "helper": lambda c: text_of(final(c.messages.stream(**ASK))),
    "beta": lambda c: text_of(c.beta.messages.create(**ASK, betas=["context-management-2025-06-27"])),
    "beta helper": lambda c: text_of(final(c.beta.messages.stream(**ASK))),
    "raw": lambda c: text_of(c.messages.with_raw_response.create(**ASK).parse()),
    "with_options": lambda c: ask(c.with_options(timeout=9)),
    "with_middleware": lambda c: ask(c.with_middleware(lambda request, following: following(request))),
    "copy": lambda c: ask(c.copy().copy(max_retries=0)),
    "copy.copy": lambda c: ask(copy.copy(c)),
    "post": lambda c: c.post("/v1/messages", cast_to=httpx2.Response, body=ASK).json()["content"][0]["text"],
    "system": lambda c: ask(c, system=[{"type": "text", "text": "ada@roth.example"}]),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_way_to_call_is_protected_and_restored(
    name: str, client: anthropic.Anthropic, server: ModelServer
) -> None:
    assert CALLS[name](client) == TEXT
    assert server.requests
    assert all(b"Ada" not in request.wire and b"roth.example" not in request.wire for request in server.requests)


def test_streaming_responses_are_restored(client: anthropic.Anthropic) -> None:
    with client.messages.with_streaming_response.create(**ASK) as response:
        assert "Ada Roth" in b"".join(response.iter_bytes()).decode()
    with client.messages.with_streaming_response.create(**ASK, stream=True) as response:
        assert "Ada Roth" in "".join(response.iter_text())


@pytest.mark.parametrize("every", range(1, 20))
def test_the_stream_is_the_whole_for_every_cut(server: ModelServer, client: anthropic.Anthropic, every: int) -> None:
    server.script(Reply(cut_every=every, delta_every=every), Reply(speak=call_tool, delta_every=every))
    assert text_of(final(client.messages.stream(**ASK))) == TEXT
    (call,) = final(client.messages.stream(**ASK, tools=[TOOL])).content
    assert call.input == {"to": "Ada Roth"}


def test_parsed_models_hold_real_values(client: anthropic.Anthropic) -> None:
    parsed = client.messages.parse(**ASK, output_format=Letter)
    assert parsed.parsed_output is not None
    assert "[" not in parsed.parsed_output.to
    assert final(client.messages.stream(**ASK, output_format=Letter)).parsed_output == parsed.parsed_output


@pytest.mark.parametrize("stream", [False, True])
def test_the_tool_runner_sends_whole_conversations_and_its_tools_get_real_values(
    client: anthropic.Anthropic, server: ModelServer, stream: bool
) -> None:
    got: list[str] = []

    @beta_tool
    def send_mail(to: str) -> str:
        """Send a mail.

        Args:
            to: whom to send it to.
        """
        got.append(to)
        return f"Sent to {to}."

    runner: Any = client.beta.messages.tool_runner(**ASK, tools=[send_mail], stream=stream)
    last = [each.get_final_message() for each in runner][-1] if stream else runner.until_done()
    assert text_of(last) == "Sent to Ada Roth."
    assert got == ["Ada Roth"]
    first, second = (request.json() for request in server.requests)
    assert "thread" not in first
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert b"Ada" not in server.wire


def test_what_the_model_thinks_goes_back_as_it_came(client: anthropic.Anthropic, server: ModelServer) -> None:
    def think(request: Recorded) -> Said:
        return Said(thinking=f"It is {request.placeholders()[0]}, née Kole.", text=str(request.placeholders()[0]))

    server.script(Reply(speak=think), Reply(speak=think))
    for answer in (client.messages.create(**ASK), final(client.messages.stream(**ASK))):
        assert (answer.content[0].thinking, text_of(answer)) == ("It is [PERSON_7QK2], née Kole.", "Ada Roth")
        history = [*MESSAGES, {"role": "assistant", "content": answer.content}, {"role": "user", "content": "Go on."}]
        client.messages.create(model="m", max_tokens=9, messages=history)
        thought = server.last.json()["messages"][1]["content"][0]
        assert {name: thought[name] for name in ("thinking", "signature")} == {
            "thinking": answer.content[0].thinking,
            "signature": answer.content[0].signature,
        }


def test_citations_are_those_of_the_callers_document(client: anthropic.Anthropic, server: ModelServer) -> None:
    data = "One. It is Ada Roth, who wrote. Two."
    source = {"type": "text", "media_type": "text/plain", "data": data}
    asked: Any = [{"role": "user", "content": [{"type": "document", "source": source, "title": "Ada Roth"}]}]
    server.script(*[Reply(speak=say("So."), annotate=True)] * 2)
    options: Any = {"model": "m", "max_tokens": 9, "messages": asked}
    for answer in (client.messages.create(**options), final(client.messages.stream(**options))):
        (cited,) = answer.content[0].citations
        assert data[cited.start_char_index : cited.end_char_index] == cited.cited_text == "Ada Roth"
        assert cited.document_title == "Ada Roth"
    assert b"Ada" not in server.wire


def test_tokens_are_counted_and_models_are_listed(client: anthropic.Anthropic, server: ModelServer) -> None:
    assert client.messages.count_tokens(model="m", messages=MESSAGES).input_tokens
    assert client.beta.messages.count_tokens(model="m", messages=MESSAGES).input_tokens
    assert b"Ada" not in server.wire
    assert [model.id for model in client.models.list()]
    assert client.models.retrieve("scripted").id


def test_a_retry_sends_the_same_bytes(server: ModelServer, client: anthropic.Anthropic, guard: FakeGuard) -> None:
    server.script(Reply.rate_limited(), Reply.rate_limited())
    assert ask(client) == TEXT
    assert len({request.body for request in server.requests}) == 1
    assert guard.outcomes == [Outcome.FAILED, Outcome.FAILED, Outcome.DONE]


def test_an_error_of_the_provider_is_the_error_of_the_sdk(server: ModelServer, client: anthropic.Anthropic) -> None:
    server.script(Reply(status=400))
    with pytest.raises(anthropic.BadRequestError):
        ask(client)


def test_a_lost_connection_is_the_error_of_the_sdk(client: anthropic.Anthropic) -> None:
    client.base_url = "http://127.0.0.1:1"
    with pytest.raises(anthropic.APIConnectionError):
        ask(client.with_options(max_retries=0))


def test_leaving_a_stream_is_recorded(client: anthropic.Anthropic, guard: FakeGuard) -> None:
    with client.messages.create(**ASK, stream=True) as stream:
        next(iter(stream))
    assert guard.outcomes == [Outcome.ABANDONED]


def test_other_hosts_and_routes_are_refused_at_once_by_an_error_of_ours(
    client: anthropic.Anthropic, server: ModelServer, guard: FakeGuard
) -> None:
    calls: list[Callable[[], object]] = [
        lambda: client.messages.batches.create(requests=[{"custom_id": "c", "params": ASK}]),  # without a vault
        client.beta.sessions.list,
        lambda: client.files.upload(file=("a.txt", b"Ada Roth")),
        lambda: client.beta.messages.create(**ASK, thread={"type": "create"}),
        lambda: client.post("https://other.example/v1/messages", cast_to=object, body=ASK),
        lambda: ask(client, extra_headers={"x-note": "Ada Roth"}),
        lambda: ask(client, extra_query={"q": "Ada Roth"}),
        lambda: ask(client.with_middleware(lambda request, following: following(request)), model="Ada Roth"),
        lambda: client.models.retrieve("4111111111111111"),
    ]
    for call in calls:
        with pytest.raises(ProtectionError) as caught:
            call()
        assert "Ada" not in str(caught.value)
        assert not isinstance(caught.value.__context__, anthropic.AnthropicError)
    assert server.requests == ()
    assert len(guard.blocked) + len(guard.exchanges) == len(calls)


def test_a_thread_cannot_be_begun(client: anthropic.Anthropic) -> None:
    with pytest.raises(anthropic.AnthropicError, match="not available"):
        client.beta.messages.thread(**ASK)


def test_a_new_http_client_or_base_url_of_a_copy_is_protected(client: anthropic.Anthropic, server: ModelServer) -> None:
    with ModelServer() as other, httpx2.Client() as fresh:
        for changed in (client.with_options(http_client=fresh), client.copy(base_url=other.root_url)):
            assert ask(changed) == TEXT
        assert b"Ada" not in server.wire + other.wire
        assert len(other.requests) == 1


def test_the_callers_own_http_client_keeps_its_settings(server: ModelServer, guard: FakeGuard) -> None:
    seen: list[str] = []
    hooks: Any = {"request": [lambda request: seen.append(request.method)]}
    with httpx2.Client(headers={"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}, event_hooks=hooks) as own:
        plain = anthropic.Anthropic(auth_token="token", base_url=server.root_url, http_client=own)
        assert ask(adapter.wrap(plain, guard)) == TEXT
    assert seen == ["POST"]
    assert server.last.header("traceparent")
    assert server.last.header("authorization") == "Bearer token"


def test_a_provider_of_tokens_is_asked_above_the_guard(server: ModelServer, guard: FakeGuard) -> None:
    def token(*, force_refresh: bool = False) -> Any:  # noqa: ANN401 - of the SDK
        return anthropic.AccessToken(token="fresh", expires_at=None)

    with anthropic.Anthropic(credentials=token, base_url=server.root_url) as plain:
        assert ask(adapter.wrap(plain, guard)) == TEXT
    assert server.last.header("authorization") == "Bearer fresh"


def test_wrapping_twice_guards_once(plain: anthropic.Anthropic, guard: FakeGuard) -> None:
    client = adapter.wrap(plain, guard)
    assert adapter.wrap(client, guard) is client
    other = FakeGuard()
    assert ask(adapter.wrap(client, other)) == TEXT
    assert (len(guard.exchanges), len(other.exchanges)) == (0, 1)


def test_the_profile_header_is_stripped(client: anthropic.Anthropic, server: ModelServer, guard: FakeGuard) -> None:
    ask(client, extra_headers={"X-Privguard-Profile": "strict"})
    assert guard.profiles == ["strict"]
    assert b"rivguard" not in server.last.wire


def test_where_there_is_nothing_to_minimize_the_bytes_are_the_same(
    plain: anthropic.Anthropic, client: anthropic.Anthropic, server: ModelServer
) -> None:
    asked: Any = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "Say hé 😀"}],
        "tools": [TOOL],
    }
    for stream in (False, True):
        answers = []
        server.script(*[Reply(speak=say("plain text, é"))] * 2)
        for each in (plain, client):
            answer = each.messages.create(**asked, extra_body={"unheard": [1.50, {"of": None}]}, stream=stream)
            answers.append(streamed(answer) if stream else text_of(answer))
        first, second = server.requests[-2:]
        assert (first.body, first.headers) == (second.body, second.headers)
        assert answers[0] == answers[1] == "plain text, é"


def test_the_logs_of_the_sdk_show_no_content_of_a_protected_client(
    plain: anthropic.Anthropic, client: anthropic.Anthropic, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="anthropic._base_client")
    ask(client)
    with pytest.raises(ProtectionError):
        ask(client, extra_query={"q": "Ada Roth"})
    assert "Ada" not in caplog.text
    assert "200 OK" in caplog.text
    ask(plain)
    assert "Ada" in caplog.text


async def test_the_async_client_is_protected_too(server: ModelServer, guard: FakeGuard) -> None:
    async with anthropic.AsyncAnthropic(api_key="key", base_url=server.root_url) as plain:
        client = adapter.wrap(plain, guard)
        assert type(client) is anthropic.AsyncAnthropic
        assert text_of(await client.messages.create(**ASK)) == TEXT
        async with client.with_options(timeout=9).messages.stream(**ASK) as stream:
            assert text_of(await stream.get_final_message()) == TEXT
        with pytest.raises(UnprotectedRouteError):
            await client.files.list()
        server.script(Reply.rate_limited())
        assert text_of(await client.messages.create(**ASK)) == TEXT
        assert b"Ada" not in server.wire
    assert guard.outcomes == [Outcome.DONE, Outcome.DONE, Outcome.FAILED, Outcome.DONE]


async def test_clients_of_foundry_are_protected_too(server: ModelServer, guard: FakeGuard) -> None:
    with anthropic.AnthropicFoundry(api_key="key", base_url=server.root_url) as plain:
        assert adapter.matches(plain)
        client = adapter.wrap(plain, guard)
        assert type(client) is anthropic.AnthropicFoundry
        assert ask(client.with_options(timeout=9)) == TEXT
        assert text_of(final(client.beta.messages.stream(**ASK))) == TEXT
        assert server.last.header("x-api-key") == "key"
    async with anthropic.AsyncAnthropicFoundry(
        azure_ad_token_provider=lambda: "token", base_url=server.root_url
    ) as later:
        assert text_of(await adapter.wrap(later, guard).messages.create(**ASK)) == TEXT
    assert server.last.header("authorization") == "Bearer token"
    assert b"Ada" not in server.wire


def test_other_clients_do_not_match_and_those_of_other_platforms_are_refused(guard: FakeGuard) -> None:
    assert not adapter.matches(object())
    with anthropic.AnthropicAWS(api_key="k", aws_region="r", workspace_id="w") as aws:
        assert adapter.matches(aws)
        assert not adapter.matches(aws.messages)
        with pytest.raises(ConfigError, match=r"AnthropicAWS.*privguard\.minimize\(\) works"):
            adapter.wrap(aws, guard)


def test_a_class_that_a_user_derives_is_kept(server: ModelServer, guard: FakeGuard) -> None:
    class Mine(anthropic.Anthropic):
        pass

    with Mine(api_key="key", base_url=server.root_url) as mine:
        assert adapter.matches(mine)
        client = adapter.wrap(mine, guard)
        assert type(client) is Mine
        assert json.loads(json.dumps(ask(client))) == TEXT


def test_a_preview_shows_what_would_leave_and_sends_nothing(
    server: ModelServer, real_guard: Guard, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="anthropic._base_client")
    with anthropic.Anthropic(api_key="key", base_url=server.root_url) as plain:
        client = adapter.wrap(plain, real_guard)
        shown = privguard.session(client).preview(**ASK)
        assert b"Ada" not in shown.body
        assert server.requests == ()
        ask(client.with_options(timeout=9))
        assert server.last.body == shown.body
        assert shown.route == "anthropic.messages"
        later = adapter.wrap(anthropic.AsyncAnthropic(api_key="key", base_url=server.root_url), real_guard)
        assert privguard.session(later).preview(**ASK).body == shown.body
        assert "Ada" not in caplog.text
        assert privguard.session(client).last_exchange() is not None
