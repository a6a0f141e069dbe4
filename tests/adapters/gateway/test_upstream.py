import httpx2

from privguard.testing import ModelServer, Reply
from privguard_adapters.gateway.settings import Settings
from privguard_adapters.gateway.upstream import open_client


async def test_timeouts_are_those_of_the_settings() -> None:
    settings = Settings(upstream="http://model.example/v1", connect_timeout_s=3.0, read_timeout_s=7.0)
    async with open_client(settings) as client:
        assert client.timeout == httpx2.Timeout(connect=3.0, read=7.0, write=7.0, pool=3.0)


async def test_nothing_is_remembered_of_one_caller_for_the_next() -> None:
    with ModelServer(Reply(headers={"set-cookie": "session=1; path=/"})) as server:
        async with open_client(Settings(upstream=server.base_url)) as client:
            for _ in range(2):
                await client.post(f"{server.base_url}/embeddings", json={"input": "x"})
            assert len(client.cookies) == 0
        assert server.last.header("cookie") is None
