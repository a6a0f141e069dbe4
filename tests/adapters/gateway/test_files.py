"""Batches and their files through the gateway, for each caller apart."""

import json

import openai
import pytest

from privguard.testing import Canary, ListSink, ModelServer, find_canaries
from privguard.vault import open_vault
from tests.adapters.gateway.conftest import Starter, make_guard
from tests.adapters.gateway.test_responses import client_of

PERSON = Canary.person().value
LINE = {
    "custom_id": "a",
    "method": "POST",
    "url": "/v1/chat/completions",
    "body": {"model": "m", "messages": [{"role": "user", "content": f"I am {PERSON}"}]},
}
FILE = ("b.jsonl", json.dumps(LINE).encode())


def test_a_file_leaves_minimized_and_its_results_come_back_to_its_caller_alone(
    start: Starter, server: ModelServer, sink: ListSink
) -> None:
    gateway = start(make_guard(sink, vault=open_vault("memory:")))
    with client_of(gateway) as client, client_of(gateway, "sk-other") as other:
        file = client.files.create(file=FILE, purpose="batch")
        made = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
        output = client.batches.retrieve(made.id).output_file_id or ""
        result = json.loads(client.files.content(output).text)
        assert result["response"]["body"]["choices"][0]["message"]["content"] == f"I am {PERSON}"
        with pytest.raises(openai.NotFoundError):
            other.files.content(output)
        with pytest.raises(openai.BadRequestError, match="line 1 of the file"):
            client.files.create(file=("b.jsonl", b"{}"), purpose="batch")
    assert find_canaries(server.wire, [Canary.person()]) == []


def test_without_a_vault_a_file_is_refused_with_what_to_do(start: Starter, server: ModelServer) -> None:
    with client_of(start()) as client, pytest.raises(openai.BadRequestError, match="vault"):
        client.files.create(file=FILE, purpose="batch")
    assert server.requests == ()
