import gc
import socket
import sys

import pytest

from privguard.core.errors import ConfigError
from privguard_adapters.gateway.serving import listen, tune_process, url_of
from privguard_adapters.gateway.settings import Settings

UPSTREAM = "http://model.example/v1"


def test_small_pieces_are_sent_at_once() -> None:
    # Without the protocol asyncio leaves Nagle's algorithm on, which costs 40 ms a request.
    with listen(Settings(upstream=UPSTREAM, port=0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert url_of(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def test_an_address_in_use_is_told() -> None:
    with listen(Settings(upstream=UPSTREAM, port=0)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port}") as caught:
            listen(Settings(upstream=UPSTREAM, port=port))
    assert caught.value.__context__ is None


def test_a_host_that_is_no_address_here_is_told() -> None:
    with pytest.raises(ConfigError, match="cannot listen"):
        listen(Settings(upstream=UPSTREAM, host="192.0.2.1", port=0, allow_public=True))


def test_streams_come_first() -> None:
    interval = sys.getswitchinterval()
    try:
        tune_process()
        assert sys.getswitchinterval() < interval
        assert gc.get_freeze_count() > 0
    finally:
        sys.setswitchinterval(interval)
        gc.unfreeze()
