"""No public method of a chat model of LangChain lets a canary out.

The methods are found by reflection and called with canaries in what they take. What comes over the wire is searched.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from langchain_core.messages import HumanMessage
from langchain_core.prompt_values import StringPromptValue
from langchain_openai import ChatOpenAI

from privguard.guard import Guard
from privguard.testing import Canary, ModelServer, find_canaries
from tests.contract.driver import Answer, Client
from tests.contract.langchain_driver import LangChainDriver

pytestmark = [
    pytest.mark.filterwarnings("ignore::langchain_core._api.beta_decorator.LangChainBetaWarning"),
    pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
CANARIES = (Canary.person(), Canary.email(), Canary.card())
CANARY = " / ".join(canary.value for canary in CANARIES)
MESSAGE = HumanMessage(CANARY)
# What every argument holds, by its name.
ARGUMENTS: dict[str, Answer] = {
    "input": CANARY,
    "inputs": [CANARY],
    "text": CANARY,
    "prompts": [StringPromptValue(text=CANARY)],
    "stop": [CANARY],
    "version": "v2",
}
NESTED = ("generate", "agenerate")  # these take lists of messages
# What reaches the server, as far as made-up arguments do.
SENDING = {
    *("invoke", "ainvoke", "stream", "astream", "batch", "abatch", "batch_as_completed", "abatch_as_completed"),
    *("generate", "agenerate", "generate_prompt", "agenerate_prompt", "transform", "atransform"),
    *("astream_events", "astream_log"),  # the events of version 3 are tried with the adapter
}
# What would write files, or asks for a tokenizer from the network.
ELSEWHERE = {"save", "get_token_ids", "get_num_tokens", "get_num_tokens_from_messages"}


def methods(model: Client) -> list[str]:
    """Return every public method that the classes of LangChain give to a model."""
    owners = [cls for cls in type(model).__mro__ if cls.__module__.startswith("langchain")]
    names = {name for cls in owners for name, item in vars(cls).items() if inspect.isfunction(item)}
    return sorted(name for name in names if not name.startswith("_") and name not in ELSEWHERE)


def arguments(function: Callable[..., Answer], name: str) -> Iterator[dict[str, Answer]]:
    """Yield arguments for a method: what it needs, and with the options that it may take."""
    made: dict[str, Answer] = {}
    parameters = inspect.signature(function).parameters
    for key, parameter in parameters.items():
        if key == "messages":
            made[key] = [[MESSAGE]] if name in NESTED else [MESSAGE]
        elif key == "input" and "transform" in name:
            made[key] = achunks() if name.startswith("a") else iter([CANARY])
        elif key in ARGUMENTS:
            made[key] = ARGUMENTS[key]
        elif parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            made[key] = CANARY
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        yield (
            {**made, "user": CANARY, "metadata": {CANARY: CANARY}, "tools": [tool(CANARY)]}
            if "transform" not in name
            else made
        )
    yield made


def tool(description: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", "description": description, "parameters": {}}}


async def achunks() -> Answer:
    yield CANARY


async def settle(answer: Answer) -> None:
    """Wait for whatever a method gave back, and read it to its end."""
    if inspect.isawaitable(answer):
        answer = await answer
    if hasattr(answer, "__aiter__"):
        async for _ in answer:
            pass
    elif inspect.isgenerator(answer):
        for _ in answer:
            pass


async def try_all(model: Client, server: ModelServer) -> set[str]:
    """Call every method; return those that reached the server."""
    sent = set()
    for name in methods(model):
        function = getattr(model, name)
        for made in arguments(function, name):
            before = len(server.requests)
            with suppress(Exception):  # made-up arguments are refused in many ways
                await settle(function(**made))
            if len(server.requests) > before:
                sent.add(name)
    return sent


async def test_no_method_lets_a_canary_out(server: ModelServer, guard: Guard) -> None:
    async with httpx2.AsyncClient() as client:
        with LangChainDriver().open(server.base_url, guard) as model:
            protected = model.model_copy()
            other = ChatOpenAI(model="gpt-5", api_key="key", base_url=server.base_url, http_async_client=client)  # type: ignore[arg-type]  # a text does
            protected.async_client, protected.root_async_client = other.async_client, other.root_async_client
            sent = await try_all(protected, server)
    assert sent == SENDING
    assert len(server.requests) > 20
    assert find_canaries(server.wire, CANARIES) == []


async def test_an_unprotected_model_would_be_caught(server: ModelServer) -> None:
    with LangChainDriver().open(server.base_url, None) as model:
        await settle(model.stream(CANARY))
    assert {leak.canary for leak in find_canaries(server.wire, CANARIES)} == set(CANARIES)
