"""Agents: tools get values, their results leave minimized, and whatever model is called is protected."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    LLMToolSelectorMiddleware,
    ModelFallbackMiddleware,
    ModelRequest,
)
from langchain_core.messages import ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from privguard import ConfigError
from privguard.guard import Guard
from privguard.testing import ListSink, ModelServer, Reply, find_canaries
from privguard_adapters.langchain import PrivguardMiddleware
from privguard_adapters.langchain.chat import ProtectedChat
from tests.adapters.langchain.conftest import NAME

PROMPT = f"Look up {NAME}"


@pytest.fixture
def calls() -> list[str]:
    return []


@pytest.fixture
def look_up(calls: list[str]) -> Callable[[str], str]:
    def look_up(name: str) -> str:
        """Look somebody up."""
        calls.append(name)
        return f"{name} lives in Kassel"

    return look_up


@pytest.fixture
def agent(plain: ChatOpenAI, guard: Guard, look_up: Callable[[str], str]) -> Any:  # noqa: ANN401 - a graph
    return create_agent(plain, tools=[look_up], middleware=[PrivguardMiddleware(guard)])


def asked(prompt: str) -> Any:  # noqa: ANN401 - the input of a graph
    return {"messages": [{"role": "user", "content": prompt}]}


def test_tools_get_values_and_their_results_leave_minimized(
    agent: Any,  # noqa: ANN401 - a graph
    server: ModelServer,
    calls: list[str],
) -> None:
    messages = agent.invoke(asked(PROMPT))["messages"]
    assert calls == [NAME]
    assert messages[-1].text == f"{NAME} lives in Kassel"
    assert len(server.requests) == 2
    assert find_canaries(server.wire, [NAME, "Kassel"]) == []


@pytest.mark.parametrize("mode", ["messages", "updates", "values"])
def test_streams_of_an_agent_show_values_and_no_placeholder(agent: Any, server: ModelServer, mode: str) -> None:  # noqa: ANN401 - a graph
    server.script(Reply(delta_every=1), Reply(delta_every=1))
    seen = list(agent.stream(asked(PROMPT), stream_mode=mode))
    assert "PERSON_" not in str(seen)
    if mode == "messages":
        texts = [piece.text for piece, _ in seen if not isinstance(piece, ToolMessage)]
        assert "".join(texts) == f"{NAME} lives in Kassel"
        assert len(texts) > 5


async def test_async_agents_are_protected(guard: Guard, server: ModelServer, look_up: Callable[[str], str]) -> None:
    async with httpx2.AsyncClient() as client:
        model = ChatOpenAI(model="gpt-5", api_key="key", base_url=server.base_url, http_async_client=client)  # type: ignore[arg-type]  # a text does
        agent: Any = create_agent(model, tools=[look_up], middleware=[PrivguardMiddleware(guard)])
        found = await agent.ainvoke(asked(PROMPT))
        assert found["messages"][-1].text == f"{NAME} lives in Kassel"
    assert find_canaries(server.wire, [NAME, "Kassel"]) == []


@pytest.mark.parametrize("position", [0, 1], ids=["outside", "inside"])
def test_a_model_that_another_middleware_chooses_is_protected(
    plain: ChatOpenAI, guard: Guard, server: ModelServer, position: int
) -> None:
    server.script(Reply(status=500))
    middleware: list[AgentMiddleware[Any, Any, Any]] = [ModelFallbackMiddleware(plain.model_copy())]
    middleware.insert(position, PrivguardMiddleware(guard))
    agent: Any = create_agent(plain, tools=[], middleware=middleware)
    assert agent.invoke(asked(PROMPT))["messages"][-1].text == PROMPT
    assert len(server.requests) == 2
    assert find_canaries(server.wire, [NAME]) == []


def test_a_middleware_behind_it_may_call_the_model_by_itself(
    plain: ChatOpenAI, guard: Guard, server: ModelServer, look_up: Callable[[str], str]
) -> None:
    def write(name: str) -> str:
        """Write to somebody."""
        return name

    behind = LLMToolSelectorMiddleware(max_tools=1)
    agent: Any = create_agent(plain, tools=[look_up, write], middleware=[PrivguardMiddleware(guard), behind])
    agent.invoke(asked(PROMPT))
    assert len(server.requests) > 2
    assert find_canaries(server.wire, [NAME, "Kassel"]) == []


def test_what_a_human_is_asked_and_what_is_kept_holds_values(
    plain: ChatOpenAI, guard: Guard, server: ModelServer, look_up: Callable[[str], str], calls: list[str]
) -> None:
    kept, thread = InMemorySaver(), {"configurable": {"thread_id": "1"}}
    asks = HumanInTheLoopMiddleware(interrupt_on={"look_up": True})
    agent: Any = create_agent(plain, tools=[look_up], middleware=[PrivguardMiddleware(guard), asks], checkpointer=kept)
    stopped = agent.invoke(asked(PROMPT), thread)
    assert stopped["__interrupt__"][0].value["action_requests"][0]["args"] == {"name": NAME}
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread)
    assert calls == [NAME]
    state = str(list(kept.list(thread)))  # type: ignore[arg-type]  # a mapping does
    assert NAME in state
    assert "PERSON_" not in state
    assert find_canaries(server.wire, [NAME, "Kassel"]) == []


@pytest.mark.filterwarnings("ignore:Direct attribute assignment")
def test_a_model_that_is_set_on_the_request_is_protected(plain: ChatOpenAI, guard: Guard) -> None:
    request: ModelRequest[Any] = ModelRequest(model=plain, messages=[])
    seen: list[ModelRequest[Any]] = []

    def handler(given: ModelRequest[Any]) -> Any:  # noqa: ANN401 - what an agent makes of it
        given.model = plain
        seen.extend([given, given.override(model=plain), given.override(messages=[])])

    PrivguardMiddleware(guard).wrap_model_call(request, handler)
    assert [isinstance(each.model, ProtectedChat) for each in seen] == [True] * 3
    assert request.model is plain


def test_a_protected_model_is_taken_as_it_is(model: ChatOpenAI, guard: Guard) -> None:
    assert PrivguardMiddleware(guard).protected(model) is model


def test_what_leads_to_a_model_is_refused(plain: ChatOpenAI, guard: Guard) -> None:
    bound: Any = plain.bind(stop=["a"])
    with pytest.raises(ConfigError, match="no chat model"):
        PrivguardMiddleware(guard).protected(bound)


def test_a_guard_or_its_settings_but_not_both(guard: Guard, sink: ListSink) -> None:
    with pytest.raises(ConfigError):
        PrivguardMiddleware(guard, key="0123456789abcdef")
    made = PrivguardMiddleware(key="0123456789abcdef", audit="off", model="off", detector=guard.parts.detector)
    assert isinstance(made, AgentMiddleware)


def test_structured_output_of_an_agent_comes_back(
    plain: ChatOpenAI, guard: Guard, server: ModelServer, look_up: Callable[[str], str]
) -> None:
    schema = {
        "title": "Person",
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    agent: Any = create_agent(plain, tools=[], response_format=schema, middleware=[PrivguardMiddleware(guard)])
    assert agent.invoke(asked(PROMPT))["structured_response"] == {"name": NAME}
    assert find_canaries(server.wire, [NAME]) == []
