"""The Redis store: its own keys only, a life of their own, and no word of the server's address in errors."""

from collections.abc import Iterator
from typing import Any

import pytest

from privguard.core.errors import ConfigError, VaultError
from privguard.vault import RedisStore
from tests.vault.homes import make_record

redis = pytest.importorskip("redis")
fakeredis = pytest.importorskip("fakeredis")

NOW_MS = 1_900_000_000_000


@pytest.fixture
def client() -> Iterator[Any]:
    made = fakeredis.FakeRedis()
    yield made
    made.close()


def test_redis_removes_what_has_expired(client: Any) -> None:  # noqa: ANN401 - the client's types say too little
    store = RedisStore(client)
    record = make_record(expires_ms=NOW_MS + 60_000)
    assert store.write(record, expects=None, now_ms=NOW_MS)
    (name,) = client.keys()
    assert name == b"privguard:vault:" + record.slot.hex().encode()
    assert 59_000 < client.pttl(name) <= 60_000
    later = make_record(2, expires_ms=NOW_MS + 5_000)
    assert store.write(later, expects=record, now_ms=NOW_MS)
    (name,) = client.keys()
    assert 4_000 < client.pttl(name) <= 5_000
    assert store.purge(NOW_MS + 60_000) == 0


def test_a_store_sees_its_own_prefix_alone(client: Any) -> None:  # noqa: ANN401 - likewise
    odd, other = RedisStore(client, prefix="a*[b]?\\:"), RedisStore(client, prefix="aXb:")
    client.set("unrelated", "x")
    client.set("a*[b]?\\:no-slot", b"y" * 20)
    assert odd.write(make_record(1), expects=None, now_ms=NOW_MS)
    assert other.write(make_record(1, sealed=b"other"), expects=None, now_ms=NOW_MS)
    assert {record.sealed for record in odd.stale(b"") if record.slot} == {b"sealed"}
    assert [record.sealed for record in other.stale(b"")] == [b"other"]
    assert odd.delete(make_record(1).slot)
    assert other.load(make_record(1).slot) == make_record(1, sealed=b"other")


def test_a_client_that_answers_in_texts_is_refused() -> None:
    client = fakeredis.FakeRedis(decode_responses=True)
    store = RedisStore(client)
    client.set("privguard:vault:" + make_record().slot.hex(), "Ada Roth, in plain text")
    with pytest.raises(VaultError, match="decode_responses"):
        store.load(make_record().slot)
    client.close()


@pytest.mark.parametrize(
    "url", ["redis://:hunter2@host:port/0", "redis://host/0?socket_timeout=hunter2", "http://hunter2"]
)
def test_a_url_that_cannot_be_read_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ConfigError, match=r"redis://\[:PASSWORD@\]HOST") as caught:
        RedisStore.from_url(url)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_server_that_does_not_answer_is_told_at_once_and_without_its_password(unused_tcp_port: int) -> None:
    with pytest.raises(VaultError, match=r"cannot reach the vault in Redis \(ConnectionError\)") as caught:
        RedisStore.from_url(f"redis://:hunter2@127.0.0.1:{unused_tcp_port}/0")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_server_that_is_lost_is_an_error_of_the_vault() -> None:
    server = fakeredis.FakeServer()
    client = fakeredis.FakeRedis(server=server)
    store = RedisStore(client)
    server.connected = False
    record = make_record()
    for use in (
        lambda: store.load(record.slot),
        lambda: store.write(record, expects=None, now_ms=NOW_MS),
        lambda: store.write(record, expects=make_record(2), now_ms=NOW_MS),
        lambda: store.delete(record.slot),
        lambda: list(store.stale(b"")),
    ):
        with pytest.raises(VaultError, match="ConnectionError") as caught:
            use()
        assert caught.value.__context__ is None
    client.close()


def test_a_real_server_is_reached_by_its_socket(redis_socket: str) -> None:
    store = RedisStore.from_url(f"unix://{redis_socket}?db=3", prefix="of-this-test:")
    assert store.write(make_record(), expects=None, now_ms=NOW_MS)
    assert store.load(make_record().slot) == make_record()
    assert store.delete(make_record().slot)
    store.close()
