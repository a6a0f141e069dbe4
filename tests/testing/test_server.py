import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator

import httpx
import pytest

from privguard.testing.leaks import find_canaries
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply
from privguard.testing.said import Said
from privguard.testing.server import ModelServer
from privguard.testing.speakers import say

BODY = {"model": "m", "messages": [{"role": "user", "content": "I am [PERSON_7QK2]"}]}


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False) as client:
        yield client


def ask(client: httpx.Client, server: ModelServer, **more: object) -> httpx.Response:
    return client.post(f"{server.base_url}/chat/completions", json={**BODY, **more})


def test_every_request_is_recorded_and_an_unknown_route_is_not_found(client: httpx.Client) -> None:
    with ModelServer() as server:
        assert ask(client, server).status_code == 200
        assert client.post(f"{server.base_url}/audio/speech?x=y", content=b"Ada Roth").status_code == 404
        assert client.delete(f"{server.base_url}/files/1").status_code == 404
        assert [(request.method, request.path) for request in server.requests] == [
            ("POST", "/v1/chat/completions"),
            ("POST", "/v1/audio/speech"),
            ("DELETE", "/v1/files/1"),
        ]
        assert server.requests[0].json() == BODY
        assert server.last.target == "/v1/files/1"
        assert find_canaries(server.wire, ["Ada Roth"])


def test_the_replies_are_kept_before_they_are_compressed_or_cut(client: httpx.Client) -> None:
    with ModelServer(Reply(encoding="gzip", cut_every=7)) as server:
        client.post(f"{server.base_url}/audio/speech")
        first, second = ask(client, server), ask(client, server, stream=True)
        assert server.sent == (b"", first.content, second.content)


def test_scripted_replies_come_first_and_in_order(client: httpx.Client) -> None:
    with ModelServer(Reply(speak=say("later"))) as server:
        server.script(Reply.rate_limited(3), Reply(status=500), Reply(speak=say("now")))
        limited = ask(client, server)
        assert (limited.status_code, limited.headers["retry-after"]) == (429, "3")
        assert ask(client, server).status_code == 500
        texts = [ask(client, server).json()["choices"][0]["message"]["content"] for _ in range(2)]
        assert texts == ["now", "later"]


def test_a_function_may_choose_the_reply(client: httpx.Client) -> None:
    with ModelServer(lambda request: Reply(speak=say(request.path))) as server:
        assert ask(client, server).json()["choices"][0]["message"]["content"] == "/v1/chat/completions"


def test_closing_leaves_no_thread_even_with_idle_and_held_clients(client: httpx.Client) -> None:
    before = set(threading.enumerate())
    with ModelServer() as server:
        ask(client, server)  # kept alive
        server.script(Reply(hold=threading.Event()))
        with client.stream("POST", f"{server.base_url}/chat/completions", json={**BODY, "stream": True}) as response:
            assert next(response.iter_raw())
            server.close()
    assert not set(threading.enumerate()) - before


def test_a_server_that_is_never_closed_keeps_no_interpreter_from_ending() -> None:
    code = (
        "import http.client, urllib.parse\n"
        "from privguard.testing.server import ModelServer\n"
        "server = ModelServer().start()\n"
        "connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.base_url).netloc)\n"
        "connection.request('GET', '/v1/models')\n"
        "print(connection.getresponse().status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60, check=True)
    assert done.stdout.strip().isdigit()


def test_a_held_stream_goes_on_when_it_is_released(client: httpx.Client) -> None:
    gate = threading.Event()
    with (
        ModelServer(Reply(hold=gate)) as server,
        client.stream("POST", f"{server.base_url}/chat/completions", json={**BODY, "stream": True}) as response,
    ):
        pieces = response.iter_raw()
        first = next(pieces)
        gate.set()
        assert (first + b"".join(pieces)).endswith(b"data: [DONE]\n\n")


def test_a_server_starts_again_and_closes_twice(client: httpx.Client) -> None:
    server = ModelServer()
    with server:
        ask(client, server)
    with server:
        ask(client, server)
        with pytest.raises(RuntimeError, match="already"):
            server.start()
    server.close()
    assert len(server.requests) == 2
    with pytest.raises(RuntimeError, match="not running"):
        _ = server.base_url


def test_a_failing_script_is_raised_at_the_end(client: httpx.Client) -> None:
    def broken(_request: Recorded) -> Said:
        raise LookupError("my own script")

    with pytest.raises(LookupError, match="my own script"), ModelServer(Reply(speak=broken)) as server:
        assert ask(client, server).status_code == 500


def test_an_error_inside_the_block_is_not_hidden_by_a_failing_script(client: httpx.Client) -> None:
    def broken(_request: Recorded) -> Reply:
        raise LookupError("my own script")

    def block() -> None:
        with ModelServer(broken) as server:
            assert ask(client, server).status_code == 500
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        block()


def test_many_clients_are_served_at_once() -> None:
    with ModelServer() as server:

        def call() -> None:
            with httpx.Client(trust_env=False) as own:
                ask(own, server)

        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.requests) == 8


def test_chunked_and_compressed_requests_are_decoded(client: httpx.Client) -> None:
    packed = gzip.compress(json.dumps(BODY).encode())
    with ModelServer() as server:
        url = f"{server.base_url}/chat/completions"
        client.post(url, content=iter([packed[:10], packed[10:]]), headers={"content-encoding": "gzip"})
        assert server.last.body == packed
        assert server.last.json() == BODY
