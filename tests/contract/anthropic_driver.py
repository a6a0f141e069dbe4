"""Drivers for the Anthropic SDK, sync and async."""

import json
from typing import Any

import anthropic
import httpx2

from privguard_adapters.anthropic import adapter
from tests.contract.driver import Answer, Client
from tests.contract.sdk_driver import Awaited, Blocking, SdkDriver


class _Messages(SdkDriver):
    """The shape of requests and replies."""

    instructs_in_messages = False
    text_path, arguments_path = "content[0].text", "content[0].input"

    def plain(self, base_url: str, http_client: Answer, max_retries: int) -> Client:
        return super().plain(base_url.removesuffix("/v1"), http_client, max_retries)

    def create(self, client: Client, prompt: str, options: dict[str, Any]) -> Answer:
        asked = {"model": "claude-sonnet-4-6", "max_tokens": 1000, "messages": [{"role": "user", "content": prompt}]}
        return client.messages.create(**{**asked, **options})

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


class AnthropicDriver(_Messages, Blocking):
    """`anthropic.Anthropic`."""


class AsyncAnthropicDriver(_Messages, Awaited):
    """`anthropic.AsyncAnthropic`."""


DRIVERS = (
    AnthropicDriver("anthropic", anthropic.Anthropic, adapter, httpx2),
    AsyncAnthropicDriver("anthropic-async", anthropic.AsyncAnthropic, adapter, httpx2),
)
