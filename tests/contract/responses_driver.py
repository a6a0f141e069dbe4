"""Drivers for the Responses API of the OpenAI SDK: sync and async."""

from collections.abc import Iterator
from contextvars import copy_context
from functools import partial
from typing import Any

import httpx2

from tests.contract.driver import Answer, Client
from tests.contract.openai_driver import AsyncOpenAIDriver, OpenAIDriver


class _Responses:
    """What both drivers share: the shape of requests and replies."""

    instructs_in_messages = False
    retries_below_guard = False
    text_path = "output[0].content[0].text"
    arguments_path = "output[0].arguments"

    def text(self, reply: Answer) -> str:
        return str(reply.output_text)

    def arguments(self, reply: Answer) -> str:
        return str(next(item.arguments for item in reply.output if item.type == "function_call"))

    def delta(self, event: Answer) -> str:
        return str(event.delta) if event.type == "response.output_text.delta" else ""

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"type": "function", "name": "send_mail", "parameters": parameters, "strict": False}]}

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        return {"instructions": instructions, "messages": [{"role": "user", "content": prompt}]}

    def asked(self, prompt: str, options: dict[str, Any]) -> dict[str, Any]:
        given = dict(options)
        messages = given.pop("messages", [{"role": "user", "content": prompt}])
        return {"model": "gpt-5", "input": messages, **given}


class ResponsesDriver(_Responses, OpenAIDriver):
    """`openai.OpenAI().responses`."""

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.responses.create(**self.asked(prompt, options))

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        with client.responses.create(**self.asked(prompt, options), stream=True) as events:
            yield from events


class AsyncResponsesDriver(_Responses, AsyncOpenAIDriver):
    """`openai.AsyncOpenAI().responses`."""

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.runner.run(client.responses.create(**self.asked(prompt, options)), context=copy_context())

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        run = partial(client.runner.run, context=copy_context())
        events = run(client.responses.create(**self.asked(prompt, options), stream=True))
        end = object()

        async def following() -> object:
            return await anext(events._iterator, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.close())


DRIVERS = (ResponsesDriver(httpx2), AsyncResponsesDriver(httpx2))
for _driver in DRIVERS:
    _driver.name = f"responses-{_driver.name}"
