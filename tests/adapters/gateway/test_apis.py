from typing import Any

import anthropic
import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard.testing import Canary, ListSink, ModelServer, Reply, find_canaries
from privguard_adapters.gateway.apis import find_route
from tests.adapters.gateway.conftest import Gateway, Starter

PERSON = Canary.person().value
ASK: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": f"I am {PERSON}"}]}


@pytest.mark.parametrize("base", ["", "/v1", "/proxy/v1/"])
def test_the_routes_of_both_apis_are_found_below_any_base(base: str) -> None:
    names = {"chat/completions": "openai.chat.completions", "messages": "anthropic.messages"}
    names |= {"messages/count_tokens": "anthropic.count_tokens", "messages/batches": "anthropic.batches"}
    assert {path: find_route("POST", f"{base.rstrip('/')}/{path}", base).name for path in names} == names
    assert find_route("GET", f"{base.rstrip('/')}/models", base).name == "openai.models"


@pytest.mark.parametrize("path", ["messages/batches/b/results", "skills", "v1/messages", "complete"])
def test_all_others_are_refused(path: str) -> None:
    with pytest.raises(UnprotectedRouteError):
        find_route("POST", f"/v1/{path}", "/v1")


def test_the_sdk_of_anthropic_is_protected_by_its_base_url(
    gateway: Gateway, server: ModelServer, sink: ListSink
) -> None:
    with anthropic.Anthropic(api_key="key", base_url=gateway.root_url, max_retries=0) as client:
        (block,) = client.messages.create(**ASK).content
        with client.beta.messages.stream(**ASK, betas=["context-management-2025-06-27"]) as stream:
            streamed = stream.get_final_message().content[0]
        assert client.messages.count_tokens(model="m", messages=ASK["messages"]).input_tokens
    assert block.type == "text"
    assert streamed.type == "text"
    assert block.text == streamed.text == f"I am {PERSON}"
    assert find_canaries(server.wire, [PERSON]) == []
    assert server.requests[1].header("anthropic-beta") == "context-management-2025-06-27"
    assert server.last.header("anthropic-version")
    gateway.stop()
    gateway.join()  # a record may be written when the caller has the reply
    assert [record.route for record in sink.records] == [
        "anthropic.messages", "anthropic.messages", "anthropic.count_tokens",
    ]  # fmt: skip


def test_refusals_and_errors_are_those_of_the_sdk(start: Starter, server: ModelServer) -> None:
    server.script(Reply(status=529))
    with anthropic.Anthropic(api_key="key", base_url=start().root_url, max_retries=0) as client:
        with pytest.raises(anthropic.APIStatusError):
            client.messages.create(**ASK)
        with pytest.raises(anthropic.BadRequestError, match="no identifier"):
            client.messages.create(**{**ASK, "model": PERSON})
        with pytest.raises(anthropic.NotFoundError, match="not protected"):
            client.beta.skills.list()
    assert len(server.requests) == 1
