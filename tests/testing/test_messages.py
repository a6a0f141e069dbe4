import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from pydantic import BaseModel

from privguard.testing.messages import cite, count_body, message_body, message_error, message_events, seal
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply
from privguard.testing.said import Said
from privguard.testing.server import ModelServer

PROMPT = "I am [PERSON_7QK2: a person] of [LOCATION_A2B3], \U0001f600"
MESSAGES: Any = [{"role": "user", "content": PROMPT}]
TOOLS: Any = [{"name": "send", "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}}}]
SOURCE = {"type": "text", "media_type": "text/plain", "data": "About [PERSON_7QK2]."}
DOCUMENT: Any = [{"role": "user", "content": [{"type": "document", "source": SOURCE, "title": "A file"}]}]


class Person(BaseModel):
    name: str


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def client(server: ModelServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="none", base_url=server.root_url, max_retries=0) as client:
        yield client


def record(**body: object) -> Recorded:
    raw = json.dumps({"model": "m", "messages": MESSAGES, **body}).encode()
    return Recorded(method="POST", target="/v1/messages", headers=(), body=raw, decoded=raw)


def content(message: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - of the SDK
    return [block.model_dump(exclude_none=True) for block in message.content]


def test_the_sdk_reads_a_whole_message(client: anthropic.Anthropic) -> None:
    message = client.messages.create(model="m", max_tokens=9, messages=MESSAGES)
    assert content(message) == [{"type": "text", "text": PROMPT}]
    assert (message.model, message.role, message.stop_reason) == ("m", "assistant", "end_turn")
    assert message.usage.input_tokens == count_body(record())["input_tokens"]


@pytest.mark.parametrize("speak", [Said(text="Well, [PERSON_7QK2]."), Said(text="So.", thinking="Hm, [PERSON_7QK2].")])
def test_a_stream_adds_up_to_the_whole(server: ModelServer, client: anthropic.Anthropic, speak: Said) -> None:
    options: Any
    for tools in (None, TOOLS):
        reply = Reply() if tools else Reply(speak=lambda _request: speak)
        server.script(reply, reply)
        options = {"model": "m", "max_tokens": 9, "messages": MESSAGES, "tools": tools or []}
        whole = client.messages.create(**options)
        with client.messages.stream(**options) as stream:
            streamed = stream.get_final_message()
        assert [{**block, "id": ""} for block in content(streamed)] == [{**block, "id": ""} for block in content(whole)]
        assert (streamed.stop_reason, streamed.usage.output_tokens) == (whole.stop_reason, 1)


def test_what_is_thought_is_signed_and_comes_first() -> None:
    said = Said(text="So.", thinking="Hm.")
    blocks = message_body(record(), Reply(speak=lambda _request: said), 1)["content"]
    assert blocks[0] == {"type": "thinking", "thinking": "Hm.", "signature": seal("Hm.")}
    assert seal("Hm.") != seal("Hm!")


def test_a_tool_is_called_once_and_its_result_is_echoed(client: anthropic.Anthropic) -> None:
    options: Any = {"model": "m", "max_tokens": 9, "tools": TOOLS, "tool_choice": {"type": "tool", "name": "send"}}
    (call,) = content(client.messages.create(messages=MESSAGES, **options))
    assert (call["name"], call["input"]) == ("send", {"name": "[PERSON_7QK2]"})
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": [{"type": "text", "text": "sent"}]}
    answered = [*MESSAGES, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert content(client.messages.create(messages=answered, **options)) == [{"type": "text", "text": "sent"}]


def test_a_schema_is_filled(client: anthropic.Anthropic) -> None:
    parsed = client.messages.parse(model="m", max_tokens=9, messages=MESSAGES, output_format=Person)
    assert parsed.parsed_output == Person(name="[PERSON_7QK2]")


def test_a_document_is_cited_by_the_place_of_its_placeholder(client: anthropic.Anthropic, server: ModelServer) -> None:
    (citation,) = cite(record(messages=DOCUMENT))
    start, end = citation["start_char_index"], citation["end_char_index"]
    assert SOURCE["data"][start:end] == citation["cited_text"] == "[PERSON_7QK2]"
    server.script(Reply(annotate=True))
    assert content(client.messages.create(model="m", max_tokens=9, messages=DOCUMENT))[0]["citations"] == [citation]
    assert cite(record()) == []


def test_an_end_within_a_placeholder_says_so() -> None:
    message = message_body(record(), Reply(truncate=True), 1)
    assert message["content"][0]["text"].endswith("[LOC")
    assert message["stop_reason"] == "max_tokens"


def test_the_events_are_in_the_order_of_the_api() -> None:
    kinds = [event["type"] for event in message_events(record(), Reply(delta_every=100), 1)]
    assert kinds == [
        "message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop", "message_delta",
        "message_stop",
    ]  # fmt: skip
    assert [event["type"] for event in message_events(record(), Reply(done=False), 1)][-1] == "message_delta"


def test_errors_counts_and_models_are_those_of_the_sdk(server: ModelServer, client: anthropic.Anthropic) -> None:
    server.script(Reply.rate_limited(), Reply(status=400), Reply(status=500))
    for expected in (anthropic.RateLimitError, anthropic.BadRequestError, anthropic.InternalServerError):
        with pytest.raises(expected):
            client.messages.create(model="m", max_tokens=9, messages=MESSAGES)
    assert client.messages.count_tokens(model="m", messages=MESSAGES).input_tokens > 3
    assert [model.id for model in client.models.list()] == ["scripted"]
    assert message_error(529, "busy")["error"] == {"type": "api_error", "message": "busy"}
