import json

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import (
    AuditError,
    PrivguardError,
    RestoreError,
)
from privguard_adapters.call import Call, HttpRequest, Mode
from privguard_adapters.gate import Gate
from privguard_adapters.wire.headers import Headers
from tests.adapters.fake_guard import FakeExchange, FakeGuard

JSON: Headers = ((b"content-type", b"application/json"), (b"accept-encoding", b"gzip, deflate"))
EVENTS: Headers = ((b"content-type", b"text/event-stream; charset=utf-8"),)
BODY = {"model": "m", "messages": [{"role": "user", "content": "I am Ada Roth"}]}


def request(
    path: str = "/v1/chat/completions",
    *,
    method: str = "POST",
    body: bytes | None = None,
    headers: Headers = (),
    host: str = "https://api.example",
) -> HttpRequest:
    body = json.dumps(BODY).encode() if body is None else body
    return HttpRequest(method=method, url=f"{host}{path}", headers=(*JSON, *headers), body=body)


def gate(guard: FakeGuard) -> Gate:
    return Gate(guard, lambda: "https://api.example/v1/")


def opened(guard: FakeGuard, path: str = "/v1/chat/completions") -> Call:
    body = b'{"model": "m", "input": "Ada Roth"}' if path.endswith("embeddings") else None
    return gate(guard).open(request(path, body=body))


def test_a_whole_reply_is_restored_and_closes() -> None:
    guard = FakeGuard()
    call = opened(guard)
    assert call.receive(200, JSON) is Mode.WHOLE
    assert call.whole(b'{"choices": [{"message": {"content": "[PERSON_7QK2]"}}]}') == (
        b'{"choices": [{"message": {"content": "Ada Roth"}}]}'
    )
    assert guard.outcomes == [Outcome.DONE]


@pytest.mark.parametrize("body", [b"\xff\xfe", b""])
def test_bytes_that_are_no_text_pass(body: bytes) -> None:
    guard = FakeGuard()
    call = opened(guard)
    call.receive(200, ())
    assert call.whole(body) == body
    assert guard.outcomes == [Outcome.DONE]


@pytest.mark.parametrize("status", [400, 429, 500])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/embeddings"])
def test_an_error_status_is_restored_and_recorded_as_failed(status: int, path: str) -> None:
    guard = FakeGuard()
    call = opened(guard, path)
    assert call.receive(status, EVENTS) is Mode.WHOLE
    assert call.whole(b'{"error": {"message": "[PERSON_7QK2]"}}') == b'{"error": {"message": "Ada Roth"}}'
    assert guard.outcomes == [Outcome.FAILED]


def test_vectors_pass_unread() -> None:
    guard = FakeGuard()
    call = opened(guard, "/v1/embeddings")
    assert call.receive(200, JSON) is Mode.RAW
    assert call.feed(b"[PERSON_7QK2]") == b"[PERSON_7QK2]"
    assert (call.end(), call.end()) == (b"", b"")
    assert guard.outcomes == [Outcome.DONE]


@pytest.mark.parametrize("kind", [JSON, EVENTS, ()])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/embeddings"])
def test_the_body_of_a_redirect_is_restored_like_any_other(path: str, kind: Headers) -> None:
    guard = FakeGuard()
    call = opened(guard, path)
    assert call.receive(307, (*kind, (b"location", b"/v1/chat/completions?x=1"))) is Mode.WHOLE
    assert call.whole(b"<p>[PERSON_7QK2] moved") == b"<p>Ada Roth moved"
    assert guard.outcomes == [Outcome.DONE]


def test_the_body_of_a_redirect_that_cannot_be_read_does_not_pass() -> None:
    redirect = (b"location", b"/v1/chat/completions?x=1")
    with pytest.raises(RestoreError):
        opened(FakeGuard()).receive(307, (redirect, (b"content-encoding", b"br")))
    call = opened(FakeGuard())
    call.receive(307, (redirect, (b"content-type", b"text/html; charset=ascii")))
    with pytest.raises(RestoreError):
        call.whole(b"\xff")


@pytest.mark.parametrize("status", [300, 302, 307, 399])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/embeddings"])
def test_a_redirect_to_nowhere_is_restored_like_an_error(status: int, path: str) -> None:
    guard = FakeGuard()
    call = opened(guard, path)
    assert call.receive(status, EVENTS) is Mode.WHOLE
    assert call.whole(b'{"error": {"message": "[PERSON_7QK2]"}}') == b'{"error": {"message": "Ada Roth"}}'
    assert guard.outcomes == [Outcome.FAILED]


@pytest.mark.parametrize(
    ("status", "location"),
    [
        (307, b"https://evil.example/v1/chat/completions"),
        (308, b"http://api.example/v1/chat/completions"),
        (307, b"//api.example:8443/v1/chat/completions"),
        (307, b"/v1/uploads"),
        (307, b"https://[api.example/v1/chat/completions"),
        (303, b"/v1/chat/completions"),
        (302, b"/v1/chat/completions"),
    ],
)
def test_a_redirect_to_where_nothing_is_protected_says_that_the_request_was_sent(status: int, location: bytes) -> None:
    guard = FakeGuard()
    call = opened(guard)
    with pytest.raises(RestoreError, match="was sent"), call.watched():
        call.receive(status, ((b"Location", location),))
    assert guard.outcomes == [Outcome.FAILED]


@pytest.mark.parametrize(
    "location",
    [
        b"/v1/chat/completions?x=1",
        b"https://api.example/v1/completions",
        b"HTTPS://API.Example:443/v1/chat/completions",
    ],
)
def test_a_redirect_within_what_is_protected_passes(location: bytes) -> None:
    assert opened(FakeGuard()).receive(307, ((b"location", location),)) is Mode.WHOLE


def test_a_redirect_of_a_route_without_content_is_looked_at_too() -> None:
    call = gate(FakeGuard()).open(request("/v1/models", method="GET", body=b""))
    assert call.receive(301, ((b"location", b"/v1/models/"),)) is Mode.RAW
    with pytest.raises(RestoreError):
        call.receive(301, ((b"location", b"https://evil.example/v1/models"),))


@pytest.mark.parametrize("kind", [b"text/plain", b"application/json", b""])
def test_events_that_were_asked_for_are_restored_whatever_their_content_type(kind: bytes) -> None:
    guard = FakeGuard()
    call = gate(guard).open(request(body=json.dumps(BODY | {"stream": True}).encode()))
    assert call.receive(200, ((b"content-type", kind),)) is Mode.EVENTS
    event = b'data: {"choices": [{"index": 0, "delta": {"content": "[PERSON_7QK2]"}}]}\n\n'
    assert b"Ada Roth" in call.feed(event)
    call.feed(b"data: [DONE]\n\n")
    call.leave()
    assert guard.outcomes == [Outcome.DONE]


def test_events_that_are_not_based_on_ascii_are_an_error() -> None:
    call = opened(FakeGuard())
    with pytest.raises(RestoreError, match="UTF-8"):
        call.receive(200, ((b"content-type", b"text/event-stream; charset=utf-16"),))


def test_a_whole_reply_is_read_in_its_charset() -> None:
    call = opened(FakeGuard())
    call.receive(200, ((b"content-type", b'application/json; charset="UTF-16-LE"'),))
    assert "Ada Roth" in call.whole('{"q": "[PERSON_7QK2]"}'.encode("utf-16-le")).decode("utf-16-le")


def test_a_call_that_is_dropped_is_abandoned_even_where_the_sink_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = FakeGuard()
    call = opened(guard)
    before = call.is_closed
    call.drop()
    assert (before, call.is_closed) == (False, True)
    assert guard.outcomes == [Outcome.ABANDONED]

    def fail(*_: object) -> None:
        raise AuditError("disk full")

    monkeypatch.setattr(FakeExchange, "close", fail)
    opened(guard).drop()


def test_events_are_restored_and_done_makes_them_complete() -> None:
    guard = FakeGuard()
    call = opened(guard)
    assert call.receive(200, EVENTS) is Mode.EVENTS
    event = b'data: {"choices": [{"index": 0, "delta": {"content": "[PERSON_7QK2]"}}]}\n\n'
    assert b"Ada Roth" in call.feed(event)
    call.feed(b"data: [DONE]\n\n")
    call.leave()
    assert guard.outcomes == [Outcome.DONE]


CHUNK = b'data: {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": null}]}\n\n'
ERROR = b'data: {"error": {"message": "overloaded"}}\n\n'
REASON = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n'
DONE = b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("events", "outcome", "error"),
    [
        ((), Outcome.FAILED, "CutOff"),
        ((CHUNK,), Outcome.FAILED, "CutOff"),
        ((CHUNK, ERROR), Outcome.FAILED, ""),
        ((CHUNK, ERROR, DONE), Outcome.FAILED, ""),
        ((CHUNK, REASON), Outcome.DONE, ""),
        ((CHUNK, DONE), Outcome.DONE, ""),
    ],
)
@pytest.mark.parametrize("leaves", [False, True])
def test_a_stream_is_done_where_it_said_so(
    events: tuple[bytes, ...], outcome: Outcome, error: str, leaves: bool
) -> None:
    guard = FakeGuard()
    call = opened(guard)
    call.receive(200, EVENTS)
    assert b"".join(map(call.feed, events)) == b"".join(events)
    if leaves:
        call.leave()
    else:
        call.end()
    left_early = leaves and error
    assert guard.outcomes == [Outcome.ABANDONED if left_early else outcome]
    assert guard.exchanges[0].error == ("" if left_early else error)


def test_leaving_early_is_recorded_as_abandoned_and_only_once() -> None:
    guard = FakeGuard()
    call = opened(guard)
    call.receive(200, EVENTS)
    call.leave()
    call.finish()
    assert guard.outcomes == [Outcome.ABANDONED]


@pytest.mark.parametrize(
    ("error", "outcome"), [(OSError("x"), Outcome.FAILED), (KeyboardInterrupt(), Outcome.ABANDONED)]
)
def test_an_exception_closes_and_passes_as_it_is(error: BaseException, outcome: Outcome) -> None:
    guard = FakeGuard()
    call = opened(guard)
    with pytest.raises(type(error)) as caught, call.watched():
        raise error
    assert caught.value is error
    assert guard.outcomes == [outcome]


def test_a_sink_that_fails_does_not_replace_the_exception_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = FakeGuard()
    call = opened(guard)

    def fail(*_: object) -> None:
        raise AuditError("disk full")

    monkeypatch.setattr(FakeExchange, "close", fail)
    with pytest.raises(OSError, match="network"), call.watched():
        raise OSError("network")


def test_an_encoding_that_was_not_accepted_is_an_error() -> None:
    call = opened(FakeGuard())
    with pytest.raises(RestoreError):
        call.receive(200, (*JSON, (b"content-encoding", b"br")))
    assert call.receive(200, (*JSON, (b"content-encoding", b"gzip"))) is Mode.WHOLE


def test_a_restorer_that_fails_is_a_restore_error_without_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise ValueError("Ada Roth")

    monkeypatch.setattr(FakeExchange, "restore", fail)
    monkeypatch.setattr(FakeExchange, "stream", fail)
    call = opened(FakeGuard())
    call.receive(200, JSON)
    with pytest.raises(RestoreError) as caught:
        call.whole(b'{"q": "x"}')
    assert "Ada" not in str(caught.value)
    assert caught.value.__context__ is None
    call.receive(200, EVENTS)
    with pytest.raises(PrivguardError):
        call.feed(b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}]}\n\n')


def test_a_route_without_content_has_nothing_to_restore() -> None:
    guard = FakeGuard()
    call = gate(guard).open(request("/v1/models", method="GET", body=b""))
    assert call.receive(200, JSON) is Mode.RAW
    assert not call.is_open
    call.finish()
    assert guard.exchanges == []


def test_reprs_show_no_content() -> None:
    assert "Ada" not in repr(request())


def test_a_reply_that_breaks_off_gives_what_was_held_back() -> None:
    guard = FakeGuard()
    call = opened(guard)
    call.receive(200, EVENTS)
    call.feed(b'data: {"choices": [{"index": 0, "delta": {"content": "Dear [PERSON_7QK2"}}]}\n\ndata: {"ch')
    held = call.break_off(OSError("gone"))
    assert b"Ada Roth" in held
    assert held.endswith(b"\n\n")  # of the event that is not whole nobody reads anything
    assert call.cut_off() == call.end() == b""
    assert [(each.outcome, each.error) for each in guard.exchanges] == [(Outcome.FAILED, "OSError")]


def test_a_reply_that_breaks_off_and_cannot_be_restored_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise ValueError("Ada Roth")

    guard = FakeGuard()
    call = opened(guard)
    call.receive(200, EVENTS)
    call.feed(b'data: {"choices": [{"index": 0, "delta": {"content": "Dear [PERSON_7QK2"}}]}\n\n')
    monkeypatch.setattr(FakeExchange, "replace_marks", fail)
    assert call.break_off(OSError("gone")) == b""
    assert [(each.outcome, each.error) for each in guard.exchanges] == [(Outcome.FAILED, "OSError")]
