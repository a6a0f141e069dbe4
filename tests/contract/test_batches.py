"""Message batches through the SDK: every reply comes back with the values of its own request, from any process."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2
import pytest

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ProtectionError, UnheldError, UnknownContentError, VaultError
from privguard.core.profile import Profile, ToolRule
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from privguard.testing.found import PLACEHOLDER
from privguard.vault import open_vault
from privguard_adapters.anthropic import adapter

PEOPLE = ("Ada Roth", 'Ben "Ace" Kole', "Cid Marsh")
ROOT = "https://api.anthropic.com"


class BatchServer:
    """Answer each request of a batch with what it said, and with a placeholder of every other request."""

    def __init__(self) -> None:
        self.wire = b""
        self.bodies: list[dict[str, Any]] = []

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.wire += request.content + str(request.url).encode()
        if request.url.path.endswith("/results"):
            lines = [json.dumps(self._result(number)) for number in reversed(range(len(self._requests())))]
            headers = {"content-type": "application/x-jsonl"}
            return httpx2.Response(200, headers=headers, content="\n".join([*lines, ""]).encode())
        if request.method == "POST" and request.url.path.endswith("/batches"):
            self.bodies.append(json.loads(request.content))
        batch = {"id": "msgbatch_1", "type": "message_batch", "processing_status": "ended"}
        return httpx2.Response(200, json={**batch, "results_url": f"{ROOT}/v1/messages/batches/msgbatch_1/results"})

    def _requests(self) -> list[dict[str, Any]]:
        return list(self.bodies[-1]["requests"])

    def _result(self, number: int) -> dict[str, Any]:
        said = [each["params"]["messages"][-1]["content"] for each in self._requests()]
        marks = [found[0] for text in said for found in PLACEHOLDER.finditer(text)]
        tool = self._requests()[number]["params"].get("tools", [{"name": "f", "input_schema": {}}])[0]
        keys = [*tool["input_schema"].get("properties", ()), "to"]
        call = {"type": "tool_use", "id": "t", "name": tool["name"], "input": dict.fromkeys(keys, said[number])}
        content = [{"type": "text", "text": " ".join([said[number], *marks])}, call]
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content}
        if number == 2:
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": f"bad {said[number]}"}}
            return {"custom_id": f"c{number}", "result": {"type": "errored", "error": error}}
        return {"custom_id": f"c{number}", "result": {"type": "succeeded", "message": message}}


@pytest.fixture
def server() -> BatchServer:
    return BatchServer()


@pytest.fixture
def open_client(server: BatchServer) -> Iterator[Callable[..., tuple[anthropic.Anthropic, ListSink]]]:
    vault = open_vault("memory:")
    opened: list[anthropic.Anthropic] = []

    def open_one(*, kept: bool = True, **profile: Any) -> tuple[anthropic.Anthropic, ListSink]:  # noqa: ANN401 - fields
        """Open a client as another process would."""
        sink = ListSink()
        guard = Guard(
            Parts(
                detector=FakeDetector(dict.fromkeys(PEOPLE, EntityType.PERSON)),
                need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
                abstractor=FakeAbstractor(),
                profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5, **profile)),
                sink=sink,
                key=Key.from_text("correct horse battery staple"),
                vault=vault if kept else None,
            )
        )
        inner = httpx2.Client(transport=httpx2.MockTransport(server.answer))
        opened.append(anthropic.Anthropic(api_key="k", http_client=inner, max_retries=0))
        return adapter.wrap(opened[-1], guard), sink

    yield open_one
    for each in opened:
        each.close()


def requests(*texts: str) -> Any:  # noqa: ANN401 - of the SDK
    asked = [{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]} for text in texts]
    return [{"custom_id": f"c{number}", "params": params} for number, params in enumerate(asked)]


BATCH = requests(*[f"Write to {name}." for name in PEOPLE])


def test_each_reply_comes_back_with_the_values_of_its_own_request(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]]
) -> None:
    client, sink = open_client()
    batch = client.messages.batches.create(requests=BATCH)
    assert not any(name.split()[0].encode() in server.wire for name in PEOPLE)
    assert [record.outcome for record in sink.records] == [Outcome.DONE] * 3
    later, later_sink = open_client()
    for results in (later.messages.batches.results(batch.id), later.beta.messages.batches.results(batch.id)):
        found = {each.custom_id: each.result for each in results}
        for number, name in enumerate(PEOPLE[:2]):
            result: Any = found[f"c{number}"]
            text, call = result.message.content
            assert text.text.startswith(f"Write to {name}. ")
            assert not any(other in text.text for other in PEOPLE if other != name)
            assert len(PLACEHOLDER.findall(text.text)) == 2
            assert call.input == {"to": f"Write to {name}."}
        failed: Any = found["c2"]
        assert failed.error.error.message == "bad Write to Cid Marsh."
    assert {record.outcome for record in later_sink.records} == {Outcome.DONE}


def test_without_a_vault_nothing_is_sent(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]]
) -> None:
    client, sink = open_client(kept=False)
    with pytest.raises(UnheldError, match="message batch"):
        client.messages.batches.create(requests=BATCH)
    assert server.wire == b""
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED]


def test_a_batch_of_somebody_else_gives_nothing(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]]
) -> None:
    client, _ = open_client()
    with pytest.raises(VaultError):
        client.messages.batches.results("msgbatch_9")
    assert b"results" not in server.wire


def test_batches_are_asked_for_and_cancelled_by_their_ids(
    open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]],
) -> None:
    client, _ = open_client()
    assert client.messages.batches.retrieve("msgbatch_1").processing_status == "ended"
    assert client.messages.batches.cancel("msgbatch_1").id
    with pytest.raises(ProtectionError):
        client.messages.batches.retrieve("../../files")


@pytest.mark.parametrize(
    "changed",
    [
        {"requests": []},
        {"requests": [{**BATCH[0], "custom_id": "Ada Roth"}]},
        {"requests": [BATCH[0], BATCH[0]]},
        {"requests": [{"custom_id": "c0"}]},
        {"requests": [{**BATCH[0], "note": "Ada Roth"}]},
        {"requests": BATCH, "note": "Ada Roth"},
        {"requests": "Ada Roth"},
        {"requests": [{"custom_id": "c0", "params": {**BATCH[0]["params"], "thread": {"type": "create"}}}]},
        {"requests": [{"custom_id": "c0", "params": {**BATCH[0]["params"], "model": "Ada Roth"}}]},
    ],
)
def test_what_is_no_batch_is_refused(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]], changed: dict[str, Any]
) -> None:
    client, _ = open_client()
    with pytest.raises(UnknownContentError) as caught:
        client.post("/v1/messages/batches", cast_to=object, body=changed)
    assert "Ada" not in str(caught.value)
    assert server.wire == b""


def test_names_of_tools_are_looked_at_in_each_request(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]]
) -> None:
    client, _ = open_client()
    asked = requests("Write to Ada Roth.", "Write to Cid Marsh.")
    asked[1]["params"]["tools"] = [{"name": "lookup_cid_marsh", "input_schema": {"type": "object"}}]
    client.messages.batches.create(requests=asked)
    assert b"marsh" not in server.wire.lower()


def test_replies_are_read_by_what_their_requests_offered(
    server: BatchServer, open_client: Callable[..., tuple[anthropic.Anthropic, ListSink]]
) -> None:
    rules: dict[str, Any] = {"tools": {"lookup_*": ToolRule(), "*": ToolRule(kinds=frozenset())}}
    client, _ = open_client(**rules)
    asked = requests("Write to Ada Roth.", "Write to Cid Marsh.")
    schema = {"type": "object", "properties": {"cid_marsh_notes": {"type": "string"}}}
    asked[1]["params"]["tools"] = [{"name": "lookup_cid_marsh", "input_schema": schema}]
    batch = client.messages.batches.create(requests=asked)
    assert b"marsh" not in server.wire.lower()
    later, _ = open_client(**rules)
    found: Any = {each.custom_id: each.result for each in later.messages.batches.results(batch.id)}
    call = found["c1"].message.content[1]
    assert (call.name, call.input) == (
        "lookup_cid_marsh",
        dict.fromkeys(["cid_marsh_notes", "to"], "Write to Cid Marsh."),
    )
    assert "Ada" not in str(found["c0"].message.content[1].input)
