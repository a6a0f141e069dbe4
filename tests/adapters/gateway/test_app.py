import http.client
import json

import pytest

from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from privguard.testing import Canary, ListSink, ModelServer
from privguard_adapters.gateway.app import build_app
from privguard_adapters.gateway.settings import Settings
from tests.adapters.gateway.conftest import Gateway, Starter, make_guard
from tests.adapters.gateway.test_incoming import Inbox
from tests.adapters.gateway.test_metered import Announced
from tests.adapters.gateway.test_relay import body_of, post
from tests.adapters.gateway.test_sending import Outbox


def get(gateway: Gateway, path: str, method: str = "GET") -> tuple[int, bytes, str | None]:
    connection = http.client.HTTPConnection(*gateway.address, timeout=30)
    try:
        connection.request(method, path)
        response = connection.getresponse()
        return response.status, response.read(), response.headers["content-type"]
    finally:
        connection.close()


def test_a_running_gateway_is_alive_and_ready(gateway: Gateway) -> None:
    status, body, _ = get(gateway, "/healthz")
    assert (status, json.loads(body)) == (200, {"status": "ok"})
    status, body, _ = get(gateway, "/readyz")
    assert (status, json.loads(body)) == (200, {"status": "ready", "audit": "ok"})
    assert get(gateway, "/healthz", "HEAD")[:2] == (200, b"")
    assert get(gateway, "/healthz", "POST")[0] == 404


def test_what_is_asked_of_operators_routes_reaches_no_model_server(gateway: Gateway, server: ModelServer) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/healthz/", "/", "/docs"):
        get(gateway, path)
    assert server.requests == ()


class FailingSink(ListSink):
    def write(self, record: AuditRecord) -> None:
        raise AuditError("the disk is full")


def test_an_audit_log_that_fails_makes_the_gateway_unready(start: Starter, server: ModelServer) -> None:
    gateway = start(make_guard(FailingSink()))
    status, reply = post(gateway, "/v1/chat/completions", body_of("x"))
    assert (status, reply["error"]["code"]) == (500, "audit_failed")
    status, body, _ = get(gateway, "/readyz")
    assert (status, json.loads(body)["audit"]) == (503, "failing")
    assert get(gateway, "/healthz")[0] == 200


def test_where_the_audit_is_required_nothing_is_sent_without_it(start: Starter, server: ModelServer) -> None:
    sink = Announced()
    sink.failing = True
    gateway = start(make_guard(sink))
    status, reply = post(gateway, "/v1/chat/completions", body_of("x"))
    assert (status, reply["error"]["code"]) == (503, "unrecorded")
    assert server.requests == ()
    assert get(gateway, "/readyz")[0] == 503


class Unclosable(ListSink):
    def close(self) -> None:
        raise AuditError("3 audit records could not be written")


def test_a_log_that_cannot_be_closed_is_told(start: Starter, caplog: pytest.LogCaptureFixture) -> None:
    gateway = start(make_guard(Unclosable()))
    gateway.stop()
    gateway.join()
    assert "3 audit records could not be written" in caplog.text


def test_metrics_count_what_happened(gateway: Gateway) -> None:
    post(gateway, "/v1/chat/completions", body_of(Canary.person().value))
    post(gateway, "/v1/chat/completions", b"{")
    post(gateway, "/v1/uploads", b"")
    status, body, kind = get(gateway, "/metrics")
    lines = body.decode().splitlines()
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    for line in (
        'privguard_requests_total{outcome="done",route="openai.chat.completions"} 1.0',
        'privguard_refused_requests_total{error="UnknownContentError",route="openai.chat.completions"} 1.0',
        'privguard_refused_requests_total{error="UnprotectedRouteError",route="other"} 1.0',
        'privguard_placeholders_total{cause="",event="restored",route="openai.chat.completions"} 1.0',
        'privguard_responses_total{route="openai.chat.completions",status="200"} 1.0',
        'privguard_responses_total{route="other",status="404"} 1.0',
        "privguard_open_requests 0.0",
    ):
        assert line in lines


async def test_an_application_that_was_not_started_serves_nothing(sink: ListSink) -> None:
    app = build_app(make_guard(sink), Settings(upstream="http://model.example/v1"))
    scope = {"type": "http", "method": "POST", "path": "/v1/x", "raw_path": b"/v1/x", "headers": []}
    out = Outbox()
    with pytest.raises(RuntimeError, match="started"):
        await app(scope, Inbox([]), out)
    assert out.messages[0]["status"] == 500
