"""The scripted server keeps what it answered, as the provider does."""

from collections.abc import Iterator

import httpx2
import openai
import pytest

from privguard.testing import ModelServer, Reply, say


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    http_client = httpx2.Client(trust_env=False)
    with openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client) as opened:
        yield opened


def test_what_was_stored_comes_again_whole_and_from_any_event_on(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(Reply(speak=say("later")))
    queued = client.responses.create(model="m", input="Hello", background=True)
    assert (queued.status, queued.output) == ("queued", [])
    done = client.responses.retrieve(queued.id)
    assert (done.status, done.output_text) == ("completed", "later")
    events = list(client.responses.retrieve(queued.id, stream=True, starting_after=3))
    assert [event.sequence_number for event in events] == list(range(4, 4 + len(events)))
    items = client.responses.input_items.list(queued.id).data
    assert [item.to_dict()["content"] for item in items] == [[{"type": "input_text", "text": "Hello"}]]
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve("resp_99")


def test_a_conversation_gives_back_what_it_was_given(client: openai.OpenAI) -> None:
    message = {"type": "message", "role": "user", "content": "Hello"}
    made = client.conversations.create(items=[message], metadata={"k": "v"})  # type: ignore[list-item]
    assert client.conversations.retrieve(made.id).metadata == {"k": "v"}
    listed = client.conversations.items.list(made.id).data
    assert [item.to_dict()["content"] for item in listed] == [[{"type": "input_text", "text": "Hello"}]]
    assert client.conversations.delete(made.id).deleted
