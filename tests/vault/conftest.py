"""Every place of a vault in turn: what holds for one holds for all."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from privguard.vault import SealedVault, Store, VaultKeys
from tests.sockets import SHORT
from tests.vault.homes import Clock, Home, memory_home, redis_home, sqlite_home

MASTERS = tuple([b"an invented key of the vault, no. %d" % number for number in (1, 2, 3)])


@pytest.fixture(scope="session")
def redis_socket() -> Iterator[str]:
    """Run a Redis server on a socket of its own, for as long as the tests take."""
    server = shutil.which("redis-server")
    if server is None:
        pytest.skip("there is no redis-server")
    folder = tempfile.mkdtemp(prefix="pgv", dir=SHORT)
    socket = f"{folder}/redis.sock"
    options = ("--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder)
    process = subprocess.Popen([server, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready = any("eady to accept connections" in line for line in process.stdout)
        assert ready, "redis-server did not start"
        yield socket
    finally:
        process.terminate()
        process.communicate()
        shutil.rmtree(folder)


@pytest.fixture(params=["memory", "sqlite", "fakeredis", "redis"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    match request.param:
        case "memory":
            found = memory_home()
        case "sqlite":
            found = sqlite_home(tmp_path)
        case "fakeredis":
            fakeredis = pytest.importorskip("fakeredis")
            server = fakeredis.FakeServer()
            found = redis_home("fakeredis", lambda: fakeredis.FakeRedis(server=server))
        case _:
            redis = pytest.importorskip("redis")
            socket = request.getfixturevalue("redis_socket")
            found = redis_home("redis", lambda: redis.Redis(unix_socket_path=socket))
            with redis.Redis(unix_socket_path=socket) as client:
                client.flushall()
    yield found
    found.close()


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    opened = home.open()
    yield opened
    opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_vault(home: Home, clock: Clock) -> Iterator[Callable[..., SealedVault]]:
    """Open the same place again and again, with the keys of these numbers, the newest first."""
    opened: list[SealedVault] = []

    def make(*numbers: int, **settings: Any) -> SealedVault:  # noqa: ANN401 - any setting of a vault
        keys = VaultKeys(*[MASTERS[number] for number in numbers or (0,)])
        opened.append(SealedVault(settings.pop("store", None) or home.open(), keys, now=clock, **settings))
        return opened[-1]

    yield make
    for vault in opened:
        vault.close()


@pytest.fixture
def vault(make_vault: Callable[..., SealedVault]) -> SealedVault:
    return make_vault()
