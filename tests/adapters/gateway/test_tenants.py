import gc
import json
import weakref

import httpx2

from privguard.core.holding import Owner
from privguard.guard import Guard
from privguard.testing import Canary, ListSink
from privguard.testing.found import find_placeholders
from privguard_adapters.gateway.tenants import Tenants
from privguard_adapters.http_clients import gate_of
from privguard_adapters.wire.headers import Headers
from tests.adapters.gateway.conftest import make_guard

URL = "http://model.example/v1/chat/completions"
BODY = {"model": "m", "messages": [{"role": "user", "content": f"I am {Canary.person().value}"}]}


def caller(key: str) -> Headers:
    return ((b"authorization", f"Bearer {key}".encode()), (b"x-other", b"1"))


class Model:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.client = httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(json.loads(request.content)["messages"][0]["content"])
        return httpx2.Response(200, json={"choices": []})

    @property
    def placeholders(self) -> list[str]:
        return [str(find_placeholders(text)[0]) for text in self.sent]


async def test_one_value_is_another_placeholder_for_every_caller() -> None:
    model = Model()
    tenants = Tenants(make_guard(ListSink()), model.client, "http://model.example/v1")
    for headers in (caller("a"), caller("b"), (), caller("a"), ((b"x-other", b"2"),)):
        await tenants.client_for(headers).post(URL, json=BODY)
    a, b, nobody, again, nobody_again = model.placeholders
    assert len({a, b, nobody}) == 3
    assert (a, nobody) == (again, nobody_again)


async def test_a_caller_who_was_forgotten_has_the_same_placeholders() -> None:
    model = Model()
    tenants = Tenants(make_guard(ListSink()), model.client, "http://model.example/v1", kept=2)
    first = tenants.client_for(caller("a"))
    await first.post(URL, json=BODY)
    tenants.client_for(caller("b"))
    assert tenants.client_for(caller("a")) is first
    tenants.client_for(caller("c"))
    tenants.client_for(caller("d"))
    assert tenants.client_for(caller("a")) is not first
    await tenants.client_for(caller("a")).post(URL, json=BODY)
    assert model.placeholders[0] == model.placeholders[1]


async def test_no_more_callers_are_kept_than_wanted() -> None:
    tenants = Tenants(make_guard(ListSink()), Model().client, "http://model.example/v1", kept=2)
    gates = [weakref.ref(gate_of(tenants.client_for(caller(str(number))))) for number in range(5)]
    gc.collect()
    assert sum(gate() is not None for gate in gates) == 2


async def test_what_a_vault_keeps_is_the_callers_own() -> None:
    tenants = Tenants(make_guard(ListSink(), owner=Owner(tenant="acme")), Model().client, "http://model.example/v1")
    owners = []
    for headers in (caller("a"), caller("b"), caller("a")):
        gate = gate_of(tenants.client_for(headers))
        assert gate is not None
        assert isinstance(gate.guard, Guard)
        owners.append(gate.guard.parts.owner)
    first, second, again = owners
    assert first == again
    assert first != second
    assert {owner.tenant for owner in owners} == {"acme"}
    assert "a" not in (first.scope, second.scope)
