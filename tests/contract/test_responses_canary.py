"""No place of a request of the Responses API lets a canary out, and no method that speaks of stored ones does."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import openai
import pytest
from openai._resource import SyncAPIResource

from privguard.core.errors import ProtectionError
from privguard.guard import Guard
from privguard.testing import ModelServer, find_canaries
from privguard.vault import open_vault
from privguard_adapters.call import HttpRequest
from privguard_adapters.gate import Gate
from privguard_adapters.openai import adapter
from tests.adapters.wire.test_openai_responses import FULL, GROUPS, changed
from tests.contract.reflection import methods_of
from tests.contract.sweep import CANARIES, CANARY, try_all

# What a place is to the codec, each change tries; here is what leaves of it.
pytestmark = pytest.mark.long

BASE = "https://api.example/v1"


@pytest.fixture
def keeping(make_guard: Callable[..., Guard]) -> Guard:
    return Guard(replace(make_guard().parts, vault=open_vault("memory:")))


def keyed(path: tuple[Any, ...]) -> dict[str, Any]:
    """Return the full request with a key of canaries beside a place."""
    body: dict[str, Any] = json.loads(json.dumps(FULL))
    node: Any = body
    for step in path[:-1]:
        node = node[step]
    node[CANARY] = "w"
    return body


def bodies(group: tuple[Any, ...]) -> Iterator[bytes]:
    """Yield requests with all canaries, or with one alone, in each place; also as a key."""
    for path in GROUPS[group]:
        for value in (CANARY, *[canary.value for canary in CANARIES]):
            yield json.dumps(changed(path, value)).encode()
        if path and isinstance(path[-1], str):
            yield json.dumps(keyed(path)).encode()


@pytest.mark.parametrize("group", GROUPS, ids=[".".join(map(str, group)) or "body" for group in GROUPS])
def test_no_place_of_a_request_lets_a_canary_out(keeping: Guard, group: tuple[Any, ...]) -> None:
    gate = Gate(keeping, lambda: BASE)
    headers = ((b"content-type", b"application/json"),)
    left = 0
    for body in bodies(group):
        with suppress(ProtectionError):
            call = gate.open(HttpRequest(method="POST", url=f"{BASE}/responses", headers=headers, body=body))
            left += 1
            assert find_canaries(call.request.body, CANARIES) == []
            call.drop()
    assert left or group in {("previous_response_id",), ("model",), ("prompt", "id"), ("prompt", "version")}


async def test_no_method_that_speaks_of_stored_replies_lets_a_canary_out(server: ModelServer, keeping: Guard) -> None:
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=0) as plain:
        client = adapter.wrap(plain, keeping)
        resources = ("responses", "conversations")
        methods = [each for each in methods_of(client, (SyncAPIResource,)) if each.path[0] in resources]
        outcomes = await try_all(client, server, methods)
    assert find_canaries(server.wire, CANARIES) == []
    assert {name for name, ends in outcomes.items() if "sent" in ends} >= {"responses.create", "conversations.create"}
    assert all(ends & {"sent", "refused"} for ends in outcomes.values())
