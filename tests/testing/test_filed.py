"""The scripted server takes batches so that the SDK reads them, and answers each line by itself."""

import json
from collections.abc import Iterator

import httpx2
import openai
import pytest

from privguard.testing import ModelServer, Recorded, Reply, echo


def reply(request: Recorded) -> Reply:
    is_line = not request.headers  # the upload that holds it came with some
    return Reply(status=400) if is_line and "fail" in request.text else Reply(speak=echo)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(reply) as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    http_client = httpx2.Client(trust_env=False)
    with openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0, http_client=http_client) as opened:
        yield opened


def line(name: str, text: str, url: str = "/v1/chat/completions") -> str:
    asked = {"messages": [{"role": "user", "content": text}]} if "chat" in url else {"input": text, "prompt": text}
    return json.dumps({"custom_id": name, "method": "POST", "url": url, "body": {"model": "m", **asked}})


def test_every_line_is_answered_by_itself_in_an_order_of_their_own(client: openai.OpenAI) -> None:
    given = "\n".join([line("a", "one"), line("b", "please fail"), line("c", "two"), ""]).encode()
    file = client.files.create(file=("b.jsonl", given), purpose="batch")
    made = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    assert (made.status, made.output_file_id) == ("validating", None)
    done = client.batches.retrieve(made.id)
    assert [each.id for each in client.batches.list()] == [made.id]
    assert client.batches.cancel(made.id).status == "cancelled"
    assert done.output_file_id is not None
    assert done.error_file_id is not None
    results = [json.loads(each) for each in client.files.content(done.output_file_id).iter_lines()]
    assert [each["custom_id"] for each in results] == ["c", "a"]
    assert results[0]["response"]["body"]["choices"][0]["message"]["content"] == "two"
    (failed,) = [json.loads(each) for each in client.files.content(done.error_file_id).iter_lines()]
    assert (failed["custom_id"], failed["response"]["status_code"]) == ("b", 400)
    assert client.files.content(file.id).content == given
    assert client.files.retrieve(file.id).purpose == "batch"
    assert client.files.delete(file.id).deleted
    assert client.files.list().data == []


@pytest.mark.parametrize("route", ["completions", "embeddings", "responses", "moderations"])
def test_lines_of_every_route_are_answered(client: openai.OpenAI, route: str) -> None:
    given = line("a", "one", f"/v1/{route}").encode()
    file = client.files.create(file=("b.jsonl", given), purpose="batch")
    made = client.batches.create(input_file_id=file.id, endpoint="/v1/embeddings", completion_window="24h")
    (result,) = client.files.content(f"file-{made.id.removeprefix('batch_')}-output").iter_lines()
    assert json.loads(result)["response"]["status_code"] == 200


def test_what_is_not_there_is_not_found(client: openai.OpenAI) -> None:
    made = client.batches.create(input_file_id="file-9", endpoint="/v1/embeddings", completion_window="24h")
    for missing in ("file-9", "file-9-output", f"file-{made.id.removeprefix('batch_')}"):
        with pytest.raises(openai.NotFoundError):
            client.files.content(missing)
    with pytest.raises(openai.NotFoundError):
        client.batches.retrieve("batch_9")


def test_moderations_are_answered_one_by_one(client: openai.OpenAI) -> None:
    assert len(client.moderations.create(input=["a", "b"]).results) == 2
    assert not client.moderations.create(input="a").results[0].flagged
