"""Drivers for LiteLLM: its functions and its Router, sync and async."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any

import litellm

from privguard.guard import Guard
from privguard_adapters.litellm import LiteLLM
from privguard_adapters.litellm.router import adapter
from tests.contract.driver import Answer, Client

MODEL = "openai/gpt-4o"
litellm.suppress_debug_info = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A client, and how it is asked."""

    ask: Callable[..., Any]
    runner: asyncio.Runner | None = None


class LiteLLMDriver:
    """`litellm.completion`, or that of a Router."""

    retries_below_guard = True
    instructs_in_messages = True
    text_path = "choices[0].message.content"
    arguments_path = "choices[0].message.tool_calls[0].function.arguments"

    def __init__(self, name: str, *, router: bool) -> None:
        self.name, self._router = name, router

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        source = self._source(base_url, guard, max_retries)
        yield Opened(ask=partial(source.completion, **self._connection(base_url, max_retries)))

    def _connection(self, base_url: str, max_retries: int) -> dict[str, Any]:
        return {} if self._router else {"api_base": base_url, "api_key": "key", "max_retries": max_retries}

    def _source(self, base_url: str, guard: Guard | None, max_retries: int) -> Any:  # noqa: ANN401 - of the SDK
        if not self._router:
            return litellm if guard is None else LiteLLM(guard)
        connection = {"model": MODEL, "api_base": base_url, "api_key": "key", "max_retries": 0}
        router = litellm.Router(
            model_list=[{"model_name": MODEL, "litellm_params": connection}],
            num_retries=max_retries,
            disable_cooldowns=True,
        )
        return router if guard is None else adapter.wrap(router, guard)

    def text(self, reply: Answer) -> str:
        return reply.choices[0].message.content or ""

    def arguments(self, reply: Answer) -> str:
        return str(reply.choices[0].message.tool_calls[0].function.arguments)

    def delta(self, event: Answer) -> str:
        return (event.choices[0].delta.content or "") if event.choices else ""

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"type": "function", "function": {"name": "send_mail", "parameters": parameters}}]}

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        # LiteLLM writes `developer` as `system` for this model.
        return {"messages": [{"role": "system", "content": instructions}, {"role": "user", "content": prompt}]}

    def _request(self, prompt: str, options: dict[str, Any]) -> dict[str, Any]:
        return {"model": MODEL, "messages": [{"role": "user", "content": prompt}], **options}

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.ask(**self._request(prompt, options))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        with client.ask(**self._request(prompt, options), stream=True) as events:
            yield from events


class AsyncLiteLLMDriver(LiteLLMDriver):
    """`litellm.acompletion`, or that of a Router, with a loop of its own for each client."""

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with asyncio.Runner() as runner:
            source = self._source(base_url, guard, max_retries)
            yield Opened(ask=partial(source.acompletion, **self._connection(base_url, max_retries)), runner=runner)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.runner.run(client.ask(**self._request(prompt, options)), context=copy_context())

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        run = partial(client.runner.run, context=copy_context())
        events = run(client.ask(**self._request(prompt, options), stream=True))
        end = object()

        async def following() -> object:
            return await anext(events, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.aclose())


DRIVERS = {
    "litellm": LiteLLMDriver("litellm", router=False),
    "litellm-async": AsyncLiteLLMDriver("litellm-async", router=False),
    "router": LiteLLMDriver("router", router=True),
    "router-async": AsyncLiteLLMDriver("router-async", router=True),
}
