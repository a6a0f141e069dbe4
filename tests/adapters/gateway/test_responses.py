"""The Responses API through the gateway: streams, and values of earlier requests for each caller apart."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import openai
import pytest

from privguard.testing import Canary, ListSink, ModelServer, Reply, find_canaries, say
from privguard.vault import open_vault
from tests.adapters.gateway.conftest import Gateway, Starter, make_guard

PERSON = Canary.person().value


@contextmanager
def client_of(gateway: Gateway, api_key: str = "sk-caller") -> Iterator[openai.OpenAI]:
    http_client = httpx2.Client(trust_env=False)
    with openai.OpenAI(api_key=api_key, base_url=gateway.base_url, max_retries=0, http_client=http_client) as client:
        yield client


def test_a_response_is_restored_whole_and_streamed(start: Starter, server: ModelServer) -> None:
    with client_of(start()) as client:
        assert client.responses.create(model="m", input=f"I am {PERSON}").output_text == f"I am {PERSON}"
        with client.responses.stream(model="m", input=f"I am {PERSON}") as stream:
            assert stream.get_final_response().output_text == f"I am {PERSON}"
        with pytest.raises(openai.BadRequestError, match="vault"):
            client.responses.create(model="m", input="Hi", background=True)
    assert find_canaries(server.wire, [Canary.person()]) == []


def test_each_caller_has_the_responses_of_its_own(start: Starter, server: ModelServer, sink: ListSink) -> None:
    gateway = start(make_guard(sink, vault=open_vault("memory:")))
    with client_of(gateway) as client, client_of(gateway, "sk-other") as other:
        queued = client.responses.create(model="m", input=f"I am {PERSON}", background=True)
        assert client.responses.retrieve(queued.id).output_text == f"I am {PERSON}"
        server.script(Reply(speak=say(str(server.requests[0].placeholders()[0]))))
        assert client.responses.create(model="m", input="Who?", previous_response_id=queued.id).output_text == PERSON
        with pytest.raises(openai.NotFoundError, match="nothing is kept here"):
            other.responses.retrieve(queued.id)
    assert find_canaries(server.wire, [Canary.person()]) == []
