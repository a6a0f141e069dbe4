import json
from collections.abc import Iterator
from itertools import groupby

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from privguard.testing.completions import chat_body, chat_events, choices_of
from privguard.testing.mangling import Mangle
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply
from privguard.testing.server import ModelServer
from privguard.testing.speakers import echo, say

PROMPT = "I am [PERSON_7QK2: a person] of [LOCATION_A2B3], \U0001f600"
MESSAGES: list[openai.types.chat.ChatCompletionUserMessageParam] = [{"role": "user", "content": PROMPT}]
TOOLS: list[openai.types.chat.ChatCompletionFunctionToolParam] = [
    {"type": "function", "function": {"name": "send", "parameters": {"properties": {"name": {"type": "string"}}}}}
]


class Person(BaseModel):
    name: str
    city: str


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="none", base_url=server.base_url) as client:
        yield client


def record(**body: object) -> Recorded:
    raw = json.dumps({"model": "m", "messages": MESSAGES, **body}).encode()
    return Recorded(method="POST", target="/v1/chat/completions", headers=(), body=raw, decoded=raw)


def test_the_sdk_reads_a_whole_completion(client: openai.OpenAI) -> None:
    done = client.chat.completions.create(model="m", messages=MESSAGES, logprobs=True)
    assert done.choices[0].message.content == PROMPT
    assert done.choices[0].logprobs is not None
    assert "".join(token.token for token in done.choices[0].logprobs.content or ()) == PROMPT
    assert (done.model, done.choices[0].finish_reason) == ("m", "stop")


def test_the_sdk_reads_a_stream_with_usage(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="m", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
    )
    events = list(stream)
    assert "".join(event.choices[0].delta.content or "" for event in events if event.choices) == PROMPT
    assert events[-1].usage is not None


def test_the_sdk_reads_a_tool_call_whole_and_streamed(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="m", messages=MESSAGES, tools=TOOLS).choices[0].message.tool_calls
    assert whole is not None
    assert whole[0].type == "function"
    assert json.loads(whole[0].function.arguments) == {"name": "[PERSON_7QK2]"}
    with client.chat.completions.stream(model="m", messages=MESSAGES, tools=TOOLS) as stream:
        streamed = stream.get_final_completion().choices[0].message.tool_calls
    assert streamed is not None
    assert streamed[0].function.arguments == whole[0].function.arguments


def test_the_sdk_parses_a_structured_reply(client: openai.OpenAI) -> None:
    parsed = client.chat.completions.parse(model="m", messages=MESSAGES, response_format=Person)
    assert parsed.choices[0].message.parsed == Person(name="[PERSON_7QK2]", city="[LOCATION_A2B3]")


def test_the_sdk_retries_after_a_rate_limit(server: ModelServer, client: openai.OpenAI) -> None:
    server.script(Reply.rate_limited(), Reply.rate_limited())
    assert client.chat.completions.create(model="m", messages=MESSAGES).choices[0].message.content == PROMPT
    assert len({request.body for request in server.requests}) == 1
    assert len(server.requests) == 3


def test_the_sdk_reads_the_other_routes(client: openai.OpenAI) -> None:
    assert client.completions.create(model="m", prompt="a [PERSON_7QK2]").choices[0].text == "a [PERSON_7QK2]"
    events = client.completions.create(model="m", prompt="abcdef", stream=True)
    assert "".join(event.choices[0].text for event in events) == "abcdef"
    packed = client.embeddings.create(model="m", input=["a", "b"]).data
    floats = client.embeddings.create(model="m", input=["a", "b"], encoding_format="float").data
    assert packed[0].embedding == pytest.approx(floats[0].embedding, abs=1e-6)
    assert packed[0].embedding != packed[1].embedding
    assert [model.id for model in client.models.list()] == ["scripted"]


@given(st.text(max_size=60), st.integers(1, 9), st.integers(1, 3))
def test_a_stream_says_what_the_whole_body_says(text: str, size: int, n: int) -> None:
    reply = Reply(speak=(say(text), say(text[::-1])), delta_every=size)
    request = record(n=n)
    whole = [choice["message"]["content"] for choice in chat_body(request, reply, 1)["choices"]]
    streamed = [""] * n
    for event in chat_events(request, reply, 1):
        [choice] = event["choices"]
        streamed[choice["index"]] += choice["delta"].get("content") or ""
    assert streamed == whole


def test_choices_take_turns_in_a_stream() -> None:
    indices = [event["choices"][0]["index"] for event in chat_events(record(n=2), Reply(speak=echo), 1)]
    assert max(len(list(run)) for _, run in groupby(indices)) == 1


def test_deltas_are_cut_where_asked() -> None:
    events = chat_events(record(), Reply(speak=say("[PERSON_7QK2] x"), delta_cuts=(1, 5, 13)), 1)
    contents = [event["choices"][0]["delta"].get("content") for event in events]
    assert [content for content in contents if content] == ["[", "PERS", "ON_7QK2]", " x"]


def test_a_truncated_reply_ends_inside_its_last_placeholder() -> None:
    choice = chat_body(record(), Reply(truncate=True, speak=say("a [PERSON_7QK2] b [DATE_A2B3] c")), 1)["choices"][0]
    assert choice["message"]["content"] == "a [PERSON_7QK2] b [DAT"
    assert choice["finish_reason"] == "length"


def test_an_annotation_covers_the_first_placeholder() -> None:
    message = chat_body(record(), Reply(annotate=True), 1)["choices"][0]["message"]
    citation = message["annotations"][0]["url_citation"]
    assert message["content"][citation["start_index"] : citation["end_index"]] == "[PERSON_7QK2: a person]"
    assert chat_body(record(), Reply(annotate=True, speak=say("x")), 1)["choices"][0]["message"]["annotations"] == []


def test_mangling_reaches_text_and_arguments() -> None:
    assert choices_of(record(), Reply(mangle=Mangle.LOWER))[0].text == PROMPT.replace(
        "[PERSON_7QK2: a person]", "[person_7qk2: a person]"
    ).replace("[LOCATION_A2B3]", "[location_a2b3]")
    assert choices_of(record(tools=TOOLS), Reply(mangle=Mangle.BARE))[0].tools[0].arguments == '{"name": "PERSON_7QK2"}'
