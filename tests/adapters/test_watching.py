"""The gate of a client notes its last exchange; that of a preview lets nothing pass."""

import json

import pytest

from privguard.core.errors import ConfigError, UnknownContentError, UnprotectedRouteError
from privguard.guard import Guard, Watch, last_trace
from privguard.guard.tracing import Trace, note_trace
from privguard.testing import ListSink
from privguard_adapters.call import HttpRequest
from privguard_adapters.watching import ClosedGate, WatchedGate, preview_request

URL = "https://api.example/v1/"


def request(path: str = "chat/completions", body: object = None, method: str = "POST") -> HttpRequest:
    given = {"model": "m", "messages": [{"role": "user", "content": "I am Ada Roth"}]} if body is None else body
    return HttpRequest(
        method=method,
        url=URL + path,
        headers=((b"host", b"api.example"), (b"content-type", b"application/json")),
        body=json.dumps(given).encode() if method == "POST" else b"",
    )


def base_url() -> str:
    return URL


def test_a_watched_gate_notes_what_passes_and_what_is_refused(real_guard: Guard) -> None:
    watch = Watch()
    gate = WatchedGate(real_guard, base_url, watch)
    gate.open(request()).drop()
    assert watch.trace is not None
    assert watch.trace.record is not None
    assert (watch.trace.record.route, watch.trace.content) == ("openai.chat.completions", None)
    with pytest.raises(UnprotectedRouteError):
        gate.open(request("uploads"))
    assert watch.trace.record is not None
    assert watch.trace is last_trace()
    assert [watch.trace.record.error] == ["UnprotectedRouteError"]


def test_a_closed_gate_lets_nothing_pass(real_guard: Guard, sink: ListSink) -> None:
    with pytest.raises(UnprotectedRouteError, match="sends nothing"):
        ClosedGate(real_guard, base_url).open(request())
    assert sink.records == []


def test_a_preview_is_what_would_leave_and_leaves_no_trace(real_guard: Guard, sink: ListSink) -> None:
    marker = Trace()
    note_trace(marker)
    preview = preview_request(real_guard, request(), base_url)
    assert (last_trace(), sink.records) == (marker, [])
    call = WatchedGate(real_guard, base_url, Watch()).open(request())
    assert preview.body == call.request.body
    assert b"Roth" not in preview.body
    assert [each.action.name for each in preview.plan] == ["REDACT"]
    assert preview.outgoing["messages"][0]["content"].startswith("I am [PERSON_")
    assert preview.content.given[0].text == "I am Ada Roth"
    call.drop()
    assert len(sink.records) == 1


def test_a_preview_of_what_would_be_refused_is_the_refusal(real_guard: Guard, sink: ListSink) -> None:
    for refused in (request("uploads"), request(body=[])):
        with pytest.raises((UnprotectedRouteError, UnknownContentError)):
            preview_request(real_guard, refused, base_url)
    with pytest.raises(ConfigError, match="no content"):
        preview_request(real_guard, request("models", method="GET"), base_url)
    assert sink.records == []
