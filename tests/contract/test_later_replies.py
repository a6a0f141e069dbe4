"""Replies of the Responses API that come later, through the real SDK, a real guard and a vault."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx2
import openai
import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import NoVaultError, ProtectionError, UnknownReferenceError
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
    echo_placeholders,
    find_canaries,
    say,
)
from privguard.vault import open_vault
from privguard_adapters.openai import adapter
from tests.contract.driver import Client

PERSON, EMAIL = Canary.person().value, Canary.email().value
CANARIES = all_canaries()


@pytest.fixture
def keeping(make_guard: Callable[..., Guard]) -> Guard:
    guard = make_guard()
    return Guard(replace(guard.parts, vault=open_vault("memory:")))


def opened(server: ModelServer, guard: Guard) -> Client:
    http_client = httpx2.Client(trust_env=False)
    plain = openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client)
    return adapter.wrap(plain, guard)


@pytest.fixture
def client(server: ModelServer, keeping: Guard) -> Iterator[Client]:
    with opened(server, keeping) as made:
        yield made


def test_an_answer_speaks_of_what_an_earlier_request_said(client: Client, server: ModelServer) -> None:
    first = client.responses.create(model="m", input=f"I am {PERSON}")
    mark = str(server.last.placeholders()[0])
    server.script(*[Reply(speak=say(f"You are {mark}, at {{}}"))] * 2)
    second = client.responses.create(model="m", input=f"Write to {EMAIL}", previous_response_id=first.id)
    assert second.output_text == f"You are {PERSON}, at {{}}"
    third = client.responses.create(model="m", input="Who am I?", previous_response_id=second.id)
    assert third.output_text == f"You are {PERSON}, at {{}}"
    assert find_canaries(server.wire, CANARIES) == []


def test_a_stream_is_kept_as_soon_as_it_begins(client: Client, server: ModelServer) -> None:
    with client.responses.create(model="m", input=f"I am {PERSON}", stream=True) as events:
        made = next(iter(events)).response
        server.script(Reply(speak=say(str(server.last.placeholders()[0]))))
        assert client.responses.create(model="m", input="Who?", previous_response_id=made.id).output_text == PERSON


def test_a_response_in_the_background_comes_back_to_whoever_asks_for_it(
    client: Client, server: ModelServer, keeping: Guard, sink: ListSink
) -> None:
    server.script(Reply(speak=echo_placeholders))
    queued = client.responses.create(model="m", input=f"{PERSON}, {EMAIL}", background=True)
    client.close()
    with opened(server, keeping) as other:
        done = other.responses.retrieve(queued.id)
        assert done.output_text.split("\n") == [PERSON, EMAIL]
        assert other.responses.cancel(queued.id).output_text == done.output_text
        items = other.responses.input_items.list(queued.id).data
        assert items[0].to_dict()["content"] == [{"type": "input_text", "text": f"{PERSON}, {EMAIL}"}]
        assert other.responses.delete(queued.id) is None
    assert {record.outcome for record in sink.records} == {Outcome.DONE}
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_stream_that_is_asked_for_again_goes_on_where_it_was_left(
    client: Client, server: ModelServer, size: int
) -> None:
    server.script(Reply(delta_every=size))
    asked = {"model": "m", "input": f"[1] Dear {PERSON}, write to {EMAIL}.", "background": True, "stream": True}
    whole = [event.to_dict() for event in client.responses.create(**asked)]
    assert [event["sequence_number"] for event in whole] == list(range(len(whole)))
    response_id = whole[0]["response"]["id"]
    for last in range(-1, len(whole) - 1, 1 if size > 1 else 5):
        options = {} if last < 0 else {"starting_after": last}
        rest = [event.to_dict() for event in client.responses.retrieve(response_id, stream=True, **options)]
        assert rest == whole[last + 1 :]
    assert b"starting_after" not in server.wire


def test_a_stream_in_the_background_that_breaks_off_says_nothing_twice(client: Client, server: ModelServer) -> None:
    text = f"Dear {PERSON}, good day."
    asked: dict[str, Any] = {"model": "m", "input": text, "background": True, "stream": True}
    server.script(Reply(delta_every=2))
    length = len(b"".join(client.responses.with_raw_response.create(**asked).http_response.iter_bytes()))
    for cut in range(length // 2, length, 97):
        server.script(Reply(delta_every=2, drop_after=cut))
        seen: list[dict[str, Any]] = []
        with suppress(openai.APIConnectionError):
            for event in client.responses.create(**asked):
                seen.append(event.to_dict())  # noqa: PERF401 - what came before the end counts
        last, response_id = seen[-1]["sequence_number"], seen[0]["response"]["id"]
        again = client.responses.retrieve(response_id, stream=True, starting_after=last)
        seen += [event.to_dict() for event in again]
        deltas = [event["delta"] for event in seen if event["type"] == "response.output_text.delta"]
        assert "".join(deltas) == text


def test_a_conversation_gives_back_what_all_its_turns_said(client: Client, server: ModelServer) -> None:
    message = {"type": "message", "role": "user", "content": f"I am {PERSON}"}
    made = client.conversations.create(items=[message], metadata={"owner": PERSON})
    assert made.metadata == {"owner": PERSON}
    mark = str(server.last.placeholders()[0])
    more = {**message, "content": f"My address is {EMAIL}"}
    added = client.conversations.items.create(made.id, items=[more])
    assert added.data[0].to_dict()["content"][0]["text"] == more["content"]
    other = str(server.last.placeholders()[0])
    server.script(Reply(speak=say(f"{mark} has {other}")))
    answer = client.responses.create(model="m", input="Who has what?", conversation=made.id)
    assert answer.output_text == f"{PERSON} has {EMAIL}"
    assert client.conversations.retrieve(made.id).metadata == {"owner": PERSON}
    listed = client.conversations.items.list(made.id).data
    assert listed[0].to_dict()["content"][0]["text"] == message["content"]
    assert client.conversations.update(made.id, metadata={"owner": EMAIL}).metadata == {"owner": EMAIL}
    assert client.conversations.delete(made.id).deleted
    assert find_canaries(server.wire, CANARIES) == []


FAMILY = PERSON.split()[-1]
SCHEMA: dict[str, Any] = {"type": "object", "properties": {f"{FAMILY.lower()}_notes": {"type": "string"}}}
LOOK: dict[str, Any] = {
    "type": "function",
    "name": f"lookup_{FAMILY.lower()}",
    "strict": False,
    "parameters": SCHEMA,
}


def fill_all_keys(request: Recorded) -> Said:
    asked = request.json()
    if "tools" not in asked:
        return Said(text=json.dumps(dict.fromkeys(asked["text"]["format"]["schema"]["properties"], "x")))
    tool = asked["tools"][0]
    arguments = json.dumps(dict.fromkeys(tool["parameters"]["properties"], "x"))
    return Said(tools=(ToolUse(name=tool["name"], arguments=arguments),))


def test_names_that_were_renamed_come_back_as_the_callers_whoever_asks_and_how(
    client: Client, server: ModelServer, keeping: Guard
) -> None:
    server.script(*[Reply(speak=fill_all_keys, delta_every=3)] * 2)
    asked: dict[str, Any] = {"model": "m", "input": f"I am {PERSON}"}
    called = client.responses.create(**asked, tools=[LOOK], background=True, stream=True)
    first = [event.to_dict() for event in called][-1]["response"]
    form = {"type": "json_schema", "name": "letter", "schema": SCHEMA}
    second = client.responses.create(
        **{**asked, "input": f"{PERSON}?"}, text={"format": form}, previous_response_id=first["id"]
    )
    assert find_canaries(server.wire, CANARIES) == []
    assert FAMILY.lower().encode() not in server.wire.lower()
    client.close()
    with opened(server, keeping) as other:
        again = other.responses.retrieve(first["id"])
        assert (again.output[0].name, again.tools[0].to_dict()) == (LOOK["name"], LOOK)
        assert json.loads(again.output[0].arguments) == {f"{FAMILY.lower()}_notes": "x"}
        assert [event.to_dict() for event in other.responses.retrieve(first["id"], stream=True)][-1][
            "response"
        ] == first
        assert other.responses.retrieve(second.id).output_text == f'{{"{FAMILY.lower()}_notes": "x"}}'


def test_names_of_all_turns_of_a_conversation_come_back(client: Client, server: ModelServer) -> None:
    names = [LOOK["name"], f"ask_{FAMILY.lower()}"]
    call = {"type": "function_call", "call_id": "call_1", "arguments": f'{{"{FAMILY.lower()}_notes": "x"}}'}
    said = {"type": "message", "role": "user", "content": f"I am {PERSON}"}
    made = client.conversations.create(items=[said, *[{**call, "name": name} for name in names]])
    for name in names:
        tool = {**LOOK, "name": name}
        client.responses.create(model="m", input=f"I am {PERSON}", conversation=made.id, tools=[tool])
    assert FAMILY.lower().encode() not in server.wire.lower()
    listed = client.conversations.items.list(made.id).data[1:]
    assert [item.name for item in listed] == names


LATER: list[Callable[[Client], object]] = [
    lambda client: client.responses.create(model="m", input="Hi", previous_response_id="resp_1"),
    lambda client: client.responses.create(model="m", input="Hi", background=True),
    lambda client: client.responses.create(model="m", input="Hi", conversation="conv_1"),
    lambda client: client.responses.retrieve("resp_1"),
    lambda client: client.responses.cancel("resp_1"),
    lambda client: client.responses.input_items.list("resp_1"),
    lambda client: client.conversations.create(),
    lambda client: client.conversations.items.list("conv_1"),
]


@pytest.mark.parametrize("call", LATER, ids=range(len(LATER)))
def test_without_a_vault_what_comes_later_is_refused_with_what_to_do(
    call: Callable[[Client], object], server: ModelServer, guard: Guard, sink: ListSink
) -> None:
    with opened(server, guard) as client, pytest.raises(NoVaultError, match="PRIVGUARD_VAULT"):
        call(client)
    assert server.requests == ()
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED]


def test_what_the_vault_does_not_have_is_said(client: Client, server: ModelServer) -> None:
    with pytest.raises(UnknownReferenceError):
        client.responses.retrieve("resp_unheard")
    assert server.requests == ()


def test_what_is_not_stored_is_not_kept(client: Client, server: ModelServer, keeping: Guard) -> None:
    answer = client.responses.create(model="m", input=f"I am {PERSON}", store=False)
    with pytest.raises(UnknownReferenceError):
        keeping.reopen(answer.id)
    assert answer.output_text == f"I am {PERSON}"


def test_another_owner_finds_nothing(client: Client, server: ModelServer, keeping: Guard) -> None:
    queued = client.responses.create(model="m", input=f"I am {PERSON}", background=True)
    stranger = Guard(replace(keeping.parts, owner=replace(keeping.parts.owner, tenant="other")))
    with opened(server, stranger) as other, pytest.raises(UnknownReferenceError):
        other.responses.retrieve(queued.id)


async def test_async_clients_keep_and_ask_again(server: ModelServer, keeping: Guard) -> None:
    http_client = httpx2.AsyncClient(trust_env=False)
    async with openai.AsyncOpenAI(api_key="k", base_url=server.base_url, http_client=http_client) as plain:
        client = adapter.wrap(plain, keeping)
        queued = await client.responses.create(model="m", input=f"I am {PERSON}", background=True)
        done = await client.responses.retrieve(queued.id)
        assert done.output_text == f"I am {PERSON}"
        asked = [client.responses.create(model="m", input=f"{PERSON} {number}") for number in range(20)]
        texts = [answer.output_text for answer in await asyncio.gather(*asked)]
    assert texts == [f"{PERSON} {number}" for number in range(20)]


def test_an_id_that_holds_a_value_is_refused(client: Client, server: ModelServer) -> None:
    with pytest.raises(ProtectionError):
        client.responses.retrieve(Canary.card().value.replace(" ", ""))
    assert server.requests == ()
