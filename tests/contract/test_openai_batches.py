"""Batches and files of OpenAI, through the real SDK, a real guard and a vault."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import httpx2
import openai
import pytest
from openai._resource import SyncAPIResource

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import (
    PrivguardError,
    ProtectionError,
    RestoreError,
    UnheldError,
    UnknownContentError,
    UnknownReferenceError,
    UnprotectedRouteError,
)
from privguard.core.holding import Owner
from privguard.guard import Guard, conversation
from privguard.testing import (
    Canary,
    FakeDetector,
    ListSink,
    ModelServer,
    Reply,
    all_canaries,
    call_tool,
    echo,
    find_canaries,
    say,
)
from privguard.vault import open_vault
from privguard_adapters.openai import adapter
from tests.contract.driver import Client
from tests.contract.reflection import methods_of
from tests.contract.sweep import CANARIES, try_all

PERSON, EMAIL, CARD = Canary.person().value, Canary.email().value, Canary.card().value
CHAT = "/v1/chat/completions"
Line = dict[str, Any]


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


def line(name: str, text: str, **more: Any) -> Line:  # noqa: ANN401 - fields of a request
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **more}
    return {"custom_id": name, "method": "POST", "url": CHAT, "body": body}


def jsonl(lines: Sequence[Line | bytes], end: bytes = b"\n") -> bytes:
    return b"".join([(each if isinstance(each, bytes) else json.dumps(each).encode()) + end for each in lines])


def upload(client: Client, lines: Sequence[Line | bytes], name: str = "batch.jsonl") -> str:
    return str(client.files.create(file=(name, jsonl(lines)), purpose="batch").id)


def run(client: Client, file_id: str) -> Any:  # noqa: ANN401 - a batch
    made = client.batches.create(input_file_id=file_id, endpoint=CHAT, completion_window="24h")
    return client.batches.retrieve(made.id)


def contents(text: str) -> dict[str, str]:
    results = [json.loads(each) for each in text.splitlines()]
    return {each["custom_id"]: each["response"]["body"]["choices"][0]["message"]["content"] for each in results}


def test_each_line_leaves_minimized_and_its_result_comes_back(
    client: Client, server: ModelServer, sink: ListSink
) -> None:
    given = {"a": f"I am {PERSON}", "b": f"Write to {EMAIL}", "c": "nothing", "d": f"{PERSON}, {CARD}"}
    file_id = upload(client, [line(name, text) for name, text in given.items()])
    batch = run(client, file_id)
    text = client.files.content(batch.output_file_id).text
    assert list(contents(text)) == ["d", "c", "b", "a"]
    assert contents(text) == given
    assert find_canaries(server.wire, all_canaries()) == []
    routes = [record.route for record in sink.records]
    assert routes == ["openai.files.chat.completions"] * 4 + ["openai.files.content"] * 4
    assert {record.outcome for record in sink.records} == {Outcome.DONE}


def test_the_same_value_has_the_same_placeholder_in_every_line(client: Client, server: ModelServer) -> None:
    upload(client, [line(str(number), f"I am {PERSON}") for number in range(3)])
    assert len(server.last.placeholders()) == 1


def test_a_line_gets_no_value_of_another(client: Client, server: ModelServer) -> None:
    file_id = upload(client, [line("a", f"I am {PERSON}"), line("b", f"Write to {EMAIL}")])
    mine, other = server.last.placeholders()
    server.script(Reply(), Reply(), Reply(), *[Reply(speak=say(f"{mine} {other}"))] * 2)
    batch = run(client, file_id)
    assert contents(client.files.content(batch.output_file_id).text) == {
        "a": f"{PERSON} {other}",
        "b": f"{mine} {EMAIL}",
    }


def test_errors_come_back_by_line_as_well(client: Client, server: ModelServer) -> None:
    file_id = upload(client, [line("a", PERSON)])
    mark = str(server.last.placeholders()[0])
    batch = run(client, file_id)
    said = {"message": f"{mark} is too long", "type": "invalid", "param": None, "code": None}
    failed = {"id": "r", "custom_id": "a", "response": {"status_code": 400, "request_id": "q", "body": {"error": said}}}
    expired = {"id": "s", "custom_id": "a", "response": None, "error": {"code": "expired", "message": f"no {mark}"}}
    body = jsonl([{**failed, "error": None}, expired])
    with _serving(keeping_of(client), lambda _: httpx2.Response(200, content=body)) as other:
        first, second = [json.loads(each) for each in other.files.content(batch.error_file_id).iter_lines()]
    assert first["response"]["body"]["error"]["message"] == f"{PERSON} is too long"
    assert second["error"]["message"] == f"no {PERSON}"


def test_a_value_that_holds_the_end_of_a_line_stays_in_its_line(client: Client, server: ModelServer) -> None:
    name = "Zoë\u2028Ådahl\x85Lind\u2029"
    guard = keeping_of(client)
    detector = FakeDetector({name: EntityType.PERSON})
    with opened(server, Guard(replace(guard.parts, detector=detector))) as other:
        batch = run(other, upload(other, [line("a", f"I am {name}."), line("b", "nothing")]))
        with other.files.with_streaming_response.content(batch.output_file_id) as results:
            found = [json.loads(each) for each in results.iter_lines()]
    assert [each["custom_id"] for each in found] == ["b", "a"]
    assert found[1]["response"]["body"]["choices"][0]["message"]["content"] == f"I am {name}."


def test_errors_of_a_batch_come_back_with_the_values_of_their_line(client: Client, server: ModelServer) -> None:
    file_id = upload(client, [line("a", f"I am {PERSON}"), line("b", f"Write to {EMAIL}")])
    mine, other = [str(each) for each in server.last.placeholders()]
    said = [(1, f"{mine} {other}"), (2, f"{mine} {other}"), (3, mine), (None, mine)]
    data = [{"code": "invalid", "line": number, "message": text, "param": None} for number, text in said]
    batch: Line = {"id": "batch_9", "object": "batch", "input_file_id": file_id, "status": "failed"}
    batch["errors"] = {"object": "list", "data": data}

    def answer(request: httpx2.Request) -> httpx2.Response:
        is_list = request.url.path.endswith("/batches")
        return httpx2.Response(200, json={"object": "list", "data": [batch]} if is_list else batch)

    with _serving(keeping_of(client), answer) as asked:
        for found in (asked.batches.retrieve("batch_9"), next(iter(asked.batches.list()))):
            assert [each.message for each in found.errors.data] == [f"{PERSON} {other}", f"{mine} {EMAIL}", mine, mine]


def keeping_of(client: Client) -> Guard:
    guard: Guard = client._client._transport.gate.guard
    return guard


def _serving(guard: Guard, answer: Callable[[httpx2.Request], httpx2.Response]) -> Client:
    http_client = httpx2.Client(transport=httpx2.MockTransport(answer))
    plain = openai.OpenAI(api_key="k", base_url="http://api.example/v1", max_retries=0, http_client=http_client)
    return adapter.wrap(plain, guard)


TOOL = {
    "type": "function",
    "function": {
        "name": "lookup_user_4417",
        "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    },
}


def test_tools_and_json_come_back_as_they_do_online(client: Client, server: ModelServer) -> None:
    name = 'Bob "Ace" Lee\nof Zurich'
    asked = line("a", f"Write to {name}", tools=[TOOL])
    json_asked = line("b", f"Who is {name}?", response_format={"type": "json_object"})
    server_reply = lambda request: Reply(speak=call_tool if request.json().get("tools") else echo)  # noqa: E731
    server._reply = server_reply
    online = client.chat.completions.create(**asked["body"])
    server.script(Reply())
    file_id = upload(client, [asked, json_asked])
    mark = str(server.last.placeholders()[0])
    batch = run(client, file_id)
    server.script(Reply(), Reply(speak=say(json.dumps({"name": mark}))))
    results = [json.loads(each) for each in client.files.content(batch.output_file_id).iter_lines()]
    found = {each["custom_id"]: each["response"]["body"]["choices"][0]["message"] for each in results}
    assert json.loads(found["b"]["content"]) == {"name": name}
    call = online.choices[0].message.tool_calls[0].function
    assert found["a"]["tool_calls"][0]["function"] == {"name": call.name, "arguments": call.arguments}
    assert json.loads(call.arguments) == {"to": name}


def test_the_callers_own_file_comes_back_as_it_was(client: Client) -> None:
    lines = [line("a", f"I am {PERSON}", tools=[TOOL], metadata={"owner": EMAIL}), line("b", f'{{"to": "{EMAIL}"}}')]
    file_id = upload(client, lines)
    assert client.files.content(file_id).content == jsonl(lines)


@pytest.mark.parametrize("route", ["completions", "embeddings", "responses", "moderations"])
def test_lines_of_every_route_are_protected(client: Client, server: ModelServer, route: str) -> None:
    field = "prompt" if route == "completions" else "input"
    body = {"model": "m", field: f"I am {PERSON}"}
    file_id = upload(client, [{"custom_id": "a", "method": "POST", "url": f"/v1/{route}", "body": body}])
    batch = run(client, file_id)
    (result,) = client.files.content(batch.output_file_id).iter_lines()
    assert find_canaries(server.wire, all_canaries()) == []
    assert (PERSON in result) == (route in {"completions", "responses"})


def test_a_later_request_may_speak_of_a_response_of_a_batch(client: Client, server: ModelServer) -> None:
    body = {"model": "m", "input": f"I am {PERSON}"}
    file_id = upload(client, [{"custom_id": "a", "method": "POST", "url": "/v1/responses", "body": body}])
    mark = str(server.last.placeholders()[0])
    (result,) = client.files.content(run(client, file_id).output_file_id).iter_lines()
    server.script(Reply(speak=say(f"You are {mark}")))
    made = json.loads(result)["response"]["body"]["id"]
    answer = client.responses.create(model="m", input="Who?", previous_response_id=made)
    assert answer.output_text == f"You are {PERSON}"


def test_a_custom_id_that_tells_something_leaves_as_a_number_and_comes_back(
    client: Client, server: ModelServer
) -> None:
    ids = ["privguard-2", EMAIL, f"of {PERSON}", "x" * 65, "Zoë", CARD.replace(" ", ""), "request-1"]
    lines = [line(each, f"I am {PERSON} {number}") for number, each in enumerate(ids)]
    file_id = upload(client, lines)
    sent = [json.loads(each)["custom_id"] for each in server.last.body.split(b"\r\n\r\n")[2].splitlines()[:7]]
    assert sent == ["privguard-2", "privguard-2-2", *[f"privguard-{number}" for number in range(3, 7)], "request-1"]
    batch = run(client, file_id)
    text = client.files.content(batch.output_file_id).text
    assert contents(text) == {each: f"I am {PERSON} {number}" for number, each in enumerate(ids)}
    assert [json.loads(each)["custom_id"] for each in client.files.content(file_id).iter_lines()] == ids
    assert find_canaries(server.wire, all_canaries()) == []


BAD: dict[str, tuple[bytes | Line, str]] = {
    "no JSON": (b'{"custom_id": "a"', "line 2"),
    "empty": (b"", "line 2"),
    "list": (b"[]", "line 2"),
    "not UTF-8": (b'{"custom_id": "\xff"}', "line 2"),
    "another field": ({**line("b", "x"), "extra": 1}, "line 2"),
    "no body": ({"custom_id": "b", "method": "POST", "url": CHAT}, "line 2"),
    "body is a text": ({**line("b", "x"), "body": "x"}, "line 2"),
    "another method": ({**line("b", "x"), "method": "GET"}, "line 2"),
    "another route": ({**line("b", "x"), "url": "/v1/files"}, "line 2"),
    "a host": ({**line("b", "x"), "url": "https://x.example/v1/chat/completions"}, "line 2"),
    "same id": (line("a", "x"), "line 2.*line 1"),
    "no id": (line("", "x"), "line 2"),
    "endless id": (line("x" * 513, "x"), "line 2"),
    "id is a number": ({**line("b", "x"), "custom_id": 4}, "line 2"),
    "given twice": (json.dumps(line("b", "x")).replace('"method"', '"url": "x", "method"').encode(), "line 2"),
    "streamed": (line("b", "x", stream=True), "line 2"),
    "an image": (line("b", [{"type": "image_url", "image_url": {"url": "https://x.example"}}]), "line 2"),  # type: ignore[arg-type]
    "byte order mark": (b"\xef\xbb\xbf" + json.dumps(line("b", "x")).encode(), "line 2"),
    "a value in the model": (line("b", "x", model=CARD.replace(" ", "")), "line 2"),
}


@pytest.mark.parametrize("kind", BAD)
def test_one_bad_line_refuses_the_whole_file(client: Client, server: ModelServer, sink: ListSink, kind: str) -> None:
    bad, told = BAD[kind]
    with pytest.raises(ProtectionError, match=told) as caught:
        upload(client, [line("a", f"I am {PERSON}"), bad, line("c", "x")])
    assert server.requests == ()
    assert {record.outcome for record in sink.records} == {Outcome.BLOCKED}
    assert find_canaries(str(caught.value).encode(), all_canaries()) == []
    assert caught.value.__context__ is None
    vault = keeping_of(client).parts.vault
    assert vault is not None
    assert vault.status().tables == 0  # type: ignore[attr-defined] # of the sealed vault


def test_line_ends_and_a_mark_of_byte_order_change_nothing(client: Client, server: ModelServer) -> None:
    lines = [line("a", f"I am {PERSON}"), line("b", "x")]
    forms = [
        jsonl(lines),
        jsonl(lines, b"\r\n"),
        jsonl(lines)[:-1],
        b"\xef\xbb\xbf" + jsonl(lines),
        jsonl(lines) + b"\n \n",
    ]
    for form in forms:
        file = client.files.create(file=("b.jsonl", form), purpose="batch")
        assert json.loads(server.last.body.split(b"\r\n\r\n")[2].splitlines()[1]) == lines[1]
        batch = run(client, file.id)
        assert contents(client.files.content(batch.output_file_id).text) == {"a": f"I am {PERSON}", "b": "x"}


@pytest.mark.parametrize("given", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_lines_is_refused(client: Client, server: ModelServer, given: bytes) -> None:
    with pytest.raises(UnknownContentError, match="empty"):
        client.files.create(file=("b.jsonl", given), purpose="batch")
    assert server.requests == ()


@pytest.mark.parametrize("purpose", ["assistants", "fine-tune", "vision", "user_data", "evals"])
def test_files_for_other_purposes_are_refused(client: Client, server: ModelServer, purpose: str) -> None:
    with pytest.raises(UnknownContentError, match="purpose batch"):
        client.files.create(file=("b.jsonl", jsonl([line("a", "x")])), purpose=purpose)
    assert server.requests == ()


@pytest.mark.parametrize("name", [f"{EMAIL}.jsonl", "a%41.jsonl", f"{PERSON}.jsonl"])
def test_the_name_of_a_file_is_looked_at(client: Client, server: ModelServer, name: str) -> None:
    with pytest.raises(ProtectionError):
        upload(client, [line("a", "x")], name)
    assert server.requests == ()


def test_a_name_that_a_line_hides_is_refused(make_guard: Callable[..., Guard], server: ModelServer) -> None:
    guard = make_guard(deny={"Heron": EntityType.ORGANIZATION})
    keeping = Guard(replace(guard.parts, vault=open_vault("memory:")))
    with opened(server, keeping) as client, pytest.raises(ProtectionError, match="the name of the file"):
        upload(client, [line("a", "x"), line("b", "about Heron")], "heron.jsonl")
    assert server.requests == ()


def test_options_of_an_upload_leave_as_they_are(client: Client, server: ModelServer) -> None:
    expires: Any = {"anchor": "created_at", "seconds": 3600}
    client.files.create(file=io.BytesIO(jsonl([line("a", "x")])), purpose="batch", expires_after=expires)
    assert b'name="expires_after[seconds]"\r\n\r\n3600\r\n' in server.last.body
    with pytest.raises(UnknownContentError):
        client.files.create(file=("b", b"{}"), purpose="batch", extra_body={"owner": PERSON})
    assert len(server.requests) == 1


def test_what_a_retry_sends_is_the_same(server: ModelServer, keeping: Guard) -> None:
    server.script(Reply.rate_limited(), Reply())
    plain = openai.OpenAI(
        api_key="k", base_url=server.base_url, max_retries=1, http_client=httpx2.Client(trust_env=False)
    )
    with adapter.wrap(plain, keeping) as client:
        upload(client, [line("a", f"I am {PERSON}")])
    first, second = server.requests
    assert first.body == second.body
    vault = keeping.parts.vault
    assert vault is not None
    assert vault.status().tables == 4  # type: ignore[attr-defined] # what failed is not kept


def test_without_a_vault_batches_are_refused_with_what_to_do(server: ModelServer, guard: Guard) -> None:
    with opened(server, guard) as client:
        calls: list[Callable[[], object]] = [
            lambda: upload(client, [line("a", "x")]),
            lambda: client.batches.create(input_file_id="file-1", endpoint=CHAT, completion_window="24h"),
            lambda: client.files.content("file-1"),
        ]
        for call in calls:
            with pytest.raises(UnheldError, match="PRIVGUARD_VAULT"):
                call()
    assert server.requests == ()


def test_what_the_vault_does_not_know_is_said_before_anything_is_sent(client: Client, server: ModelServer) -> None:
    with pytest.raises(UnknownReferenceError, match="retrieved or listed"):
        client.files.content("file-unheard")
    with pytest.raises(UnknownReferenceError):
        client.batches.create(input_file_id="file-unheard", endpoint=CHAT, completion_window="24h")
    assert server.requests == ()


def test_results_are_known_once_their_batch_was_seen(client: Client, server: ModelServer, keeping: Guard) -> None:
    file_id = upload(client, [line("a", f"I am {PERSON}")])
    made = client.batches.create(input_file_id=file_id, endpoint=CHAT, completion_window="24h")
    output = f"file-{made.id.removeprefix('batch_')}-output"
    with pytest.raises(UnknownReferenceError):
        client.files.content(output)
    with opened(server, keeping) as other:
        assert [each.id for each in other.batches.list()] == [made.id]
        assert contents(other.files.content(output).text) == {"a": f"I am {PERSON}"}


def test_values_that_have_expired_are_an_error_with_the_line(client: Client, keeping: Guard, sink: ListSink) -> None:
    file_id = upload(client, [line("a", f"I am {PERSON}"), line("b", f"I am {PERSON}")])
    batch = run(client, file_id)
    vault = keeping.parts.vault
    assert vault is not None
    upload_id = keeping.notebook().read(f"privguard:openai:file:{file_id}")["upload"]  # type: ignore[index]
    vault.delete(Owner(), f"privguard:openai:line:{upload_id}:a")
    with pytest.raises(UnknownReferenceError, match="line 2 of the file"):
        client.files.content(batch.output_file_id)
    assert sink.records[-1].outcome is Outcome.FAILED


def test_a_result_of_no_line_of_the_upload_is_an_error(client: Client) -> None:
    batch = run(client, upload(client, [line("a", PERSON)]))
    for body in (b'{"custom_id": "b", "response": null, "error": null}\n', b'{"response": null}', b"no JSON"):
        answer = httpx2.Response(200, content=body)
        other = _serving(keeping_of(client), lambda _, answer=answer: answer)  # type: ignore[misc]
        with other, pytest.raises(RestoreError, match="line 1 of the file"):
            other.files.content(batch.output_file_id)


def test_an_error_of_the_provider_reaches_the_caller(client: Client, server: ModelServer) -> None:
    file_id = upload(client, [line("a", PERSON)])
    server.script(Reply(status=404))
    with pytest.raises(openai.NotFoundError):
        client.files.content(file_id)
    server.script(Reply(status=400))
    with pytest.raises(openai.BadRequestError):
        upload(client, [line("a", PERSON)])


def test_other_owners_and_conversations_find_nothing(client: Client, server: ModelServer, keeping: Guard) -> None:
    stranger = Guard(replace(keeping.parts, owner=replace(keeping.parts.owner, tenant="other")))
    with conversation("one"):
        file_id = upload(client, [line("a", f"I am {PERSON}")])
        batch = run(client, file_id)
        response = client.files.with_streaming_response.content(batch.output_file_id)
    with pytest.raises(UnknownReferenceError):
        client.files.content(batch.output_file_id)
    with opened(server, stranger) as other, pytest.raises(UnknownReferenceError):
        other.files.content(file_id)
    with conversation("one"):
        entered = response.__enter__()
    assert contents("\n".join(entered.iter_lines())) == {"a": f"I am {PERSON}"}
    response.__exit__(None, None, None)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_results_come_line_by_line_wherever_they_are_cut(client: Client, server: ModelServer, size: int) -> None:
    given = {f"r{number}": f"I am {PERSON} 😀 {number}" for number in range(5)}
    batch = run(client, upload(client, [line(name, text) for name, text in given.items()]))
    server.script(Reply(cut_every=size))
    with client.files.with_streaming_response.content(batch.output_file_id) as response:
        assert contents("\n".join(response.iter_lines())) == given


def test_compressed_results_are_restored(client: Client, server: ModelServer) -> None:
    batch = run(client, upload(client, [line("a", f"I am {PERSON}")]))
    server.script(Reply(encoding="gzip"))
    assert contents(client.files.content(batch.output_file_id).text) == {"a": f"I am {PERSON}"}


def test_what_was_deleted_is_forgotten_with_the_last_of_its_files(client: Client, keeping: Guard) -> None:
    vault: Any = keeping.parts.vault
    alone = upload(client, [line("a", f"I am {PERSON}")])
    assert client.files.delete(alone).deleted
    assert vault.status().tables == 0
    file_id = upload(client, [line("a", f"I am {PERSON}")])
    made = client.batches.create(input_file_id=file_id, endpoint=CHAT, completion_window="24h")
    client.files.delete(file_id)
    batch = client.batches.retrieve(made.id)
    assert contents(client.files.content(batch.output_file_id).text) == {"a": f"I am {PERSON}"}
    client.files.delete(batch.output_file_id)
    assert vault.status().tables > 0
    client.files.delete(batch.error_file_id)
    assert vault.status().tables == 0


def test_a_batch_is_made_of_nothing_private(client: Client, server: ModelServer) -> None:
    file_id = upload(client, [line("a", "x")])
    asked: dict[str, Any] = {"input_file_id": file_id, "endpoint": CHAT, "completion_window": "24h"}
    wrong: list[dict[str, Any]] = [
        {"metadata": {"owner": PERSON}},
        {"metadata": {EMAIL: "x"}},
        {"endpoint": "/v1/files"},
        {"completion_window": PERSON},
        {"extra_body": {"note": "x"}},
        {"extra_body": {"metadata": {"a": {"b": PERSON}}}},
        {"output_expires_after": {"anchor": PERSON, "seconds": 3600}},
        {"input_file_id": CARD},
    ]
    before = len(server.requests)
    for change in wrong:
        with pytest.raises(ProtectionError):
            client.batches.create(**{**asked, **change})
    assert len(server.requests) == before
    made = client.batches.create(
        **asked, metadata={"job": "nightly"}, output_expires_after={"anchor": "created_at", "seconds": 3600}
    )
    assert made.metadata == {"job": "nightly"}


def test_uploads_in_parts_and_media_are_refused(client: Client, server: ModelServer) -> None:
    calls: list[Callable[[], object]] = [
        lambda: client.uploads.create(bytes=1, filename="a", mime_type="text/plain", purpose="batch"),
        lambda: client.audio.speech.create(input=PERSON, model="m", voice="alloy"),
        lambda: client.audio.transcriptions.create(file=("a", b"x"), model="m"),
        lambda: client.images.generate(prompt=PERSON),
        lambda: client.images.edit(image=("a", b"x"), prompt=PERSON),
        lambda: client.post("/videos", body={"prompt": PERSON}, cast_to=object),
        lambda: client.vector_stores.create(name=PERSON),
        lambda: client.fine_tuning.jobs.create(model="m", training_file="file-1"),
        client.evals.list,
    ]
    for call in calls:
        with pytest.raises(UnprotectedRouteError):
            call()
    assert server.requests == ()


def test_moderations_are_minimized_and_images_in_them_refused(client: Client, server: ModelServer) -> None:
    given: list[Any] = [f"I am {PERSON}", [f"I am {PERSON}", EMAIL], [{"type": "text", "text": f"I am {PERSON}"}]]
    for text in given:
        assert not client.moderations.create(input=text).results[0].flagged
    assert find_canaries(server.wire, all_canaries()) == []
    with pytest.raises(UnknownContentError, match="only text"):
        client.moderations.create(input=[{"type": "image_url", "image_url": {"url": "https://x.example/a"}}])
    assert len(server.requests) == len(given)


def test_images_leave_in_a_line_where_the_profile_lets_them(
    make_guard: Callable[..., Guard], server: ModelServer
) -> None:
    guard = make_guard(pass_parts=("image",))
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    asked = line("a", "", messages=[{"role": "user", "content": [{"type": "text", "text": PERSON}, image]}])
    with opened(server, Guard(replace(guard.parts, vault=open_vault("memory:")))) as client:
        upload(client, [asked])
    assert b"iVBORw0KGgo=" in server.last.body
    assert find_canaries(server.wire, all_canaries()) == []


async def test_no_method_of_files_and_batches_lets_a_canary_out(client: Client, server: ModelServer) -> None:
    names = ("files", "batches", "uploads", "moderations")
    methods = [each for each in methods_of(client, (SyncAPIResource,)) if each.path[0] in names]
    await try_all(client, server, methods)
    assert find_canaries(server.wire, CANARIES) == []


async def test_async_clients_run_batches(server: ModelServer, keeping: Guard) -> None:
    http_client = httpx2.AsyncClient(trust_env=False)
    async with openai.AsyncOpenAI(api_key="k", base_url=server.base_url, http_client=http_client) as plain:
        client = adapter.wrap(plain, keeping)
        sent = [jsonl([line("a", f"I am {PERSON} {number}")]) for number in range(4)]
        files = await asyncio.gather(*[client.files.create(file=("b", each), purpose="batch") for each in sent])
        for number, file in enumerate(files):
            made = await client.batches.create(
                input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
            )
            batch = await client.batches.retrieve(made.id)
            async with client.files.with_streaming_response.content(batch.output_file_id or "") as response:
                text = "\n".join([each async for each in response.iter_lines()])
            assert contents(text) == {"a": f"I am {PERSON} {number}"}
    assert find_canaries(server.wire, all_canaries()) == []


def test_a_preview_of_a_file_says_that_there_is_none(client: Client, server: ModelServer, sink: ListSink) -> None:
    with pytest.raises(PrivguardError, match="lines"):
        client.privguard.preview("files.create", file=("b.jsonl", jsonl([line("a", PERSON)])), purpose="batch")
    assert server.requests == ()
    assert sink.records == []


def test_time_grows_with_the_lines_and_no_faster(
    client: Client, calls_of: Callable[[Callable[[], object]], int]
) -> None:
    def run_batch(count: int) -> None:
        lines = [line(f"r{number}", f"I am {PERSON}, line {number}") for number in range(count)]
        batch = run(client, upload(client, lines))
        assert client.files.content(batch.output_file_id).content.count(b"\n") == count

    run_batch(10)  # what is built once in a process
    costs = [calls_of(lambda count=count: run_batch(count)) for count in (10, 20, 90)]  # type: ignore[misc]
    each = (costs[1] - costs[0]) / 10
    assert costs[2] <= costs[1] + 1.2 * 70 * each
