from types import ModuleType

import httpx
import httpx2
import pytest

from privguard_adapters.http_clients import gate_of, guard_http_client, guard_transport
from privguard_adapters.transport import AsyncGuardedTransport, GuardedTransport
from tests.adapters.fake_guard import FakeGuard
from tests.adapters.test_transport import ANSWER, BODY, URL, Sent, gate, recording

both = pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])


@both
def test_the_client_that_is_given_stays_as_it_is(module: ModuleType) -> None:
    transport = module.MockTransport(lambda _: module.Response(200))
    proxy = module.MockTransport(lambda _: module.Response(200))
    client = module.Client(transport=transport, mounts={"https://": proxy, "all://x.example": None}, timeout=7)
    before = dict(client.__dict__)
    guarded = guard_http_client(client, gate(FakeGuard()))
    assert client.__dict__ == before
    assert isinstance(guarded, module.Client)
    assert (guarded.timeout, guarded.cookies, guarded.headers) == (client.timeout, client.cookies, client.headers)
    assert [type(each) for each in guarded._mounts.values()] != [type(each) for each in client._mounts.values()]
    assert all(isinstance(each, GuardedTransport) for each in guarded._mounts.values() if each is not None)
    assert isinstance(guarded._transport, module.BaseTransport)
    assert gate_of(client) is None


@both
def test_proxies_are_behind_the_gate(module: ModuleType) -> None:
    sent = Sent()
    proxy = module.MockTransport(recording(sent, lambda _: module.Response(200, json=ANSWER)))
    client = guard_http_client(module.Client(mounts={"all://": proxy}), gate(FakeGuard()))
    assert "Ada Roth" in client.post(URL, json=BODY).text
    assert b"Ada" not in sent.bodies[0]


@both
def test_a_guarded_client_is_guarded_once(module: ModuleType) -> None:
    first, second = FakeGuard(), FakeGuard()
    client = module.Client(transport=module.MockTransport(lambda _: module.Response(200, json=ANSWER)))
    again = guard_http_client(guard_http_client(client, gate(first)), gate(second))
    again.post(URL, json=BODY)
    assert (len(first.exchanges), len(second.exchanges)) == (0, 1)
    found = gate_of(again)
    assert found is not None
    assert found.guard is second


@both
def test_collecting_a_guarded_client_leaves_the_connections_open(module: ModuleType) -> None:
    closed = []

    class Transport(module.MockTransport):  # type: ignore[name-defined,misc]  # the library is a parameter
        def close(self) -> None:
            closed.append(True)

    class Closing(module.Client):  # type: ignore[name-defined,misc]  # likewise
        def __del__(self) -> None:
            self.close()

    client = Closing(transport=Transport(lambda _: module.Response(200, json=ANSWER)))
    guarded = guard_http_client(client, gate(FakeGuard()))
    del guarded
    assert not closed
    with guard_http_client(client, gate(FakeGuard())) as guarded:
        guarded.post(URL, json=BODY)
    assert closed
    assert not client.is_closed


def test_what_is_no_http_client_is_refused() -> None:
    with pytest.raises(TypeError):
        guard_http_client(object(), gate(FakeGuard()))


@both
async def test_an_awaited_client_closes_the_shared_connections(module: ModuleType) -> None:
    client = module.AsyncClient(transport=module.MockTransport(lambda _: module.Response(200, json=ANSWER)))
    async with guard_http_client(client, gate(FakeGuard())) as guarded:
        assert isinstance(guarded._transport, AsyncGuardedTransport)
        await guarded.post(URL, json=BODY)
    assert guarded.is_closed
    assert not client.is_closed
    await client.aclose()


@both
def test_a_transport_is_guarded_as_far_as_it_goes(module: ModuleType) -> None:
    sync, awaited, twofold = (
        guard_transport(each, gate(FakeGuard()))
        for each in (module.HTTPTransport(), module.AsyncHTTPTransport(), module.MockTransport(lambda _: None))
    )
    assert [isinstance(each, module.BaseTransport) for each in (sync, awaited, twofold)] == [True, False, True]
    assert [isinstance(each, module.AsyncBaseTransport) for each in (sync, awaited, twofold)] == [False, True, True]
    again = guard_transport(sync, gate(FakeGuard()))
    assert again.inner is sync.inner  # one gate alone
