import json

import httpx2
import pytest

from privguard.core.errors import (
    AuditError,
    ConfigError,
    DetectionError,
    NoVaultError,
    PlanError,
    RestoreError,
    UnknownContentError,
    UnprotectedRouteError,
    UnrecordedError,
    VaultError,
)
from privguard_adapters.gateway.apis import APIS
from privguard_adapters.gateway.problems import OVERLOADED, Refused, problem_of, too_large, unprotected
from privguard_adapters.keeping import check_keeps
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.openai_files import read_upload
from tests.adapters.fake_guard import FakeGuard


@pytest.mark.parametrize(
    ("error", "status", "code", "may_retry"),
    [
        (UnprotectedRouteError("x"), 404, "unprotected_route", False),
        (UnknownContentError("x"), 400, "unprotected_content", False),
        (ConfigError("x"), 400, "bad_profile", False),
        (DetectionError("x"), 500, "not_protected", False),
        (PlanError("x"), 500, "not_protected", False),
        (RestoreError("x"), 502, "restore_failed", False),
        (AuditError("x"), 500, "audit_failed", False),
        (UnrecordedError("x"), 503, "unrecorded", True),
        (VaultError("x"), 503, "vault_failed", False),
        (httpx2.ConnectError("x"), 502, "upstream_unreachable", True),
        (httpx2.ConnectTimeout("x"), 502, "upstream_unreachable", True),
        (httpx2.PoolTimeout("x"), 502, "upstream_unreachable", True),
        (httpx2.ReadTimeout("x"), 504, "upstream_timeout", True),
        (httpx2.RemoteProtocolError("x"), 502, "upstream_failed", True),
        (httpx2.InvalidURL("x"), 502, "upstream_failed", True),
        (KeyError("x"), 500, "internal_error", False),
        (Refused(OVERLOADED), 503, "overloaded", True),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_every_error_has_a_status_and_a_code(error: Exception, status: int, code: str, may_retry: bool) -> None:
    problem = problem_of(error)
    assert (problem.status, problem.code, problem.may_retry) == (status, code, may_retry)
    body = json.loads(problem.body())
    assert body["error"].keys() == {"message", "type", "param", "code"}
    headers = dict(problem.headers())
    assert int(headers[b"content-length"]) == len(problem.body())
    assert headers[b"x-should-retry"] == (b"true" if may_retry else b"false")
    assert json.loads(problem.event().removeprefix(b"data: ")) == body


def test_what_to_do_is_said_in_the_words_of_a_gateway() -> None:
    with pytest.raises(NoVaultError) as caught:
        check_keeps(FakeGuard(), Later(needs="a conversation"))
    problem = problem_of(caught.value)
    assert (problem.status, problem.code, problem.kind) == (400, "no_vault", "invalid_request_error")
    assert "PRIVGUARD_VAULT" in problem.message
    assert "privguard serve" in problem.message
    assert problem.message.endswith("; nothing was sent")
    raw = b'--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nvision\r\n--b--\r\n'
    with pytest.raises(UnknownContentError) as refused:
        read_upload(b"multipart/form-data; boundary=b", raw)
    for told in (problem.message, problem_of(refused.value).message):
        assert "wrap" not in told


@pytest.mark.parametrize(
    "error",
    [UnknownContentError("a"), DetectionError("a"), UnprotectedRouteError("nothing was sent"), ConfigError()],
)
def test_a_refusal_says_once_that_nothing_was_sent(error: Exception) -> None:
    assert problem_of(error).message.count("nothing was sent") == 1


def test_requests_that_are_refused_here_were_not_sent() -> None:
    for problem in (too_large(7), OVERLOADED, unprotected("POST files")):
        assert "nothing was sent" in problem.message


@pytest.mark.parametrize(
    "route",
    ["chat/completions", "responses", "embeddings", "moderations", "batches", "files", "messages/count_tokens"],
)
def test_a_refusal_names_what_is_protected_instead(route: str) -> None:
    message = unprotected("POST images").message
    method = "GET" if route in {"batches", "files"} else "POST"
    assert APIS.find_route(method, f"/v1/{route}", "/v1").name
    assert route.replace("/", ".") in message


def test_the_text_of_a_foreign_error_is_not_told() -> None:
    path = "/home/ada/audit.sqlite"
    for error in (KeyError("Ada Roth"), httpx2.ReadError("Ada Roth"), AuditError(path), UnrecordedError(path)):
        assert b"ada" not in problem_of(error).body().lower()
