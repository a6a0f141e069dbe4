"""Drivers for the OpenAI SDK: sync and async, over httpx2 and over httpx."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from types import ModuleType
from typing import Any

import httpx
import httpx2
import openai

from privguard.guard import Guard
from privguard_adapters.openai import adapter
from tests.contract.driver import Answer, Client


class _OpenAI:
    """What both drivers share: the shape of requests and replies."""

    retries_below_guard = False
    instructs_in_messages = True
    text_path = "choices[0].message.content"
    arguments_path = "choices[0].message.tool_calls[0].function.arguments"

    def text(self, reply: Answer) -> str:
        return reply.choices[0].message.content or ""

    def arguments(self, reply: Answer) -> str:
        return str(reply.choices[0].message.tool_calls[0].function.arguments)

    def delta(self, event: Answer) -> str:
        return (event.choices[0].delta.content or "") if event.choices else ""

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"type": "function", "function": {"name": "send_mail", "parameters": parameters}}]}

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        return {"messages": [{"role": "developer", "content": instructions}, {"role": "user", "content": prompt}]}

    def _request(self, prompt: str, options: dict[str, Any]) -> dict[str, Any]:
        return {"model": "gpt-5", "messages": [{"role": "user", "content": prompt}], **options}


class OpenAIDriver(_OpenAI):
    """`openai.OpenAI`."""

    def __init__(self, module: ModuleType) -> None:
        self.name = f"openai-{module.__name__}"
        self._module = module

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with self._module.Client() as http_client:
            client = openai.OpenAI(api_key="key", base_url=base_url, http_client=http_client, max_retries=max_retries)
            yield client if guard is None else adapter.wrap(client, guard)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.chat.completions.create(**self._request(prompt, options))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        with client.chat.completions.create(**self._request(prompt, options), stream=True) as events:
            yield from events


class AsyncOpenAIDriver(_OpenAI):
    """`openai.AsyncOpenAI`, with a loop of its own for each client."""

    def __init__(self, module: ModuleType) -> None:
        self.name = f"openai-async-{module.__name__}"
        self._module = module

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with asyncio.Runner() as runner:
            http_client = self._module.AsyncClient()
            client = openai.AsyncOpenAI(
                api_key="key", base_url=base_url, http_client=http_client, max_retries=max_retries
            )
            protected = client if guard is None else adapter.wrap(client, guard)
            protected.__dict__["runner"] = runner
            yield protected
            runner.run(http_client.aclose())

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        asked = client.chat.completions.create(**self._request(prompt, options))
        return client.runner.run(asked, context=copy_context())

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        run = partial(client.runner.run, context=copy_context())
        events = run(client.chat.completions.create(**self._request(prompt, options), stream=True))
        end = object()

        async def following() -> object:
            return await anext(events._iterator, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.close())


DRIVERS = (
    OpenAIDriver(httpx2),
    OpenAIDriver(httpx),
    AsyncOpenAIDriver(httpx2),
    AsyncOpenAIDriver(httpx),
)
