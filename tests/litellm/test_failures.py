"""What LiteLLM says of a failure: with the real values for the caller, and as it came for its loggers."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

import litellm
from litellm.exceptions import BadRequestError, MidStreamFallbackError
from litellm.proxy._types import UserAPIKeyAuth

from privguard.guard import Guard
from privguard.testing import Canary, ListSink, ModelServer, Reply, say
from privguard_adapters.litellm import LiteLLM
from privguard_adapters.litellm.failures import close_failed, with_words
from privguard_adapters.litellm.guardrail import Guardrail
from privguard_adapters.litellm.opening import ask, gate_of
from privguard_adapters.litellm.retelling import retold
from privguard_adapters.litellm.streams import RestoredStream
from tests.litellm.test_proxied import data_of

PERSON = Canary.person().value
USER: Any = [{"role": "user", "content": f"I am {PERSON}"}]


def chunk(text: str) -> Any:  # noqa: ANN401 - of LiteLLM
    return litellm.ModelResponseStream(choices=[{"index": 0, "delta": {"content": text}}])


def error_about(said: str) -> Any:  # noqa: ANN401 - likewise
    inner = BadRequestError(message=f"bad: {said}", model="x", llm_provider="openai")
    return MidStreamFallbackError(message=str(inner), model="x", llm_provider="openai", original_exception=inner)


def read(stream: Any) -> tuple[str, Any]:  # noqa: ANN401 - likewise
    """Return the text that came, and the error behind it."""
    came = ""
    try:
        for each in stream:
            came += each.choices[0].delta.content or ""
    except MidStreamFallbackError as error:
        return came, error
    return came, None


def opened(guard: Guard) -> tuple[Any, str]:
    gate = gate_of(guard)
    call = gate.open(ask(gate, "completion", lambda: {"model": "m", "messages": USER}).request)
    return call, call.request.body.decode().partition("I am ")[2].partition('"')[0]


@pytest.mark.parametrize("cut", [1, 9])
def test_what_is_held_back_comes_before_the_error_which_says_the_values(guard: Guard, sink: ListSink, cut: int) -> None:
    call, placeholder = opened(guard)
    raised = error_about(placeholder)

    def source() -> Iterator[Any]:
        text = f"Hello {placeholder}"
        yield chunk(text[:-cut])
        yield chunk(text[-cut:])
        raise raised

    stream = RestoredStream(source(), call)
    came, error = read(stream)
    assert came == f"Hello {PERSON}"
    assert PERSON in error.message
    assert placeholder not in f"{error} {error!r}"
    assert placeholder in str(raised)
    assert list(stream) == []
    assert [(record.outcome.value, record.error) for record in sink.records] == [("failed", "MidStreamFallbackError")]


def test_a_dropped_connection_loses_nothing_that_came(guard: Guard, server: ModelServer) -> None:
    def events() -> Any:  # noqa: ANN401 - of LiteLLM
        options = {"api_base": server.base_url, "api_key": "key", "max_retries": 0, "stream": True}
        return LiteLLM(guard).completion(model="openai/gpt-4o", messages=USER, **options)

    text = "Dear [PERSON"  # R holds the second word back
    server.script(Reply(speak=say(text)))
    list(events())
    last = server.sent[-1].index(b'finish_reason": "stop')
    server.script(Reply(speak=say(text), drop_after=last))
    came, error = read(events())
    assert (came, type(error)) == (text, MidStreamFallbackError)


def test_an_error_says_the_values_and_its_loggers_have_it_as_it_came(guard: Guard) -> None:
    call, placeholder = opened(guard)
    raised = error_about(placeholder)
    told = with_words(raised, close_failed(call, raised))
    assert type(told) is MidStreamFallbackError
    assert (told.status_code, told.model) == (400, "x")
    assert PERSON in str(told.original_exception)
    assert placeholder in str(raised)


def test_an_error_that_says_nothing_is_the_same() -> None:
    raised = ValueError("x")
    assert with_words(raised, {}) is raised


def test_the_proxy_tells_an_error_in_the_midst_of_a_stream_with_the_values(
    monkeypatch: pytest.MonkeyPatch, guard: Guard
) -> None:
    monkeypatch.setattr(Guardrail, "make_guard", lambda _self: guard)
    made, key = Guardrail(), UserAPIKeyAuth(api_key="key")
    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401 - of ASGI
        sent.append(message)

    async def source(placeholder: str) -> AsyncIterator[Any]:
        yield chunk(f"Hello {placeholder[:-1]}")
        raise error_about(placeholder)

    async def answer() -> tuple[str, Any]:
        data = await made.async_pre_call_hook(key, object(), data_of(), "acompletion")
        events, came = source(data["messages"][0]["content"].removeprefix("I am ")), ""
        with retold(send) as sending:
            await sending({"type": "http.response.start", "status": 200, "headers": []})
            try:
                async for each in made.async_post_call_streaming_iterator_hook(key, events, data):
                    came += each.choices[0].delta.content or ""
            except MidStreamFallbackError as error:
                body = f"data: {json.dumps({'error': {'message': error.message}})}\n\n".encode()
                await sending({"type": "http.response.body", "body": body, "more_body": True})
                return came, error
        return came, None

    came, raised = asyncio.run(answer())
    assert came == f"Hello {PERSON}"
    assert PERSON.encode() in sent[-1]["body"]
    assert PERSON not in str(raised)  # loggers are told of it
