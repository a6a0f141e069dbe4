"""A model of another provider: its blocks, its tools and its counts of tokens pass the same seam."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel

from privguard.guard import Guard
from privguard.testing import ModelServer, Reply, call_tool, find_canaries
from privguard_adapters.langchain import adapter
from tests.adapters.langchain.conftest import NAME

pytestmark = pytest.mark.long  # the SDK alone takes seconds to import

PROMPT = f"Write to {NAME}"


class Mail(BaseModel):
    """Send a mail."""

    to: str


@pytest.fixture(params=[None, "v1"], ids=["own", "standard"])
def model(server: ModelServer, guard: Guard, request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - of the package
    from langchain_anthropic import ChatAnthropic

    base_url = server.base_url.removesuffix("/v1")
    made: Any = ChatAnthropic
    return adapter.wrap(
        made(model="claude-sonnet-4-6", api_key="key", base_url=base_url, output_version=request.param), guard
    )


def sum_of(pieces: list[Any]) -> Any:  # noqa: ANN401 - a message
    total = pieces[0]
    for each in pieces[1:]:
        total += each
    return total


def test_texts_come_back_whole_and_streamed(model: Any, server: ModelServer) -> None:  # noqa: ANN401 - of the package
    messages = [SystemMessage(f"Be kind to {NAME}"), HumanMessage(PROMPT)]
    assert model.invoke(messages).text == sum_of(list(model.stream(messages))).text == PROMPT
    assert find_canaries(server.wire, [NAME]) == []


def test_tools_get_values_and_their_results_leave_minimized(model: Any, server: ModelServer) -> None:  # noqa: ANN401 - of the package
    asked = model.bind_tools([Mail], tool_choice="Mail")
    for call in (asked.invoke, lambda text: sum_of(list(asked.stream(text)))):
        server.script(Reply(speak=call_tool), Reply())
        said = call(PROMPT)
        assert said.tool_calls[0]["args"] == {"to": NAME}
        assert "PERSON_" not in str(said)
        done = ToolMessage(f"sent to {NAME}", tool_call_id=said.tool_calls[0]["id"])
        assert model.bind_tools([Mail]).invoke([HumanMessage(PROMPT), said, done]).text == f"sent to {NAME}"
    assert find_canaries(server.wire, [NAME]) == []


def test_structured_output_is_parsed_with_values(model: Any, server: ModelServer) -> None:  # noqa: ANN401 - of the package
    server.script(Reply(speak=call_tool))
    assert model.with_structured_output(Mail).invoke(PROMPT) == Mail(to=NAME)
    assert find_canaries(server.wire, [NAME]) == []


def test_counts_that_the_provider_makes_are_of_what_would_leave(model: Any, server: ModelServer) -> None:  # noqa: ANN401 - of the package
    assert model.get_num_tokens_from_messages([HumanMessage(PROMPT)], tools=[Mail]) > 0
    assert server.last.path.endswith("/count_tokens")
    assert find_canaries(server.wire, [NAME]) == []
