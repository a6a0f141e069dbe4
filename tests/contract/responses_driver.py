"""Drivers for the Responses API of the OpenAI SDK: sync and async."""

from typing import Any

import httpx2
import openai

from privguard_adapters.openai import adapter
from tests.contract.driver import Answer, Client
from tests.contract.sdk_driver import Awaited, Blocking, SdkDriver


class _Responses(SdkDriver):
    """The shape of requests and replies."""

    instructs_in_messages = False
    text_path = "output[0].content[0].text"
    arguments_path = "output[0].arguments"

    def create(self, client: Client, prompt: str, options: dict[str, Any]) -> Answer:
        messages = options.pop("messages", [{"role": "user", "content": prompt}])
        return client.responses.create(**{"model": "gpt-5", "input": messages, **options})

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


class ResponsesDriver(_Responses, Blocking):
    """`openai.OpenAI().responses`."""


class AsyncResponsesDriver(_Responses, Awaited):
    """`openai.AsyncOpenAI().responses`."""


DRIVERS = (
    ResponsesDriver("responses", openai.OpenAI, adapter, httpx2),
    AsyncResponsesDriver("responses-async", openai.AsyncOpenAI, adapter, httpx2),
)
