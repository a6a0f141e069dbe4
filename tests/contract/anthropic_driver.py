"""Drivers for the Anthropic SDK, sync and async."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from typing import Any

import anthropic
import httpx2

from privguard.guard import Guard
from privguard_adapters.anthropic import adapter
from tests.contract.driver import Answer, Client


class _Anthropic:
    """What both drivers share: the shape of requests and replies."""

    retries_below_guard = False
    instructs_in_messages = False
    text_path, arguments_path = "content[0].text", "content[0].input"

    def text(self, reply: Answer) -> str:
        return "".join([block.text for block in reply.content if block.type == "text"])

    def arguments(self, reply: Answer) -> str:
        return json.dumps(next(block.input for block in reply.content if block.type == "tool_use"), ensure_ascii=False)

    def delta(self, event: Answer) -> str:
        is_text = event.type == "content_block_delta" and event.delta.type == "text_delta"
        return str(event.delta.text) if is_text else ""

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"name": "send_mail", "input_schema": parameters}]}

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        return {"system": instructions, "messages": [{"role": "user", "content": prompt}]}

    def _request(self, prompt: str, options: dict[str, Any]) -> dict[str, Any]:
        asked = {"model": "claude-sonnet-4-6", "max_tokens": 1000, "messages": [{"role": "user", "content": prompt}]}
        return {**asked, **options}


def _root(base_url: str) -> str:
    return base_url.removesuffix("/v1")


class AnthropicDriver(_Anthropic):
    """`anthropic.Anthropic`."""

    name = "anthropic"

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with httpx2.Client() as http_client:
            client = anthropic.Anthropic(
                api_key="key", base_url=_root(base_url), http_client=http_client, max_retries=max_retries
            )
            yield client if guard is None else adapter.wrap(client, guard)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.messages.create(**self._request(prompt, options))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        with client.messages.create(**self._request(prompt, options), stream=True) as events:
            yield from events


class AsyncAnthropicDriver(_Anthropic):
    """`anthropic.AsyncAnthropic`, with a loop of its own for each client."""

    name = "anthropic-async"

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with asyncio.Runner() as runner:
            http_client = httpx2.AsyncClient()
            client = anthropic.AsyncAnthropic(
                api_key="key", base_url=_root(base_url), http_client=http_client, max_retries=max_retries
            )
            protected = client if guard is None else adapter.wrap(client, guard)
            protected.__dict__["runner"] = runner
            yield protected
            runner.run(http_client.aclose())

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        asked = client.messages.create(**self._request(prompt, options))
        return client.runner.run(asked, context=copy_context())

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        run = partial(client.runner.run, context=copy_context())
        events = run(client.messages.create(**self._request(prompt, options), stream=True))
        end = object()

        async def following() -> object:
            return await anext(events._iterator, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.close())


DRIVERS = (AnthropicDriver(), AsyncAnthropicDriver())
