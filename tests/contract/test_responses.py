"""What the Responses API has of its own, through the real SDK and a real guard."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import openai
import pydantic
import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import ProtectionError
from privguard.core.note import NOTE
from privguard.core.profile import Media
from privguard.guard import Guard
from privguard.testing import (
    Canary,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    Said,
    ToolUse,
    all_canaries,
    call_tool,
    find_canaries,
)
from privguard_adapters.openai import adapter
from tests.contract.driver import Client

PERSON, EMAIL = Canary.person().value, Canary.email().value
CANARIES = all_canaries()
TOOL: dict[str, Any] = {
    "type": "function",
    "name": "send",
    "strict": False,
    "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
}


class Letter(pydantic.BaseModel):
    recipient_name: str
    mail: str


def opened(server: ModelServer, guard: Guard) -> Client:
    http_client = httpx2.Client(trust_env=False, limits=httpx2.Limits(max_connections=None))
    plain = openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client)
    return adapter.wrap(plain, guard)


@pytest.fixture
def client(server: ModelServer, guard: Guard) -> Iterator[Client]:
    with opened(server, guard) as made:
        yield made


def think(request: Recorded) -> Said:
    return Said(text=f"Yes, {request.placeholders()[0]}.", thinking=f"This is {request.placeholders()[0]}")


def test_structured_output_is_parsed_with_its_values(client: Client, server: ModelServer) -> None:
    prompt = f"{PERSON}, {EMAIL}"
    parsed = client.responses.parse(model="m", input=prompt, text_format=Letter)
    assert parsed.output_parsed == Letter(recipient_name=PERSON, mail=EMAIL)
    with client.responses.stream(model="m", input=prompt, text_format=Letter) as stream:
        done = [event for event in stream if event.type == "response.output_text.done"]
        assert done[0].parsed == stream.get_final_response().output_parsed == parsed.output_parsed
    assert find_canaries(server.wire, CANARIES) == []


def test_reasoning_is_shown_restored_and_goes_back_sealed_as_it_came(client: Client, server: ModelServer) -> None:
    server.script(Reply(speak=think))
    first = client.responses.create(model="m", input=f"I am {PERSON}", store=False)
    reasoning, message = first.output
    assert (reasoning.summary[0].text, first.output_text) == (f"This is {PERSON}", f"Yes, {PERSON}.")
    history = [{"role": "user", "content": f"I am {PERSON}"}, reasoning.to_dict(), message.to_dict()]
    server.script(Reply(speak=think))
    again = client.responses.create(model="m", input=[*history, {"role": "user", "content": "Sure?"}], store=False)
    sent = server.last.json()["input"]
    assert sent[1]["encrypted_content"] == reasoning.encrypted_content
    assert (sent[1]["id"], sent[1]["summary"][0]["text"]) == (
        reasoning.id,
        f"This is {server.last.placeholders()[0]}",
    )
    assert again.output_text == f"Yes, {PERSON}."
    assert find_canaries(server.wire, CANARIES) == []


def test_a_loop_of_tools_keeps_its_values_and_its_placeholders(client: Client, server: ModelServer) -> None:
    history: list[dict[str, Any]] = [{"role": "user", "content": f"Write to {PERSON}"}]
    marks = set()
    for turn in range(4):
        server.script(Reply(speak=call_tool))
        answer = client.responses.create(model="m", input=history, tools=[TOOL])
        marks |= {str(found) for found in server.last.placeholders()}
        call = answer.output[0]
        assert call.arguments == f'{{"to": "{PERSON}"}}'
        output = {"type": "function_call_output", "call_id": call.call_id, "output": f"{PERSON} got letter {turn}"}
        history += [call.to_dict(), output]
    assert len(marks) == 1
    assert answer.to_dict()["tools"] == [TOOL]
    assert find_canaries(server.wire, CANARIES) == []


def test_a_custom_tool_gets_its_text(client: Client, server: ModelServer) -> None:
    def speak(request: Recorded) -> Said:
        return Said(tools=(ToolUse(name="note", arguments=f"about {request.placeholders()[0]}", custom=True),))

    server.script(Reply(speak=speak), Reply(speak=speak, delta_every=1))
    asked: dict[str, Any] = {"model": "m", "input": f"I am {PERSON}", "tools": [{"type": "custom", "name": "note"}]}
    assert client.responses.create(**asked).output[0].input == f"about {PERSON}"
    events = list(client.responses.create(**asked, stream=True))
    deltas = [event.delta for event in events if event.type == "response.custom_tool_call_input.delta"]
    assert "".join(deltas) == events[-1].response.output[0].input == f"about {PERSON}"


def test_what_a_response_repeats_of_its_request_is_the_callers(
    server: ModelServer, make_guard: Callable[..., Guard]
) -> None:
    asked: dict[str, Any] = {"model": "m", "input": f"To {PERSON}", "metadata": {"owner": EMAIL}}
    with opened(server, make_guard(note=True)) as client:
        bare = client.responses.create(**asked)
        told = client.responses.create(**asked, instructions=f"You serve {EMAIL}")
    assert [request.json()["instructions"].endswith(NOTE) for request in server.requests] == [True, True]
    assert (bare.instructions, told.instructions) == (None, f"You serve {EMAIL}")
    assert (bare.metadata, told.metadata) == ({"owner": EMAIL}, {"owner": EMAIL})
    assert find_canaries(server.wire, CANARIES) == []


def test_instructions_are_not_the_users_to_read(server: ModelServer, make_guard: Callable[..., Guard]) -> None:
    def recite(request: Recorded) -> Said:
        return Said(text=str(request.json()["instructions"]))

    server.script(Reply(speak=recite))
    with opened(server, make_guard()) as client:
        answer = client.responses.create(model="m", input="Hi", instructions=f"The boss is {PERSON}")
    assert PERSON not in answer.output_text
    assert answer.instructions == f"The boss is {PERSON}"


def test_log_probabilities_go_where_the_text_changed(client: Client) -> None:
    asked: dict[str, Any] = {"model": "m", "include": ["message.output_text.logprobs"]}
    for text, is_kept in (("nothing here", True), (f"I am {PERSON}", False)):
        part = client.responses.create(**asked, input=text).output[0].content[0]
        assert (part.text, bool(part.logprobs)) == (text, is_kept)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "input_image", "image_url": "https://host.example/a.png", "detail": "low"},
        {"type": "input_file", "file_data": "AAAA", "filename": "a.pdf"},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    ],
    ids=["image", "file", "audio"],
)
def test_what_cannot_be_read_is_refused(client: Client, server: ModelServer, sink: ListSink, part: Any) -> None:  # noqa: ANN401 - JSON
    with pytest.raises(ProtectionError, match="only text can be minimized"):
        client.responses.create(model="m", input=[{"role": "user", "content": [part]}])
    assert server.requests == ()
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED]


def test_an_image_leaves_unread_where_the_profile_lets_it(
    server: ModelServer, make_guard: Callable[..., Guard]
) -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "AAAA" * 500, "detail": "low"}
    content: list[dict[str, Any]] = [{"type": "input_text", "text": f"Is this {PERSON}?"}, image]
    with opened(server, make_guard(pass_parts=(Media.IMAGE,))) as client:
        answer = client.responses.create(model="m", input=[{"role": "user", "content": content}])
        assert answer.output_text.startswith(f"Is this {PERSON}?")
        assert server.last.json()["input"][0]["content"][1] == image
        named = {**image, "image_url": f"https://host.example/{EMAIL}.png"}
        with pytest.raises(ProtectionError, match="holds something sensitive"):
            client.responses.create(model="m", input=[{"role": "user", "content": [content[0], named]}], user=EMAIL)
    assert find_canaries(server.wire, CANARIES) == []


def test_a_count_of_tokens_is_that_of_what_would_leave(client: Client, server: ModelServer) -> None:
    assert client.responses.input_tokens.count(model="m", input=f"I am {PERSON}").input_tokens > 0
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.long)])
async def test_streams_at_once_stay_apart(server: ModelServer, guard: Guard, count: int) -> None:
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(trust_env=False, limits=limits, timeout=120) as http_client:
        plain = openai.AsyncOpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client)
        client = adapter.wrap(plain, guard)

        async def ask(number: int) -> str:
            asked = f"{number}: {PERSON}, {EMAIL} {number}"
            async with client.responses.stream(model="m", input=asked) as stream:
                return str((await stream.get_final_response()).output_text)

        texts = await asyncio.gather(*[ask(number) for number in range(count)])
    assert texts == [f"{number}: {PERSON}, {EMAIL} {number}" for number in range(count)]
    assert find_canaries(server.wire, [Canary.person(), Canary.email()]) == []
