"""Faults that users of comparable tools reported, on the wire of the OpenAI SDK. The ids name the sort of fault."""

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from privguard.core.errors import UnknownContentError, UnprotectedRouteError
from privguard.guard import Guard
from privguard.testing import Canary, ModelServer, Recorded, Reply, Said, ToolUse, all_canaries, find_canaries
from privguard_adapters.openai import adapter

PERSON, EMAIL, CARD, PHONE, DATE = (
    make().value for make in (Canary.person, Canary.email, Canary.card, Canary.phone, Canary.date)
)
USER: Any = [{"role": "user", "content": f"I am {PERSON}"}]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer, guard: Guard) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=0) as plain:
        yield adapter.wrap(plain, guard)


def call(arguments: object) -> dict[str, Any]:
    function = {"name": "pay", "arguments": json.dumps(arguments)}
    return {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


def answer(content: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "call_1", "content": content}


MESSAGES: dict[str, list[dict[str, Any]]] = {
    "tool-args-in": [call({"card": CARD, "who": [PERSON]}), answer("ok")],
    "tool-args-in, numbers": [call({"card": int(CARD.replace(" ", ""))}), answer("ok")],
    "tool-args-in, deep": [call({"body": json.dumps({"to": EMAIL})}), answer("ok")],
    "tool-args-in, keys": [call({Canary.username().value: 1}), answer("ok")],
    "tool-result": [call({}), answer(f"{PERSON}, {PHONE}")],
    "tool-result, json": [call({}), answer(json.dumps({"name": PERSON, "phone": PHONE}))],
    "tool-result, parts": [call({}), answer([{"type": "text", "text": PERSON}])],
    "list-content": [{"role": "user", "content": [{"type": "text", "text": f"I am {PERSON}"}]}],
    "system": [{"role": "system", "content": f"The user is {PERSON}"}],
    "refusal": [{"role": "assistant", "refusal": f"No, {PERSON}"}],
    "function": [{"role": "function", "name": "pay", "content": PERSON}],
}


@pytest.mark.parametrize("case", MESSAGES)
def test_nothing_leaves_in_any_message(case: str, client: openai.OpenAI, server: ModelServer) -> None:
    messages: Any = [*MESSAGES[case], *USER]
    client.chat.completions.create(model="m", messages=messages)
    assert find_canaries(server.wire, all_canaries()) == []
    for sent, given in zip(server.last.json()["messages"], messages, strict=True):
        assert type(sent.get("content")) is type(given.get("content"))
        for each in sent.get("tool_calls", ()):
            json.loads(each["function"]["arguments"])


OTHER_FIELDS: dict[str, dict[str, Any]] = {
    "other-fields": {"extra_body": {"documents": [f"{PERSON}, born {DATE}"]}},
    "other-fields, keys": {"extra_body": {"by_person": {PERSON: {"mail": EMAIL}}}},
    "metadata": {"metadata": {PERSON: EMAIL}},
    "user": {"user": EMAIL, "safety_identifier": EMAIL, "prompt_cache_key": EMAIL},
    "stop": {"stop": [PERSON]},
    "location": {"web_search_options": {"user_location": {"type": "approximate", "approximate": {"city": PERSON}}}},
    "prediction": {"prediction": {"type": "content", "content": PERSON}},
    "schema": {"response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": {"const": PERSON}}}},
}


@pytest.mark.parametrize("case", OTHER_FIELDS)
def test_nothing_leaves_beside_the_messages(case: str, client: openai.OpenAI, server: ModelServer) -> None:
    client.chat.completions.create(model="m", messages=USER, **OTHER_FIELDS[case])
    assert find_canaries(server.wire, all_canaries()) == []


def test_a_route_that_is_not_protected_is_refused(client: openai.OpenAI, server: ModelServer) -> None:
    with pytest.raises(UnprotectedRouteError, match="images"):
        client.images.generate(model="m", prompt=f"mail me at {EMAIL}")
    assert server.requests == ()


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_gets_the_real_value(client: openai.OpenAI, server: ModelServer, stream: bool) -> None:
    def schedule(request: Recorded) -> Said:
        (date,) = [found for found in request.placeholders() if found.kind.value == "DATE"]
        return Said(tools=(ToolUse(name="book", arguments=json.dumps({"date": str(date)})),))

    server.script(Reply(speak=schedule, delta_every=3))
    tools: Any = [{"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}}]
    messages: Any = [{"role": "user", "content": f"Book {DATE}"}]
    if stream:
        with client.chat.completions.stream(model="m", messages=messages, tools=tools) as events:
            done = events.get_final_completion()
    else:
        done = client.chat.completions.create(model="m", messages=messages, tools=tools)  # type: ignore[assignment]  # alike
    calls: Any = done.choices[0].message.tool_calls
    assert json.loads(calls[0].function.arguments) == {"date": DATE}


def test_a_longer_original_still_fits_its_length_header(client: openai.OpenAI) -> None:
    text = f"{EMAIL} " * 200
    messages: Any = [{"role": "user", "content": text}]
    raw = client.chat.completions.with_raw_response.create(model="m", messages=messages)
    assert int(raw.headers["content-length"]) == len(raw.content)
    assert raw.parse().choices[0].message.content == text


def test_a_reply_with_a_hundred_thousand_placeholders_is_restored(client: openai.OpenAI, server: ModelServer) -> None:
    def many(request: Recorded) -> Said:
        return Said(text=f"{request.placeholders()[0]}, " * 100_000)

    server.script(Reply(speak=many))
    reply = client.chat.completions.create(model="m", messages=USER)
    assert reply.choices[0].message.content == f"{PERSON}, " * 100_000


@pytest.mark.long
def test_a_prompt_of_ten_megabytes_is_minimized(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(Reply(speak=lambda _request: Said(text="ok")))
    messages: Any = [{"role": "user", "content": "some words and more\n" * 500_000 + PERSON}]
    client.chat.completions.create(model="m", messages=messages)
    assert b"PERSON_" in server.last.body[-200:]
    assert PERSON.encode() not in server.last.body


@pytest.mark.parametrize(
    "body",
    [b"{", b'{"model": "m", "messages": [{"content": "\xff"}]}', b'{"a": 1, "a": 2}', b"[" * 5000, b'{"a": NaN}'],
)
def test_a_body_that_cannot_be_read_is_not_sent(client: openai.OpenAI, server: ModelServer, body: bytes) -> None:
    with pytest.raises(UnknownContentError, match=r"read|UTF-8"):
        client.post("/chat/completions", cast_to=object, content=body)
    assert server.requests == ()
