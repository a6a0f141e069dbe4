import gzip
import json
import zlib

import httpx
import pytest

from privguard.testing.replies import Reply
from privguard.testing.server import ModelServer
from privguard.testing.speakers import say

BODY = {"model": "m", "messages": [{"role": "user", "content": "héllo [PERSON_7QK2] \U0001f600"}]}


def pieces(reply: Reply, *, stream: bool = True) -> list[bytes]:
    """Return what came over the wire, chunk by chunk, still encoded."""
    with ModelServer(reply) as server, httpx.Client(trust_env=False) as client:
        url, body = f"{server.base_url}/chat/completions", {**BODY, "stream": stream}
        with client.stream("POST", url, json=body) as response:
            return list(response.iter_raw())


WHOLE = b"".join(pieces(Reply()))


def test_a_stream_travels_event_by_event() -> None:
    events = pieces(Reply())
    assert len(events) > 5
    assert all(event.startswith(b"data: ") and event.endswith(b"\n\n") for event in events)
    assert events[-1] == b"data: [DONE]\n\n"


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_bytes_are_cut_by_size_inside_characters_too(size: int) -> None:
    cut = pieces(Reply(cut_every=size))
    assert b"".join(cut) == WHOLE
    assert all(len(piece) == size for piece in cut[:-1])


def test_bytes_are_cut_exactly_where_asked() -> None:
    cut = pieces(Reply(cuts=(3, 90, 10_000_000)))
    assert [len(piece) for piece in cut] == [3, 87, len(WHOLE) - 90]


def test_a_whole_body_may_be_cut_too() -> None:
    assert [len(piece) for piece in pieces(Reply(cut_every=50), stream=False)][:2] == [50, 50]


@pytest.mark.parametrize("stream", [True, False])
def test_bodies_are_compressed_as_the_header_says(stream: bool) -> None:
    plain = b"".join(pieces(Reply(), stream=stream))
    assert gzip.decompress(b"".join(pieces(Reply(encoding="gzip"), stream=stream))) == plain
    assert zlib.decompress(b"".join(pieces(Reply(encoding="deflate"), stream=stream))) == plain


def test_a_compressed_stream_can_be_read_as_it_comes() -> None:
    unzip = zlib.decompressobj(wbits=31)
    first = unzip.decompress(pieces(Reply(encoding="gzip"))[0])
    assert first.endswith(b"\n\n")
    assert WHOLE.startswith(first)


def test_the_end_mark_may_be_missing() -> None:
    assert b"[DONE]" not in b"".join(pieces(Reply(done=False)))


def test_a_stream_may_fail_after_some_events() -> None:
    whole, failed = pieces(Reply()), pieces(Reply(fail_after=2))
    assert failed[:2] == whole[:2]
    assert [b"scripted failure" in piece for piece in failed] == [False, False, True]


@pytest.mark.parametrize("stream", [True, False])
def test_a_dropped_connection_breaks_the_body_after_the_given_bytes(stream: bool) -> None:
    got: list[bytes] = []
    with ModelServer(Reply(drop_after=100)) as server, httpx.Client(trust_env=False) as client:
        url, body = f"{server.base_url}/chat/completions", {**BODY, "stream": stream}
        with client.stream("POST", url, json=body) as response, pytest.raises(httpx.RemoteProtocolError):
            got.extend(response.iter_raw())
    assert len(b"".join(got)) <= 100


@pytest.mark.parametrize("stream", [True, False])
def test_a_body_may_end_early_as_if_it_were_whole(stream: bool) -> None:
    whole = b"".join(pieces(Reply(), stream=stream))
    for length in (0, 100, len(whole)):
        assert b"".join(pieces(Reply(end_after=length), stream=stream)) == whole[:length]


@pytest.mark.parametrize("stream", [True, False])
def test_malformed_json_is_cut_inside_the_document(stream: bool) -> None:
    body = b"".join(pieces(Reply(malformed=True), stream=stream))
    documents = [line[6:] for line in body.split(b"\n\n") if line and b"DONE" not in line] if stream else [body]
    broken = 0
    for document in documents:
        try:
            json.loads(document)
        except ValueError:
            broken += 1
    assert broken == 1


def test_status_content_type_and_headers_are_as_scripted() -> None:
    reply = Reply(content_type="text/plain", headers={"x-more": "1"}, speak=say("x"))
    with ModelServer(reply) as server, httpx.Client(trust_env=False) as client:
        response = client.post(f"{server.base_url}/chat/completions", json=BODY)
        assert (response.headers["content-type"], response.headers["x-more"]) == ("text/plain", "1")
        server.script(Reply(status=503))
        refused = client.post(f"{server.base_url}/chat/completions", json=BODY)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "503")


def test_models_are_listed_and_named() -> None:
    with ModelServer() as server, httpx.Client(trust_env=False) as client:
        assert client.get(f"{server.base_url}/models").json()["data"][0]["id"] == "scripted"
        assert client.get(f"{server.base_url}/models/gpt-x").json()["id"] == "gpt-x"
        assert client.head(f"{server.base_url}/models").status_code == 404
