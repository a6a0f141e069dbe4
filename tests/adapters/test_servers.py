"""Servers that speak the OpenAI API: their own parameters pass, minimized, and their own fields come back in full."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.openai import adapter
from privguard_adapters.plain_http import adapter as plain_http
from tests.adapters.fake_guard import FakeGuard

NAME, MARK = "Ada Roth", "[PERSON_7QK2]"
SERVERS = {
    "vLLM": "http://localhost:8000/v1",
    "Ollama": "http://localhost:11434/v1",
    "llama.cpp": "http://localhost:8080/v1",
    "Together": "https://api.together.example/v1",
    "Groq": "https://api.groq.example/openai/v1",
    "OpenRouter": "https://openrouter.example/api/v1",
    "Gemini": "https://generativelanguage.example/v1beta/openai/",
}
# What the request of each server may hold beside that of OpenAI.
EXTRAS: dict[str, dict[str, Any]] = {
    "vLLM": {
        "top_k": 20, "min_p": 0.1, "repetition_penalty": 1.05, "guided_choice": [NAME, "nobody"], "guided_regex": "a+",
        "chat_template_kwargs": {"enable_thinking": False}, "add_generation_prompt": True, "stop_token_ids": [1, 2],
        "documents": [{"title": "letter", "text": f"from {NAME}"}], "priority": 0,
    },
    "Ollama": {"options": {"num_ctx": 8192}, "keep_alive": "5m", "reasoning_effort": "low"},
    "llama.cpp": {"cache_prompt": True, "id_slot": 0, "grammar": f'root ::= "{NAME}"', "dry_multiplier": 0.8},
    "Together": {"safety_model": "llama-guard", "repetition_penalty": 1, "reasoning": {"enabled": False}},
    "Groq": {"reasoning_format": "parsed", "service_tier": "auto", "documents": [{"source": {"text": NAME}}]},
    "OpenRouter": {"provider": {"order": ["x"], "allow_fallbacks": False}, "models": ["a/b", "c/d"], "transforms": []},
    "Gemini": {"extra_body": {"google": {"thinking_config": {"thinking_budget": 800, "include_thoughts": True}}}},
}  # fmt: skip
# The fields of a message in which servers put what the model thought.
THOUGHTS = ("reasoning_content", "reasoning")


class Wire(httpx2.MockTransport):
    """A server that answers with what it is told, and keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.sent: list[httpx2.Request] = []
        self.reply: dict[str, Any] | list[dict[str, Any]] = {}

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(request)
        if isinstance(self.reply, dict):
            return httpx2.Response(200, json=self.reply)
        lines = [f"data: {json.dumps(event)}\n\n" for event in self.reply] + ["data: [DONE]\n\n"]
        return httpx2.Response(200, text="".join(lines), headers={"content-type": "text/event-stream"})


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture(params=SERVERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(wire: Wire, name: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="key", base_url=SERVERS[name], http_client=httpx2.Client(transport=wire)) as plain:
        yield adapter.wrap(plain, FakeGuard())


def message(**fields: object) -> dict[str, Any]:
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, **fields}]}


def ask(client: openai.OpenAI, **options: Any) -> Any:  # noqa: ANN401 - of the SDK
    return client.chat.completions.create(
        model="meta/some-model:8b", messages=[{"role": "user", "content": f"I am {NAME}"}], **options
    )


def test_parameters_of_the_servers_own_leave_minimized(client: openai.OpenAI, wire: Wire, name: str) -> None:
    wire.reply = message(message={"role": "assistant", "content": f"Dear {MARK}"}, finish_reason="stop")
    reply = ask(client, extra_body=EXTRAS[name])
    assert reply.choices[0].message.content == f"Dear {NAME}"
    left = json.loads(wire.sent[0].content)
    assert NAME not in str(left)
    assert {key: left[key] for key in EXTRAS[name]} == json.loads(json.dumps(EXTRAS[name]).replace(NAME, MARK))


@pytest.mark.parametrize("field", THOUGHTS)
def test_what_the_model_thought_is_restored_whole(client: openai.OpenAI, wire: Wire, field: str) -> None:
    wire.reply = message(message={"role": "assistant", "content": "Yes.", field: f"That is {MARK}."})
    assert ask(client).choices[0].message.model_extra[field] == f"That is {NAME}."


@pytest.mark.parametrize("field", THOUGHTS)
def test_what_the_model_thought_is_restored_in_pieces(client: openai.OpenAI, wire: Wire, field: str) -> None:
    text = f"That is {MARK}."
    wire.reply = [message(delta={"role": "assistant", field: letter}) for letter in text]
    wire.reply += [message(delta={"content": letter}) for letter in MARK]
    wire.reply += [message(delta={}, finish_reason="stop") | {"x_groq": {"id": "req_1"}, "timings": {"prompt_n": 7}}]
    thought = said = ""
    for event in ask(client, stream=True):
        thought += (event.choices[0].delta.model_extra or {}).get(field) or ""
        said += event.choices[0].delta.content or ""
    assert (thought, said) == (f"That is {NAME}.", NAME)


@pytest.mark.parametrize("path", ["/api/chat", "/api/generate", "/completion", "/tokenize"])
def test_what_a_server_speaks_besides_is_refused(wire: Wire, name: str, path: str) -> None:
    transport = plain_http.guarded(wire, FakeGuard(), SERVERS[name])
    root = httpx2.URL(SERVERS[name])
    with httpx2.Client(transport=transport) as client, pytest.raises(UnprotectedRouteError, match=f"POST {path[1:]}"):
        client.post(root.copy_with(path=path), json={"model": "m", "messages": [{"role": "user", "content": NAME}]})
    assert wire.sent == []
