"""The scripted server speaks the Responses API so that the SDK reads it."""

from collections.abc import Iterator

import httpx2
import openai
import pytest
from openai.types.responses import ResponseOutputMessage, ResponseTextDeltaEvent

from privguard.testing import ModelServer, Reply, Said

TOOL = {"type": "function", "name": "send", "parameters": {"properties": {"to": {"type": "string"}}}, "strict": False}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    http_client = httpx2.Client(trust_env=False)
    with openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client) as opened:
        yield opened


def test_a_response_is_whole_as_its_stream_is(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(*[Reply(speak=lambda _: Said(text="Good day to you", thinking="Be polite"), annotate=True)] * 2)
    whole = client.responses.create(model="m", input="Hello")
    with client.responses.stream(model="m", input="Hello") as stream:
        events = list(stream)
    final = stream.get_final_response()
    assert whole.output_text == final.output_text == "Good day to you"
    assert [item.type for item in whole.output] == [item.type for item in final.output] == ["reasoning", "message"]
    assert "".join(event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)) == whole.output_text
    numbers = [event.sequence_number for event in events]
    assert numbers == list(range(len(numbers)))


def test_a_tool_is_called_and_its_answer_is_read(client: openai.OpenAI) -> None:
    first = client.responses.create(model="m", input="I am [PERSON_7QK2]", tools=[TOOL])  # type: ignore[list-item]
    call = first.output[0]
    assert call.type == "function_call"
    assert (call.name, call.arguments) == ("send", '{"to": "[PERSON_7QK2]"}')
    answer = {"type": "function_call_output", "call_id": call.call_id, "output": "sent"}
    second = client.responses.create(model="m", input=[call.to_dict(), answer], tools=[TOOL])  # type: ignore[list-item]
    assert second.output_text == "sent"


def test_log_probabilities_come_where_they_are_asked_for(client: openai.OpenAI) -> None:
    asked = client.responses.create(model="m", input="two words", include=["message.output_text.logprobs"])
    assert isinstance(asked.output[0], ResponseOutputMessage)
    part = asked.output[0].content[0]
    assert part.type == "output_text"
    assert [token.token for token in part.logprobs or ()] == ["two", " ", "words"]
