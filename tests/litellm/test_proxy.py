"""The real proxy of LiteLLM with two workers, asked by the SDKs of its callers, before the scripted server."""

import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

import anthropic
import httpx
import openai

from benchmarks.proxy.running import KEY, Proxy, config, redis, running
from privguard.testing import Canary, ModelServer, Recorded, Reply, all_canaries, call_tool, find_canaries, say
from tests.sockets import SHORT

CANARIES = all_canaries()
PERSON, EMAIL = Canary.person().value, Canary.email().value
TEXT = "Please write to " + ", ".join(each.value for each in CANARIES if each != Canary.url()) + ". Thank you!"
USER: Any = [{"role": "user", "content": TEXT}]
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A proxy, the server behind it, and what its loggers were told."""

    proxy: Proxy
    server: ModelServer
    logged: Path

    @property
    def sent(self) -> tuple[Recorded, ...]:
        """Return what was sent for callers: a worker that starts asks for the models by itself."""
        return tuple([request for request in self.server.requests if request.method == "POST"])

    def mark(self) -> int:
        """Return how many bytes the loggers have been told, once they are told nothing more."""
        size = -1
        while size != (size := self.logged.stat().st_size):
            time.sleep(0.2)
        return size

    def told(self, since: int, *kinds: str) -> str:
        """Return what the loggers were told since a mark, each of ``kinds`` among it: they are told in the background.

        Raises:
            AssertionError: one of the kinds is not told within 60 s.
        """
        end = time.monotonic() + 60
        while True:
            until = self.mark()
            text = self.logged.read_bytes()[since:until].decode()
            missing = Counter(kinds) - Counter(json.loads(line)[0] for line in text.splitlines())
            if not missing:
                return text
            assert time.monotonic() < end, missing


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    if shutil.which("redis-server") is None:
        pytest.skip("there is no redis-server, which the vault of several workers needs")
    with (
        tempfile.TemporaryDirectory(prefix="pg", dir=SHORT) as name,
        redis(Path(name)) as vault,
        ModelServer() as server,
    ):
        folder = Path(name)
        logged = folder / "logged"
        logged.touch()
        environment = {
            "PRIVGUARD_KEY": "correct horse battery staple",
            "PRIVGUARD_VAULT": vault,
            "PRIVGUARD_VAULT_KEY": "an-invented-key-of-the-vault-and-a-long-one",
            "PRIVGUARD_AUDIT": str(folder / "audit.sqlite"),
            "TEST_LOGGED": str(logged),
        }
        guardrail = {"guardrail": "tests.litellm.proxy_parts.CanaryGuardrail", "mode": ["pre_call", "post_call"]}
        settings = config(
            server.base_url,
            guardrails=[{"guardrail_name": "privguard", "litellm_params": guardrail}],
            callbacks=["tests.litellm.proxy_parts.recorder"],
        )
        with running(folder, settings, workers=2, environment=environment) as proxy:
            yield Served(proxy=proxy, server=server, logged=logged)


@pytest.fixture
def client(served: Served) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key=KEY, base_url=f"{served.proxy.url}/v1", max_retries=0, timeout=60) as made:
        yield made


def chat(client: openai.OpenAI, *, stream: bool, **options: Any) -> str:  # noqa: ANN401 - of the SDK
    arguments = {"model": "chat", "messages": USER, **options}
    if not stream:
        return client.chat.completions.create(**arguments).choices[0].message.content or ""
    events = client.chat.completions.create(**arguments, stream=True)
    return "".join((event.choices[0].delta.content or "") if event.choices else "" for event in events)


def completion(client: openai.OpenAI, *, stream: bool) -> str:
    if not stream:
        return client.completions.create(model="text", prompt=TEXT).choices[0].text
    events = client.completions.create(model="text", prompt=TEXT, stream=True)
    return "".join((event.choices[0].text or "") if event.choices else "" for event in events)


def respond(client: openai.OpenAI, *, stream: bool) -> str:
    if not stream:
        return client.responses.create(model="chat", input=TEXT).output_text
    events: Any = client.responses.create(model="chat", input=TEXT, stream=True)
    return "".join(event.delta for event in events if event.type == "response.output_text.delta")


def message(client: openai.OpenAI, *, stream: bool) -> str:
    with anthropic.Anthropic(
        api_key=KEY, base_url=str(client.base_url).removesuffix("/v1/"), max_retries=0, timeout=60
    ) as made:
        if stream:
            with made.messages.stream(model="claude", max_tokens=1000, messages=USER) as events:
                return "".join(events.text_stream)
        block: Any = made.messages.create(model="claude", max_tokens=1000, messages=USER).content[0]
        return str(block.text)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ask", [chat, completion, respond, message])
def test_the_round_trip_is_exact_and_nothing_leaks(
    served: Served, client: openai.OpenAI, ask: Callable[..., str], stream: bool
) -> None:
    assert ask(client, stream=stream) == TEXT
    assert served.sent[-1].placeholders()
    assert find_canaries(served.server.wire, CANARIES) == []


def test_embeddings_are_of_what_left(served: Served, client: openai.OpenAI) -> None:
    assert len(client.embeddings.create(model="vectors", input=[TEXT]).data) == 1
    assert served.sent[-1].placeholders()
    assert find_canaries(served.server.wire, CANARIES) == []


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_gets_the_real_value(served: Served, client: openai.OpenAI, stream: bool) -> None:
    served.server.script(Reply(speak=call_tool, delta_every=3))
    tools: Any = [{"type": "function", "function": {"name": "send_mail", "parameters": SCHEMA}}]
    messages: Any = [{"role": "user", "content": f"Write to {PERSON}"}]
    if not stream:
        reply = client.chat.completions.create(model="chat", messages=messages, tools=tools)
        called: Any = reply.choices[0].message.tool_calls
        arguments = called[0].function.arguments
    else:
        events = client.chat.completions.create(model="chat", messages=messages, tools=tools, stream=True)
        calls: list[Any] = [
            each for event in events if event.choices for each in event.choices[0].delta.tool_calls or ()
        ]
        arguments = "".join(each.function.arguments or "" for each in calls)
    assert json.loads(arguments) == {"to": PERSON}


def test_all_workers_give_a_value_one_placeholder(served: Served) -> None:
    for _ in range(12):  # a connection of its own for each, so that both workers are asked
        with openai.OpenAI(api_key=KEY, base_url=f"{served.proxy.url}/v1", max_retries=0, timeout=60) as made:
            assert chat(made, stream=False, messages=[{"role": "user", "content": PERSON}]) == PERSON
    found = {str(found) for request in served.sent[-12:] for found in request.placeholders()}
    assert len(found) == 1


def test_a_later_response_speaks_of_what_an_earlier_request_told_another_worker(served: Served) -> None:
    with openai.OpenAI(api_key=KEY, base_url=f"{served.proxy.url}/v1", max_retries=0, timeout=60) as first:
        begun = first.responses.create(model="chat", input=f"I am {PERSON}")
    (placeholder,) = served.sent[-1].placeholders()
    for _ in range(6):
        served.server.script(Reply(speak=say(f"You are {placeholder}")))
        with openai.OpenAI(api_key=KEY, base_url=f"{served.proxy.url}/v1", max_retries=0, timeout=60) as later:
            reply = later.responses.create(model="chat", input="Who am I?", previous_response_id=begun.id)
        assert reply.output_text == f"You are {PERSON}"


def test_loggers_see_what_left_and_nothing_else(served: Served, client: openai.OpenAI) -> None:
    mark = served.mark()
    beside = {
        "metadata": {PERSON: EMAIL, "tags": [PERSON]},
        "user": EMAIL,
        "extra_headers": {"x-note": PERSON, "user-agent": PERSON},
        "extra_query": {"who": PERSON},
    }
    chat(client, stream=False, **beside)
    chat(client, stream=True, **beside)
    for ask in (completion, respond, message):
        for stream in (False, True):
            ask(client, stream=stream)
    served.server.script(Reply(status=500))
    with pytest.raises(openai.InternalServerError):
        chat(client, stream=False, **beside)
    told = served.told(mark, *["success"] * 8, "failure", "refused")
    assert "[PERSON_" in told
    assert find_canaries(told.encode(), CANARIES) == []
    assert find_canaries(served.proxy.log.read_bytes(), CANARIES) == []


SAYS: Any = [{"role": "user", "content": f"I am {PERSON}"}]
STREAMED = {
    "chat/completions": {"model": "chat", "messages": SAYS},
    "completions": {"model": "text", "prompt": f"I am {PERSON}"},
    "responses": {"model": "chat", "input": f"I am {PERSON}"},
    "messages": {"model": "claude", "max_tokens": 1000, "messages": SAYS},
}


@pytest.mark.parametrize("fail_after", [0, 4])
@pytest.mark.parametrize("route", STREAMED)
def test_an_error_of_a_stream_says_the_values_and_its_loggers_have_none(
    served: Served, route: str, fail_after: int
) -> None:
    mark = served.mark()
    served.server.script(Reply(fail_after=fail_after))
    reply = httpx.post(
        f"{served.proxy.url}/v1/{route}",
        json=STREAMED[route] | {"stream": True},
        headers={"authorization": f"Bearer {KEY}"},
        timeout=60,
    )
    assert f"scripted failure about {PERSON}" in reply.text
    assert "about [" not in reply.text
    # The proxy tells its loggers nothing of a stream of messages that its provider ends with an error.
    told = served.told(mark, *([] if route == "messages" else ["failure"]))
    assert find_canaries(told.encode(), CANARIES) == []
    assert find_canaries(served.proxy.log.read_bytes(), CANARIES) == []


IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}
REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "images": ("/v1/images/generations", {"model": "chat", "prompt": PERSON}),
    "moderations": ("/v1/moderations", {"model": "chat", "input": PERSON}),
    "speech": ("/v1/audio/speech", {"model": "chat", "input": PERSON, "voice": "alloy"}),
    "rerank": ("/v1/rerank", {"model": "chat", "query": PERSON, "documents": [PERSON]}),
    "batches": ("/v1/batches", {"input_file_id": PERSON, "endpoint": "/v1/chat/completions"}),
    "tokens": ("/v1/messages/count_tokens", {"model": "claude", "messages": USER}),
    "passthrough": ("/openai/v1/chat/completions", {"model": "gpt-4o", "messages": USER}),
    "anthropic": ("/anthropic/v1/messages", {"model": "claude", "max_tokens": 5, "messages": USER}),
    "generate": ("/v1beta/models/chat:generateContent", {"contents": [{"parts": [{"text": PERSON}]}]}),
    "image in a message": (
        "/v1/chat/completions",
        {
            "model": "chat",
            "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}],
        },
    ),
    "queue": ("/queue/chat/completions", {"model": "chat", "messages": USER, "priority": 1}),
    "a name in the model": ("/v1/chat/completions", {"model": PERSON, "messages": USER}),
}


# What reaches the guardrail is told to loggers.
REACHED = ("image in a message", "a name in the model")


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_protected_is_refused_before_anything_is_sent(served: Served, case: str) -> None:
    path, body = REFUSED[case]
    sent, mark = len(served.sent), served.mark()
    reply = httpx.post(f"{served.proxy.url}{path}", json=body, headers={"authorization": f"Bearer {KEY}"}, timeout=60)
    assert reply.status_code >= 400
    assert len(served.sent) == sent
    assert find_canaries(reply.content, CANARIES) == []
    told = served.told(mark, *(["failure", "refused"] if case in REACHED else []))
    assert find_canaries(told.encode(), CANARIES) == []
    assert find_canaries(served.proxy.log.read_bytes(), CANARIES) == []


FAILED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "with a wrong key": ("/v1/chat/completions", "sk-wrong-one", {"model": "chat", "messages": USER}),
    "at the provider": ("/v1/completions", KEY, {"model": "text", "prompt": TEXT}),
}


@pytest.mark.parametrize("case", FAILED)
def test_failure_loggers_are_told_nothing_as_it_came(served: Served, case: str) -> None:
    path, key, body = FAILED[case]
    mark = served.mark()
    served.server.script(*([Reply(status=500)] if key == KEY else []))
    beside = {"user": EMAIL}
    reply = httpx.post(
        f"{served.proxy.url}{path}", json=body | beside, headers={"authorization": f"Bearer {key}"}, timeout=60
    )
    assert reply.status_code >= 400
    told = served.told(mark, "failure", "refused")
    assert find_canaries(told.encode(), CANARIES) == []
    assert find_canaries(served.proxy.log.read_bytes(), CANARIES) == []
