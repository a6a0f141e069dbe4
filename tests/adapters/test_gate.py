import json

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import (
    DetectionError,
    ProtectionError,
    UnknownContentError,
    UnprotectedRouteError,
)
from privguard.core.profile import Profile
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.gate import Gate
from privguard_adapters.wire.headers import Headers
from tests.adapters.fake_guard import FakeGuard

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


def test_a_request_leaves_minimized_with_the_right_length() -> None:
    call = opened(FakeGuard())
    assert json.loads(call.request.body)["messages"][0]["content"] == "I am [PERSON_7QK2]"
    assert (b"content-length", str(len(call.request.body)).encode()) in call.request.headers


def test_the_profile_header_is_used_and_does_not_leave() -> None:
    guard = FakeGuard()
    call = gate(guard).open(request(headers=((b"X-Privguard-Profile", b"strict"),)))
    assert guard.profiles == ["strict"]
    assert not [name for name, _ in call.request.headers if b"privguard" in name.lower()]


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (request("/v1/responses/compact"), UnprotectedRouteError),
        (request(host="https://other.example"), UnprotectedRouteError),
        (request(host="http://api.example"), UnprotectedRouteError),
        (request(host="https://api.example:8443"), UnprotectedRouteError),
        (request(method="GET"), UnprotectedRouteError),
        (request(body=b"{"), UnknownContentError),
        (request(body=b""), UnknownContentError),
        (request(body=b'{"model": "\xff"}'), UnknownContentError),
        (request(headers=((b"content-encoding", b"gzip"),)), UnknownContentError),
        (request("/v1/models", method="GET", body=b'{"q": "Ada Roth"}'), UnknownContentError),
        (
            HttpRequest(
                method="POST",
                url="https://api.example/v1/chat/completions",
                headers=((b"content-type", b"multipart/form-data; boundary=x"),),
                body=b"--x--",
            ),
            UnknownContentError,
        ),
        (
            HttpRequest(
                method="POST",
                url="https://api.example/v1/chat/completions",
                headers=((b"content-type", b"application/json; charset=utf-16"),),
                body=b"{}",
            ),
            UnknownContentError,
        ),
    ],
)
def test_what_is_not_understood_is_refused_and_recorded(bad: HttpRequest, error: type[ProtectionError]) -> None:
    guard = FakeGuard()
    with pytest.raises(error) as caught:
        gate(guard).open(bad)
    assert caught.value.__context__ is None
    assert [name for _, name in guard.blocked] == [error.__name__]
    assert guard.exchanges == []


@pytest.mark.parametrize(
    "bad",
    [
        request(headers=((b"x-note", b"from Ada Roth"),)),
        request(headers=((b"x-ada_roth", b"1"),)),
        request(headers=((b"user-agent", b"ada@roth.example"),)),
        request("/v1/chat/completions?q=Ada%20Roth"),
        request("/v1/chat/completions?ada_roth=1"),
        request(body=b'{"model": "4111111111111111"}'),
        request(body=b'{"model": "m", "made_up": 4111111111111111}'),
        request(body=b'{"model": "m", "logit_bias": {"4111111111111111": 1}}'),
    ],
)
def test_something_sensitive_where_nothing_can_be_minimized_is_refused(bad: HttpRequest) -> None:
    guard = FakeGuard()
    with pytest.raises(UnknownContentError) as caught:
        gate(guard).open(bad)
    assert guard.outcomes == [Outcome.BLOCKED]
    assert not any(value.lower() in str(caught.value).lower() for value in guard.values)


def test_the_name_of_a_function_is_replaced_and_what_is_left_of_it_is_looked_at() -> None:
    guard = FakeGuard(content_only=("look_7",))
    body = b'{"model": "m", "tools": [{"type": "function", "function": {"name": "%s"}}]}'
    sent = json.loads(gate(guard).open(request(body=body % b"get_ada_roth")).request.body)
    assert sent["tools"][0]["function"]["name"] == "get_USERNAME_3HH7"
    with pytest.raises(UnknownContentError, match=r"tools\[0\]\.function\.name"):
        gate(guard).open(request(body=body % b"look_7_ada_roth"))


@pytest.mark.parametrize(
    "bad",
    [
        request(headers=((b"x-note", b"7-AB-99201"),)),
        request(path="/v1/chat/completions?q=7-AB-99201"),
        request(body=b'{"model": "7-AB-99201", "prompt": "7-AB-99201"}', path="/v1/completions"),
    ],
)
def test_what_the_content_hides_is_refused_beside_it(bad: HttpRequest) -> None:
    guard = FakeGuard(content_only=("7-AB-99201",))
    if b"7-AB-99201" not in bad.body:
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "It is 7-AB-99201"}]}).encode()
        bad = HttpRequest(method=bad.method, url=bad.url, headers=bad.headers, body=body)
    with pytest.raises(UnknownContentError):
        gate(guard).open(bad)
    assert guard.outcomes == [Outcome.BLOCKED]
    gate(guard).open(request(headers=((b"x-note", b"7-AB-99201"),)))


@pytest.mark.parametrize("path", ["/v1/models/4111111111111111", "/v1/models?after=ada_roth"])
def test_the_model_routes_are_looked_at_too(path: str) -> None:
    guard = FakeGuard()
    with pytest.raises(UnknownContentError):
        gate(guard).open(request(path, method="GET", body=b""))
    assert guard.blocked == [("openai.models", "UnknownContentError")]


def test_a_header_that_the_profile_lists_passes() -> None:
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, pass_headers=("X-Tenant",)))
    call = gate(guard).open(request(headers=((b"x-tenant", b"Ada Roth"),)))
    assert (b"x-tenant", b"Ada Roth") in call.request.headers


def test_a_failing_detector_blocks() -> None:
    guard = FakeGuard(failure=DetectionError("down"))
    with pytest.raises(DetectionError):
        opened(guard)


def test_a_failing_codec_blocks_and_its_text_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(FakeGuard):
        def scan(self, text: str, *, key: str = "") -> bool:
            raise ValueError("Ada Roth")

    guard = Broken()
    with pytest.raises(UnknownContentError) as caught:
        opened(guard)
    assert "Ada" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert guard.outcomes == [Outcome.BLOCKED]


@pytest.mark.parametrize(
    ("base", "goes"),
    [
        ("HTTPS://API.Example:443/v1", True),
        ("https://api.example./v1", False),
        ("https://api.example:80/v1", False),
        ("https://api.example:4430/v1", False),
        ("http://api.example:443/v1", False),
    ],
)
def test_a_host_counts_in_any_letter_case_and_without_the_port_of_its_scheme(base: str, goes: bool) -> None:
    guarded = Gate(FakeGuard(), lambda: base)
    if goes:
        assert b"Ada" not in guarded.open(request()).request.body
    else:
        with pytest.raises(UnprotectedRouteError, match="another host"):
            guarded.open(request())
