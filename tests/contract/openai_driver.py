"""Drivers for chat completions of the OpenAI SDK: sync and async, over httpx2 and over httpx."""

from types import ModuleType
from typing import Any

import httpx
import httpx2
import openai

from privguard_adapters.openai import adapter
from tests.contract.driver import Answer, Client
from tests.contract.sdk_driver import Awaited, Blocking, SdkDriver


class _Chat(SdkDriver):
    """The shape of requests and replies."""

    instructs_in_messages = True
    text_path = "choices[0].message.content"
    arguments_path = "choices[0].message.tool_calls[0].function.arguments"

    def create(self, client: Client, prompt: str, options: dict[str, Any]) -> Answer:
        return client.chat.completions.create(**self.asked(prompt, options))

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

    def asked(self, prompt: str, options: dict[str, Any]) -> dict[str, Any]:
        return {"model": "gpt-5", "messages": [{"role": "user", "content": prompt}], **options}


class OpenAIDriver(_Chat, Blocking):
    """`openai.OpenAI`."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(f"openai-{module.__name__}", openai.OpenAI, adapter, module)


class AsyncOpenAIDriver(_Chat, Awaited):
    """`openai.AsyncOpenAI`."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(f"openai-async-{module.__name__}", openai.AsyncOpenAI, adapter, module)


DRIVERS = (
    OpenAIDriver(httpx2),
    OpenAIDriver(httpx),
    AsyncOpenAIDriver(httpx2),
    AsyncOpenAIDriver(httpx),
)
