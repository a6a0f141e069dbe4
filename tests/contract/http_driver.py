"""A driver for clients of httpx that no SDK stands above. Its own tests have httpx2 and async ones."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import httpx
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from privguard.guard import Guard
from privguard_adapters.plain_http import adapter
from tests.contract.driver import Answer, Client
from tests.contract.openai_driver import OpenAIDriver

_RATE_LIMITED = 429


def _read(response: Answer) -> Answer:
    response.raise_for_status()
    return ChatCompletion.model_validate(response.json())


def _event(line: str) -> Answer | None:
    data = line.removeprefix("data:").strip()
    is_event = line.startswith("data:") and data != "[DONE]"
    return ChatCompletionChunk.model_validate(json.loads(data)) if is_event else None


class HttpDriver(OpenAIDriver):
    """A client of httpx over a guarded transport; its replies in the types of the OpenAI SDK."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.name = f"plain-{module.__name__}"

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        inner = self._module.HTTPTransport()
        transport = inner if guard is None else adapter.guarded(inner, guard, base_url)
        with self._module.Client(transport=transport, base_url=base_url) as client:
            client.tries = max_retries + 1
            yield client

    def call(self, client: Client, prompt: str, options: dict[str, Any]) -> Answer:
        """Build the request of a prompt."""
        headers, query = options.pop("extra_headers", {}), options.pop("extra_query", None)
        extra = options.pop("extra_body", {})
        body = self.asked(prompt, options) | extra
        return client.build_request("POST", "chat/completions", json=body, headers=headers, params=query)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        request = self.call(client, prompt, options)
        replies = (client.send(request) for _ in range(client.tries))
        return _read(next((reply for reply in replies if reply.status_code != _RATE_LIMITED), None))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        reply = client.send(self.call(client, prompt, options | {"stream": True}), stream=True)
        try:
            reply.raise_for_status()
            for line in reply.iter_lines():
                if (event := _event(line)) is not None:
                    yield event
        finally:
            reply.close()


DRIVERS = (HttpDriver(httpx),)
