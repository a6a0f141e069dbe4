"""Drivers for LangChain: a chat model over the OpenAI SDK, sync and async."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from typing import Any

import httpx2
from langchain_openai import ChatOpenAI

from privguard.guard import Guard
from privguard_adapters.langchain import adapter
from tests.contract.driver import Answer, Client


class _LangChain:
    """What both drivers share: the shape of requests and replies."""

    retries_below_guard = True
    instructs_in_messages = True
    text_path = "choices[0].message.content"
    arguments_path = "choices[0].message.tool_calls[0].function.arguments"

    def text(self, reply: Answer) -> str:
        return str(reply.text)

    def arguments(self, reply: Answer) -> str:
        return json.dumps(reply.tool_calls[0]["args"], ensure_ascii=False)

    def delta(self, event: Answer) -> str:
        return str(event.text)

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"type": "function", "function": {"name": "send_mail", "parameters": parameters}}]}

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        return {"messages": [{"role": "developer", "content": instructions}, {"role": "user", "content": prompt}]}

    def _open(self, guard: Guard | None, **settings: Any) -> ChatOpenAI:  # noqa: ANN401 - fields of the model
        model = ChatOpenAI(model="gpt-5", api_key="key", **settings)  # type: ignore[arg-type]  # a text does
        return model if guard is None else adapter.wrap(model, guard)


def _asked(prompt: str, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    return options.pop("messages", prompt), options


def _without_number(reply: Answer) -> Answer:
    """Leave out the number that the scripted server gave to the reply."""
    reply.response_metadata.pop("id", None)
    return reply


class LangChainDriver(_LangChain):
    """`ChatOpenAI`, sync."""

    name = "langchain"

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with httpx2.Client() as http_client:
            yield self._open(guard, base_url=base_url, max_retries=max_retries, http_client=http_client)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        asked, rest = _asked(prompt, options)
        return _without_number(client.invoke(asked, **rest))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        asked, rest = _asked(prompt, options)
        yield from client.stream(asked, **rest)


class AsyncLangChainDriver(_LangChain):
    """`ChatOpenAI`, async, with a loop of its own for each client."""

    name = "langchain-async"

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with asyncio.Runner() as runner:
            client = httpx2.AsyncClient()
            model = self._open(guard, base_url=base_url, max_retries=max_retries, http_async_client=client)
            model.__dict__["runner"] = runner
            yield model
            runner.run(client.aclose())

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        asked, rest = _asked(prompt, options)
        return _without_number(client.runner.run(client.ainvoke(asked, **rest), context=copy_context()))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        asked, rest = _asked(prompt, options)
        run = partial(client.runner.run, context=copy_context())
        events = client.astream(asked, **rest)
        end = object()

        async def following() -> object:
            return await anext(events, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.aclose())


DRIVERS = (LangChainDriver(), AsyncLangChainDriver())
