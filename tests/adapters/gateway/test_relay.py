"""The gateway from end to end: the real SDK and bare sockets before it, the scripted model server behind it."""

import asyncio
import http.client
import json
import re
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import httpx2
import openai
import pytest
from starlette.types import Message

from privguard.core.audit import Outcome
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard import Guard
from privguard.testing import (
    Canary,
    FailingDetector,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    all_canaries,
    call_tool,
    echo_placeholders,
    find_canaries,
    find_placeholders,
    say,
)
from privguard_adapters.gateway.meters import Meters
from privguard_adapters.gateway.relay import Relay
from privguard_adapters.gateway.settings import Settings
from privguard_adapters.gateway.tenants import Tenants
from tests.adapters.gateway.conftest import Gateway, Starter, make_guard

CANARIES = (*all_canaries(), *(Canary.person(seed) for seed in range(60)))
PERSON = Canary.person().value
# A value inside a URL comes back only where its host is allowed.
TEXT = "Please write to " + ", ".join(each.value for each in all_canaries() if each != Canary.url()) + ". Thank you!"
HEADERS = {"content-type": "application/json", "authorization": "Bearer sk-caller"}


@contextmanager
def client_of(gateway: Gateway, api_key: str = "sk-caller", **options: Any) -> Iterator[openai.OpenAI]:  # noqa: ANN401
    with openai.OpenAI(api_key=api_key, base_url=gateway.base_url, max_retries=0, **options) as client:
        yield client


def ask(client: openai.OpenAI, prompt: str, **options: Any) -> str:  # noqa: ANN401 - options of the SDK
    reply = client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": prompt}], **options)
    return str(reply.choices[0].message.content)


def stream(client: openai.OpenAI, prompt: str, **options: Any) -> str:  # noqa: ANN401 - likewise
    with client.chat.completions.create(
        model="gpt-5", messages=[{"role": "user", "content": prompt}], stream=True, **options
    ) as events:
        return "".join(event.choices[0].delta.content or "" for event in events if event.choices)


def body_of(prompt: str, **fields: object) -> bytes:
    return json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": prompt}], **fields}).encode()


def post(gateway: Gateway, path: str, body: bytes, headers: dict[str, str] = HEADERS) -> tuple[int, dict[str, Any]]:
    """Send a body as it is; return the status and the JSON of the reply."""
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    try:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def outcomes(sink: ListSink) -> list[Outcome]:
    return [record.outcome for record in sink.records]


def test_the_sdk_gets_its_values_back_and_nothing_leaks(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    with client_of(gateway) as client:
        assert ask(client, TEXT) == TEXT
        assert stream(client, TEXT) == TEXT
        completed = client.completions.create(model="gpt-5", prompt=TEXT)
        assert completed.choices[0].text == TEXT
        assert len(client.embeddings.create(model="e", input=[TEXT]).data) == 1
        assert [model.id for model in client.models.list()] == ["scripted"]
        assert client.models.retrieve("gpt-5").id == "gpt-5"
    assert find_canaries(server.wire, CANARIES) == []
    assert outcomes(sink) == [Outcome.DONE] * 4


def test_tool_arguments_come_back(gateway: Gateway, server: ModelServer) -> None:
    server.script(Reply(speak=call_tool))
    schema: dict[str, object] = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
    with client_of(gateway) as client:
        reply = client.chat.completions.create(
            model="gpt-5",
            messages=[{"role": "user", "content": f"Write to {PERSON}"}],
            tools=[{"type": "function", "function": {"name": "send_mail", "parameters": schema}}],
        )
    calls = reply.choices[0].message.tool_calls
    assert calls is not None
    assert isinstance(calls[0], openai.types.chat.ChatCompletionMessageFunctionToolCall)
    assert json.loads(calls[0].function.arguments) == {"to": PERSON}


@pytest.mark.parametrize("every", [1, 2, 3, 7, 64, 1000])
def test_a_stream_that_comes_in_small_pieces_is_the_same_text(
    gateway: Gateway, server: ModelServer, every: int
) -> None:
    prompt = f"Zoë 😀 and {PERSON}: [1]"
    server.script(Reply(cut_every=every))
    with client_of(gateway) as client:
        assert stream(client, prompt) == prompt


class HeldDetector:
    """Find nothing in any text; be held up by one."""

    id = "held-detector/1"

    def __init__(self) -> None:
        self.entered, self.release = threading.Event(), threading.Event()

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        if any("a long prompt" in segment.text for segment in segments):
            self.entered.set()
            self.release.wait(30)
        return tuple(() for _ in segments)


def test_a_prompt_that_takes_long_holds_nobody_else_up(start: Starter, sink: ListSink) -> None:
    detector = HeldDetector()
    gateway = start(make_guard(sink, detector=detector))
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(post, gateway, "/v1/chat/completions", body_of("a long prompt"))
        assert detector.entered.wait(30)
        with client_of(gateway) as client:
            assert stream(client, "a short one") == "a short one"
        assert not long.done()
        detector.release.set()
        assert long.result()[0] == 200


def test_an_event_leaves_before_the_next_one_comes(gateway: Gateway, server: ModelServer) -> None:
    hold = threading.Event()
    server.script(Reply(speak=say("one two three"), hold=hold))
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    connection.request("POST", "/v1/chat/completions", body_of("x", stream=True), HEADERS)
    response = connection.getresponse()
    first = response.readline()
    # The server holds everything back but its first event.
    assert first.startswith(b"data: ")
    assert not hold.is_set()
    hold.set()
    assert response.read().endswith(b"data: [DONE]\n\n")
    connection.close()


def test_a_caller_who_hangs_up_ends_the_request_behind(
    gateway: Gateway, server: ModelServer, sink: ListSink, caplog: pytest.LogCaptureFixture
) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT, stream=True)))
        assert b"data: " in read_until(connection, b"\n\n")
    gateway.stop()
    gateway.join()
    assert outcomes(sink) == [Outcome.ABANDONED]
    # The server's thread ends only where its client has hung up, or the event is set.
    assert " left" in caplog.text
    hold.set()


def test_a_caller_who_hangs_up_before_the_first_event_ends_the_request_behind(
    gateway: Gateway, server: ModelServer, sink: ListSink
) -> None:
    asked, hold = threading.Event(), threading.Event()

    def wait(_request: Recorded) -> Any:  # noqa: ANN401 - never returns anything
        asked.set()
        hold.wait(30)
        return say("late")(_request)

    server.script(Reply(speak=wait))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT)))
        assert asked.wait(30)
    gateway.stop()
    gateway.join()
    hold.set()
    assert outcomes(sink) == [Outcome.ABANDONED]


def raw_request(body: bytes, path: str = "/v1/chat/completions", extra: str = "") -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n{extra}"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def read_until(connection: socket.socket, end: bytes) -> bytes:
    connection.settimeout(30)
    read = b""
    while end not in read:
        piece = connection.recv(65536)
        if not piece:
            break
        read += piece
    return read


def test_fifty_streams_at_once_get_their_own_values(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    def one(seed: int) -> tuple[str, str]:
        prompt = f"Dear {Canary.person(seed).value}, number {seed}"
        with client_of(gateway, api_key=f"sk-{seed % 5}") as client:
            return prompt, stream(client, prompt)

    with ThreadPoolExecutor(50) as pool:
        for prompt, answer in pool.map(one, range(50)):
            assert answer == prompt
    assert find_canaries(server.wire, CANARIES) == []
    assert outcomes(sink) == [Outcome.DONE] * 50


def test_two_requests_share_a_connection(gateway: Gateway) -> None:
    with socket.create_connection(gateway.address) as connection:
        for _ in range(2):
            connection.sendall(raw_request(body_of(PERSON)))
            assert PERSON.encode() in read_until(connection, b"usage")


def test_a_chunked_body_is_read(gateway: Gateway, server: ModelServer) -> None:
    body = body_of(PERSON)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(body[at : at + 9]), body[at : at + 9]) for at in range(0, len(body), 9))
    head = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n"
        b"transfer-encoding: chunked\r\nconnection: close, x-hop\r\nx-hop: a\r\n\r\n"
    )
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(head + chunks + b"0\r\n\r\n")
        assert PERSON.encode() in read_until(connection, b"usage")
    assert server.last.header("transfer-encoding") is None
    assert server.last.header("x-hop") is None
    assert int(server.last.header("content-length") or 0) == len(server.last.body)


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/v1/responses/compact", "POST responses/compact"),
        ("POST", "/v1/uploads", "POST uploads"),
        ("GET", "/v1/chat/completions", "GET chat/completions"),
        ("POST", f"/v1/threads/{PERSON.replace(' ', '%20')}/runs", "POST threads/{id}/runs"),
        ("POST", "/chat/completions", "a path outside /v1"),
        ("POST", "/v1/../v1/chat/completions", "POST {id}/v1/chat/completions"),
        ("BREW", "/v1/chat/completions", "{method} chat/completions"),
    ],
)
def test_other_routes_are_refused_in_the_shape_of_the_api(
    gateway: Gateway, server: ModelServer, method: str, path: str, name: str
) -> None:
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    connection.request(method, path, body_of(TEXT), HEADERS)
    response = connection.getresponse()
    error = json.loads(response.read())["error"]
    connection.close()
    assert (response.status, error["code"], error["type"]) == (404, "unprotected_route", "invalid_request_error")
    assert error["message"].startswith(f"{name} is not protected")
    assert "nothing was sent" in error["message"]
    assert server.requests == ()


def test_the_sdk_names_a_refused_route(gateway: Gateway, sink: ListSink) -> None:
    with client_of(gateway) as client, pytest.raises(openai.NotFoundError, match="nothing was sent"):
        client.responses.compact(model="gpt-5", input=TEXT)
    assert [(record.route, record.outcome) for record in sink.records] == [("POST responses/compact", Outcome.BLOCKED)]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused(start: Starter, server: ModelServer, chunked: bool) -> None:
    gateway = start(max_body_bytes=1000)
    body: Any = iter([b"x" * 600, b"x" * 600]) if chunked else b"x" * 1001
    status, reply = post(gateway, "/v1/chat/completions", body)
    assert (status, reply["error"]["code"]) == (413, "request_too_large")
    assert server.requests == ()


@pytest.mark.parametrize("body", [b"{", b"[1]", b"", b'{"messages": "\xff"}', b'{"model": "a", "model": "b"}'])
def test_a_malformed_body_is_refused(gateway: Gateway, server: ModelServer, body: bytes) -> None:
    status, reply = post(gateway, "/v1/chat/completions", body)
    assert (status, reply["error"]["code"]) == (400, "unprotected_content")
    assert "nothing was sent" in reply["error"]["message"]
    assert server.requests == ()


def test_a_body_that_does_not_come_is_refused(start: Starter, server: ModelServer) -> None:
    gateway = start(body_timeout_s=0.05)
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT))[:-1])
        answer = read_until(connection, b"}}")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert server.requests == ()


def test_an_upstream_that_is_down_is_told(start: Starter, sink: ListSink) -> None:
    with socket.socket() as taken:  # nobody else gets the port, and nobody listens on it
        taken.bind(("127.0.0.1", 0))
        gateway = start(upstream=f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
        status, reply = post(gateway, "/v1/chat/completions", body_of(TEXT))
    assert (status, reply["error"]["code"]) == (502, "upstream_unreachable")
    assert outcomes(sink) == [Outcome.FAILED]


def test_an_upstream_that_does_not_answer_is_told(start: Starter, server: ModelServer, sink: ListSink) -> None:
    hold = threading.Event()

    def wait(_request: Recorded) -> Any:  # noqa: ANN401 - never returns anything
        hold.wait(30)
        return say("late")(_request)

    server.script(Reply(speak=wait))
    status, reply = post(start(read_timeout_s=0.1), "/v1/chat/completions", body_of(TEXT))
    hold.set()
    assert (status, reply["error"]["code"]) == (504, "upstream_timeout")
    assert outcomes(sink) == [Outcome.FAILED]


def test_an_error_of_the_provider_passes_restored(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    server.script(Reply(status=429, retry_after_s=7))
    with client_of(gateway) as client, pytest.raises(openai.RateLimitError) as caught:
        ask(client, TEXT)
    assert caught.value.response.headers["retry-after"] == "7"
    assert outcomes(sink) == [Outcome.FAILED]


def test_a_reply_that_breaks_off_is_not_taken_for_whole(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    server.script(Reply(drop_after=300), Reply(drop_after=100))
    with client_of(gateway) as client:
        with pytest.raises(openai.APIError, match="connection to the model server failed"):
            stream(client, TEXT)
        with pytest.raises(openai.InternalServerError, match="connection to the model server failed"):
            ask(client, TEXT)
    assert outcomes(sink) == [Outcome.FAILED, Outcome.FAILED]


def test_a_stream_that_breaks_off_ends_without_its_last_chunk(gateway: Gateway, server: ModelServer) -> None:
    server.script(Reply(drop_after=300))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT, stream=True)))
        answer = read_until(connection, b"0\r\n\r\n")
    assert b'"code": "upstream_failed"' in answer
    assert not answer.endswith(b"0\r\n\r\n")


def test_a_reply_that_cannot_be_restored_is_told(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    server.script(Reply(headers={"content-encoding": "br"}))
    status, reply = post(gateway, "/v1/chat/completions", body_of(TEXT))
    assert (status, reply["error"]["code"]) == (502, "restore_failed")
    assert outcomes(sink) == [Outcome.FAILED]


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_compressed_replies_come_back_plain(gateway: Gateway, server: ModelServer, encoding: str) -> None:
    server.script(*[Reply(encoding=encoding)] * 3)
    with client_of(gateway) as client:
        assert ask(client, PERSON) == PERSON
        assert stream(client, PERSON) == PERSON
        assert len(client.embeddings.create(model="e", input=[TEXT]).data) == 1


def test_a_failing_detector_sends_nothing(start: Starter, server: ModelServer, sink: ListSink) -> None:
    gateway = start(make_guard(sink, detector=FailingDetector(ValueError(PERSON))))
    status, reply = post(gateway, "/v1/chat/completions", body_of(TEXT))
    assert (status, reply["error"]["code"]) == (500, "not_protected")
    assert find_canaries(json.dumps(reply).encode(), CANARIES) == []
    assert server.requests == ()
    assert outcomes(sink) == [Outcome.BLOCKED]


def test_a_profile_is_chosen_by_its_header(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    status, _ = post(gateway, "/v1/chat/completions", body_of(PERSON), HEADERS | {"x-privguard-profile": "open"})
    assert (status, sink.records[0].profile_id) == (200, "open:1")
    assert server.last.header("x-privguard-profile") is None
    status, reply = post(gateway, "/v1/chat/completions", body_of(PERSON), HEADERS | {"x-privguard-profile": "none"})
    assert (status, reply["error"]["code"]) == (400, "bad_profile")
    assert len(server.requests) == 1


def test_the_callers_key_passes_and_what_is_meant_for_the_gateway_does_not(start: Starter, server: ModelServer) -> None:
    gateway = start(forward_headers=("x-team-*",))
    headers = {
        "cookie": "a=b",
        "x-forwarded-for": "192.0.2.7",
        "forwarded": "for=192.0.2.7",
        "proxy-authorization": "Basic eDp5",
        "openai-organization": "org-1",
        "user-agent": "OpenAI/JS 6.1.0",
        "te": "trailers",
        "x-session-id": PERSON,
        "x-team-name": "blue",
    }
    post(gateway, "/v1/chat/completions", body_of(PERSON), HEADERS | headers)
    sent = {name.lower(): value for name, value in server.last.headers}
    assert sent.keys() == {
        "host", "authorization", "content-type", "content-length", "openai-organization", "user-agent",
        "accept-encoding", "x-team-name",
    }  # fmt: skip
    assert sent["authorization"] == "Bearer sk-caller"
    assert sent["user-agent"].startswith("privguard/")
    assert sent["host"] == server.base_url.split("/")[2]


def test_a_cookie_of_the_model_server_reaches_nobody(gateway: Gateway, server: ModelServer) -> None:
    server.script(Reply(headers={"set-cookie": "session=1; path=/", "alt-svc": 'h3=":443"', "x-request-id": "r-1"}))
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    connection.request("POST", "/v1/chat/completions", body_of(PERSON), HEADERS)
    response = connection.getresponse()
    response.read()
    assert response.headers["x-request-id"] == "r-1"
    assert "set-cookie" not in response.headers
    assert "alt-svc" not in response.headers
    connection.request("POST", "/v1/chat/completions", body_of(PERSON), HEADERS)
    connection.getresponse().read()
    connection.close()
    assert server.last.header("cookie") is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_handed_to_the_caller(
    gateway: Gateway, server: ModelServer, sink: ListSink, status: int
) -> None:
    server.script(Reply(status=status, headers={"location": "https://evil.example/v1/chat/completions"}))
    got, reply = post(gateway, "/v1/chat/completions", body_of(TEXT))
    assert (got, reply["error"]["code"]) == (502, "restore_failed")
    assert len(server.requests) == 1
    assert outcomes(sink) == [Outcome.FAILED]


def test_a_redirect_within_the_model_server_is_followed_protected(gateway: Gateway, server: ModelServer) -> None:
    server.script(Reply(status=307, headers={"location": "/v1/chat/completions"}))
    with client_of(gateway) as client:
        assert ask(client, TEXT) == TEXT
    assert len(server.requests) == 2
    assert find_canaries(server.wire, CANARIES) == []


@contextmanager
def answering(raw: bytes) -> Iterator[str]:
    """Run a model server that gives these bytes to every request, and return its base URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            # Ends when the socket is closed.
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        read_until(connection, b"\r\n\r\n")
                        connection.sendall(raw)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(30)


@pytest.mark.parametrize("status", ["700", "099", "600", "101"])
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_status_that_http_does_not_know_is_an_error_in_the_shape_of_the_api(
    start: Starter, sink: ListSink, caplog: pytest.LogCaptureFixture, status: str, kind: str
) -> None:
    head = f"HTTP/1.1 {status} Odd\r\ncontent-type: {kind}\r\ncontent-length: 14\r\nconnection: close\r\n\r\n"
    with answering(head.encode() + b'"said by them"') as upstream:
        gateway = start(upstream=upstream)
        for body in (body_of(PERSON), body_of(PERSON, stream=True)):
            got, reply = post(gateway, "/v1/chat/completions", body)
            assert (got, reply["error"]["code"], reply["error"]["type"]) == (502, "upstream_failed", "privguard_error")
            assert "said by them" not in json.dumps(reply)
    assert outcomes(sink) == [Outcome.FAILED] * 2
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "BREW"])
def test_an_odd_target_is_refused_in_the_shape_of_the_api(gateway: Gateway, server: ModelServer, method: str) -> None:
    targets = (
        "*", "http://gateway/v1/chat/completions", "https://other.example/v1/models", "//other.example/v1/models",
        "//v1/models", "/", "/v1", "gateway:443", "?x=1", "/%", "///", "/healthz/", "healthz",
    )  # fmt: skip
    for target in targets:
        with socket.create_connection(gateway.address) as connection:
            head = f"{method} {target} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n"
            connection.sendall(head.encode())
            answer, _, body = read_until(connection, b"\r\n\r\n{}").partition(b"\r\n\r\n")
        error = json.loads(body)["error"]
        assert (answer.split()[1], error["code"]) == (b"404", "unprotected_route"), target
        assert error["type"] == "invalid_request_error"
        assert "other.example" not in error["message"]
    assert server.requests == ()


def test_callers_have_placeholders_of_their_own(gateway: Gateway, server: ModelServer) -> None:
    for key in ("sk-a", "sk-b", "sk-a"):
        with client_of(gateway, api_key=key) as client:
            ask(client, f"I am {PERSON}")
    first, second, third = (str(request.placeholders()[0]) for request in server.requests)
    assert first == third
    assert first != second


def test_a_placeholder_of_another_caller_is_not_restored(gateway: Gateway, server: ModelServer) -> None:
    server.script(Reply(speak=echo_placeholders))
    with client_of(gateway, api_key="sk-a") as client:
        ask(client, f"I am {PERSON}")
    seen = str(server.last.placeholders()[0])
    server.script(Reply(speak=say(f"That is {seen}.")), Reply(speak=say(f"That is {seen}.")))
    with client_of(gateway, api_key="sk-b") as client:
        assert ask(client, f"I am {PERSON}") == f"That is {seen}."
        assert stream(client, "Who is it?") == f"That is {seen}."


def test_options_tells_what_a_path_takes(gateway: Gateway, server: ModelServer) -> None:
    allowed = {}
    for path in ("/v1/chat/completions", "/v1/models", "/v1/models/gpt-5", "/v1/uploads"):
        connection = http.client.HTTPConnection(*gateway.address, timeout=30)
        connection.request("OPTIONS", path)
        response = connection.getresponse()
        response.read()
        allowed[path] = (response.status, response.headers["allow"])
        connection.close()
    assert allowed == {
        "/v1/chat/completions": (204, "POST, OPTIONS"),
        "/v1/models": (204, "GET, OPTIONS"),
        "/v1/models/gpt-5": (204, "GET, DELETE, OPTIONS"),
        "/v1/uploads": (404, None),
    }
    assert server.requests == ()


def test_head_is_get_without_the_body(gateway: Gateway, server: ModelServer) -> None:
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    connection.request("HEAD", "/v1/models", headers=HEADERS)
    response = connection.getresponse()
    assert (response.status, response.read()) == (200, b"")
    assert int(response.headers["content-length"]) > 0
    connection.close()
    assert server.last.method == "GET"


def test_more_requests_than_are_borne_are_refused(start: Starter, server: ModelServer) -> None:
    gateway = start(max_requests=1)
    hold = threading.Event()
    server.script(Reply(hold=hold))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT, stream=True)))
        assert b"data: " in read_until(connection, b"\n\n")
        status, reply = post(gateway, "/v1/chat/completions", body_of(TEXT))
        hold.set()
        read_until(connection, b"[DONE]")
    assert (status, reply["error"]["code"]) == (503, "overloaded")
    assert len(server.requests) == 1


class Within:
    """A relay in this process, before a model server that streams what it is given."""

    def __init__(
        self,
        guard: Guard,
        stream: Callable[[httpx2.Request], httpx2.AsyncByteStream],
        write_timeout_s: float = 60.0,
    ) -> None:
        headers = {"content-type": "text/event-stream"}
        transport = httpx2.MockTransport(lambda request: httpx2.Response(200, headers=headers, stream=stream(request)))
        settings = Settings(upstream="http://model.example/v1", write_timeout_s=write_timeout_s)
        self.taken: list[Message] = []
        self.leaves = asyncio.Event()
        self._relay = Relay(
            guard=guard,
            tenants=Tenants(guard, httpx2.AsyncClient(transport=transport), settings.base_url),
            meters=Meters(),
            settings=settings,
        )

    async def serve(self, body: bytes) -> bytes:
        """Serve one request, and return the body of its reply."""
        self.taken.clear()
        inbox = [{"type": "http.request", "body": body}]

        async def receive() -> Message:
            if inbox:
                return inbox.pop()
            await self.leaves.wait()
            return {"type": "http.disconnect"}

        scope = {
            "method": "POST",
            "raw_path": b"/v1/chat/completions",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
        }
        await self._relay(scope, receive, self.take)
        return b"".join(message.get("body", b"") for message in self.taken)

    async def take(self, message: Message) -> None:
        """Take a message of the reply."""
        self.taken.append(message)


class Cut(httpx2.AsyncByteStream):
    """A body in two pieces."""

    def __init__(self, body: bytes, at: int) -> None:
        self.pieces = (body[:at], body[at:])

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


def events_about(placeholder: str) -> bytes:
    """Return a stream that says a placeholder over three deltas, with text beyond ASCII."""
    pieces = ["Zoë 😀 ", placeholder[:4], placeholder[4:9], f"{placeholder[9:]}!"]
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    written = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
    return b"".join(b"data: " + line.encode() + b"\r\n\r\n" for line in [*written, "[DONE]"])


async def test_every_cut_of_a_stream_gives_the_same_bytes(guard: Guard) -> None:
    at, length = 0, 1

    def answer(request: httpx2.Request) -> httpx2.AsyncByteStream:
        nonlocal length
        sent = json.loads(request.content)["messages"][0]["content"]
        body = events_about(str(find_placeholders(sent)[0]))
        length = len(body)
        return Cut(body, at)

    within = Within(guard, answer)
    replies = set()
    while at < length:
        replies.add(await within.serve(body_of(PERSON, stream=True)))
        at += 1
    assert len(replies) == 1
    said = re.findall(r'"content": "([^"]*)"', replies.pop().decode())
    assert "".join(said) == f"Zoë 😀 {PERSON}!"


class Endless(httpx2.AsyncByteStream):
    """A stream without end that notes how far it was read."""

    def __init__(self) -> None:
        self.read, self.closed = 0, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.read += 1
            yield b'data: {"choices": []}\n\n'

    async def aclose(self) -> None:
        self.closed = True


class Slow(Within):
    """Takes three messages and no more."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - those of the base
        super().__init__(*args, **options)
        self.waits = asyncio.Event()

    async def take(self, message: Message) -> None:
        await super().take(message)
        if len(self.taken) == 3:
            self.waits.set()
            await asyncio.Event().wait()


async def test_no_more_is_read_than_the_caller_takes(guard: Guard, sink: ListSink) -> None:
    endless = Endless()
    slow = Slow(guard, lambda _request: endless)
    serving = asyncio.create_task(slow.serve(body_of(PERSON, stream=True)))
    await slow.waits.wait()
    assert endless.read == len(slow.taken) - 1
    slow.leaves.set()
    await asyncio.wait_for(serving, 30)  # long before the time to take the next piece is over
    assert endless.read == len(slow.taken) - 1
    assert endless.closed
    assert outcomes(sink) == [Outcome.ABANDONED]


async def test_a_caller_who_takes_nothing_more_is_dropped(guard: Guard, sink: ListSink) -> None:
    endless = Endless()
    slow = Slow(guard, lambda _request: endless, write_timeout_s=0.05)
    await slow.serve(body_of(PERSON, stream=True))
    assert endless.closed
    assert len(slow.taken) == 3
    assert outcomes(sink) == [Outcome.ABANDONED]


def test_nothing_that_is_written_holds_content_keys_or_queries(
    gateway: Gateway, server: ModelServer, sink: ListSink, caplog: pytest.LogCaptureFixture
) -> None:
    server.script(Reply(), Reply(status=500), Reply(drop_after=200), Reply(headers={"content-encoding": "br"}))
    path = f"/v1/chat/completions?note={PERSON.replace(' ', '+')}"
    seen = []
    for _ in range(4):
        post(gateway, "/v1/chat/completions", body_of(TEXT))
    for target, headers in (
        (path, HEADERS),
        ("/v1/chat/completions", HEADERS | {"openai-note": PERSON}),
        (f"/v1/threads/{PERSON.replace(' ', '%20')}", HEADERS),
    ):
        status, reply = post(gateway, target, body_of(TEXT), headers)
        assert status in (400, 404)
        seen.append(json.dumps(reply))
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    connection.request("GET", "/metrics")
    seen.append(connection.getresponse().read().decode())
    connection.close()
    gateway.stop()
    gateway.join()
    logged = "\n".join(f"{record.getMessage()} {record.exc_info}" for record in caplog.records)
    assert len([line for line in logged.splitlines() if line.startswith("POST openai.chat.completions ")]) == 6
    assert [line for line in logged.splitlines() if line.startswith("POST threads/{id} 404 ")]
    everything = "\n".join([logged, *seen, repr(sink.records)])
    assert find_canaries(everything.encode(), CANARIES) == []
    assert "sk-caller" not in everything
    assert "note=" not in everything
    assert find_canaries(server.wire, CANARIES) == []


def test_open_streams_have_the_time_of_grace(gateway: Gateway, server: ModelServer, sink: ListSink) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT, stream=True)))
        read_until(connection, b"\n\n")
        gateway.stop()
        hold.set()
        assert b"[DONE]" in read_until(connection, b"0\r\n\r\n")
    gateway.join()
    assert outcomes(sink) == [Outcome.DONE]
    assert sink.closed


def test_what_is_open_after_the_time_of_grace_is_closed(start: Starter, server: ModelServer, sink: ListSink) -> None:
    gateway = start(grace_s=0)
    hold = threading.Event()
    server.script(Reply(hold=hold))
    with socket.create_connection(gateway.address) as connection:
        connection.sendall(raw_request(body_of(TEXT, stream=True)))
        read_until(connection, b"\n\n")
        gateway.stop()
        rest = read_until(connection, b"0\r\n\r\n")
    gateway.join()
    hold.set()
    assert b'"code": "stopping"' in rest
    assert not rest.endswith(b"0\r\n\r\n")
    assert outcomes(sink) == [Outcome.ABANDONED]
    assert sink.closed
