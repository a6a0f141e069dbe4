"""Message batches through the gateway: their results are fetched from it, not past it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import httpx2
import pytest

from privguard.core.entities import EntityType
from privguard.testing import FakeDetector, ListSink
from privguard.vault import open_vault
from privguard_adapters.gateway.pointing import TELLS_OF_BATCHES, pointing_here
from tests.adapters.gateway.conftest import Starter, make_guard
from tests.contract.test_batches import BATCH, PEOPLE, BatchServer

OWN = "/v1/messages/batches/msgbatch_1/results"


@pytest.fixture
def provider() -> Iterator[tuple[str, BatchServer]]:
    batches = BatchServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            reply = batches.answer(httpx2.Request(self.command, f"https://api.example{self.path}", content=body))
            self.send_response(reply.status_code)
            self.send_header("content-type", reply.headers["content-type"])
            self.send_header("content-length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

        do_POST = do_DELETE = do_GET  # noqa: N815 - as the base class has them

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
            return None

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/v1", batches
        running.shutdown()


def client_of(root_url: str, api_key: str = "key") -> anthropic.Anthropic:
    http_client = httpx2.Client(trust_env=False)
    return anthropic.Anthropic(api_key=api_key, base_url=root_url, max_retries=0, http_client=http_client)


def test_a_batch_leaves_minimized_and_its_replies_come_back_to_its_caller_alone(
    start: Starter, sink: ListSink, provider: tuple[str, BatchServer]
) -> None:
    upstream, batches = provider
    detector = FakeDetector(dict.fromkeys(PEOPLE, EntityType.PERSON))
    gateway = start(make_guard(sink, vault=open_vault("memory:"), detector=detector), upstream=upstream)
    with client_of(gateway.root_url) as client, client_of(gateway.root_url, "other") as other:
        made = client.messages.batches.create(requests=BATCH)
        assert made.results_url == client.messages.batches.retrieve(made.id).results_url == OWN
        found = {each.custom_id: each.result for each in client.messages.batches.results(made.id)}
        for number in (0, 1):
            result: Any = found[f"c{number}"]
            assert result.message.content[0].text.startswith(f"Write to {PEOPLE[number]}.")
            assert result.message.content[1].input == {"to": f"Write to {PEOPLE[number]}."}
        with pytest.raises(anthropic.NotFoundError, match="nothing is kept here"):
            list(other.messages.batches.results(made.id))
        assert client.messages.batches.cancel(made.id).results_url == OWN
        assert client.messages.batches.delete(made.id).id == made.id
    assert not any(person.encode() in batches.wire for person in PEOPLE)


def test_without_a_vault_a_batch_is_refused_with_what_to_do(start: Starter, provider: tuple[str, BatchServer]) -> None:
    upstream, batches = provider
    refused = pytest.raises(anthropic.BadRequestError, match="PRIVGUARD_VAULT")
    with client_of(start(upstream=upstream).root_url) as client, refused:
        client.messages.batches.create(requests=BATCH)
    assert batches.wire == b""


def test_the_addresses_of_results_are_those_of_whoever_is_asked() -> None:
    told = {"id": "msgbatch_1", "results_url": "https://api.example/v1/messages/batches/msgbatch_1/results"}
    listed: dict[str, Any] = {"data": [told, {"id": "b", "results_url": None}, {"results_url": "https://a.example"}]}
    listed["data"].append({"id": "../x", "results_url": "https://a.example"})
    assert json.loads(pointing_here(json.dumps(told).encode())) == {**told, "results_url": OWN}
    found = json.loads(pointing_here(json.dumps(listed).encode()))["data"]
    assert found == [
        {**told, "results_url": OWN},
        {"id": "b", "results_url": None},
        {"results_url": None},
        {"id": "../x", "results_url": None},
    ]


@pytest.mark.parametrize("body", [b"", b"no JSON", b'{"id":  "a"}', b'{"error": {"message": "x"}}', b"\xff"])
def test_all_else_keeps_its_bytes(body: bytes) -> None:
    assert pointing_here(body) == body


def test_batches_are_known_by_their_routes() -> None:
    assert {"anthropic.batches", "anthropic.batches.list", "anthropic.batches.retrieve"} < TELLS_OF_BATCHES
    assert "anthropic.batches.results" not in TELLS_OF_BATCHES
