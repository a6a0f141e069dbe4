from typing import Any

import httpx
import httpx2
import pytest

import privguard
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, UnprotectedRouteError
from privguard.testing import FakeDetector, ListSink, ModelServer

KEY = "a key of this test, long enough"
DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON})
SETTINGS: dict[str, Any] = {"detector": DETECTOR, "key": KEY, "audit": "off", "profiles": {}}
BODY = {"model": "m", "messages": [{"role": "user", "content": "I am Ada Roth"}]}


@pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])
def test_a_client_that_is_made_by_hand_sends_the_least_and_gets_the_full_answer(module: Any) -> None:  # noqa: ANN401
    with ModelServer() as server:
        transport = privguard.transport(module.HTTPTransport(), base_url=server.base_url, **SETTINGS)
        with module.Client(transport=transport) as client:
            reply = client.post(f"{server.base_url}/chat/completions", json=BODY)
            with pytest.raises(UnprotectedRouteError):
                client.post(f"{server.base_url}/images/generations", json=BODY)
        assert reply.json()["choices"][0]["message"]["content"] == "I am Ada Roth"
        assert b"Roth" not in server.wire


def test_a_guard_may_be_shared_and_is_not_mixed_with_settings() -> None:
    sink = ListSink()
    guard = privguard.load_guard(**SETTINGS | {"audit": sink})
    with ModelServer() as server:
        options: dict[str, Any] = {"base_url": server.base_url, "guard": guard}
        with pytest.raises(ConfigError, match="not both"):
            privguard.transport(httpx2.HTTPTransport(), **options, tenant="acme")
        with privguard.transport(httpx2.Client(), **options) as client:
            client.post(f"{server.base_url}/chat/completions", json=BODY)
    assert len(sink.records) == 1


def test_what_belongs_to_no_http_library_that_is_known_is_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"no transport and no client of: httpx, httpx2.*privguard serve"):
        privguard.transport(object(), base_url="http://localhost:8000/v1", **SETTINGS)
