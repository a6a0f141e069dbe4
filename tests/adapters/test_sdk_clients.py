"""What protected copies of the clients of both SDKs have in common."""

from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from privguard.core.errors import ConfigError, UnprotectedRouteError
from privguard_adapters import anthropic as of_anthropic
from privguard_adapters import openai as of_openai
from privguard_adapters.http_clients import gate_of
from tests.adapters.fake_guard import FakeGuard

Make = Callable[[], Any]


def fail(_request: httpx2.Request) -> httpx2.Response:
    raise AssertionError("something was sent")


def plain_openai() -> openai.OpenAI:
    return openai.OpenAI(api_key="k", http_client=httpx2.Client(transport=httpx2.MockTransport(fail)))


def plain_anthropic() -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="k", http_client=httpx2.Client(transport=httpx2.MockTransport(fail)))


@pytest.fixture(params=[(plain_openai, of_openai.adapter), (plain_anthropic, of_anthropic.adapter)])
def sdk(request: pytest.FixtureRequest) -> tuple[Make, Any]:
    chosen: tuple[Make, Any] = request.param
    return chosen


def test_a_client_has_one_gate_and_its_guard_whatever_is_wrapped_and_copied(sdk: tuple[Make, Any]) -> None:
    make, adapter = sdk
    plain, guard, other = make(), FakeGuard(), FakeGuard()
    once = adapter.wrap(plain, guard)
    assert adapter.wrap(once, guard) is once
    assert type(once) is type(plain)
    for client, known in ((once, guard), (once.copy(), guard), (once.with_options(timeout=1), guard)):
        gate = gate_of(client._client)
        assert gate is not None
        assert gate.guard is known
    again = gate_of(adapter.wrap(once, other)._client)
    assert again is not None
    assert again.guard is other
    assert gate_of(plain._client) is None


def test_copies_cannot_leave_their_gate(sdk: tuple[Make, Any]) -> None:
    make, adapter = sdk
    client = adapter.wrap(make(), FakeGuard())
    copied = client.copy(http_client=httpx2.Client(transport=httpx2.MockTransport(fail)))
    for each in (copied, copied.with_options(base_url="https://other.example"), client.copy().copy()):
        with pytest.raises(UnprotectedRouteError, match="nothing was sent"):
            each.post("/v1/made/up", body={}, cast_to=object)


def test_a_preview_of_what_sends_nothing_is_an_error(sdk: tuple[Make, Any]) -> None:
    make, adapter = sdk
    with pytest.raises(ConfigError, match="a preview takes"):
        adapter.wrap(make(), FakeGuard()).privguard.preview("copy")
