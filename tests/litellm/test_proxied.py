"""The parts of the guardrail by themselves: what it makes of a request, its doors, its callers and its errors."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

import yaml  # type: ignore[import-untyped]  # no stubs
from litellm.exceptions import BadRequestError
from litellm.proxy._types import UserAPIKeyAuth
from litellm.types.guardrails import GuardrailEventHooks

from privguard.core.errors import AuditError, ConfigError, RestoreError, UnknownContentError, UnprotectedRouteError
from privguard.guard import Guard
from privguard.testing import Canary, ListSink, find_canaries
from privguard_adapters.litellm.callers import Callers
from privguard_adapters.litellm.doors import Doors
from privguard_adapters.litellm.guardrail import Guardrail
from privguard_adapters.litellm.ids import ReplyIds
from privguard_adapters.litellm.opening import ask
from privguard_adapters.litellm.options import PROXY_OPTIONS
from privguard_adapters.litellm.proxied import Proxied
from privguard_adapters.litellm.refusals import problem_body, refusal

PERSON, EMAIL = Canary.person(), Canary.email()
USER = [{"role": "user", "content": f"I am {PERSON.value}"}]


def data_of(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - of the proxy
    headers = {"host": "x", "user-agent": PERSON.value, "content-type": "application/json"}
    notes = {"who": PERSON.value, "headers": dict(headers), "user_api_key_hash": "h", "requester_metadata": {}}
    request = {"url": f"http://x/v1?q={PERSON.value}", "headers": dict(headers), "body": {"messages": USER}}
    return {"model": "chat", "messages": USER, "metadata": notes, "proxy_server_request": request, **fields}


def left(guard: Guard, data: dict[str, Any]) -> dict[str, Any]:
    gate, proxied = Callers(guard).gate_for("key"), Proxied(data)
    asked = ask(gate, "completion", proxied.arguments, PROXY_OPTIONS)
    call = gate.open(asked.request)
    proxied.leave(asked, call, "token")
    call.leave()
    return data


def test_what_leaves_stands_everywhere_and_what_came_nowhere(guard: Guard) -> None:
    data = left(guard, data_of(user=EMAIL.value, tags=[PERSON.value], base_model=PERSON.value))
    assert find_canaries(json.dumps(data).encode(), [PERSON, EMAIL]) == []
    assert data["messages"][0]["content"].startswith("I am [PERSON_")
    assert data["metadata"]["requester_metadata"] == {"who": data["metadata"]["who"]}
    assert data["metadata"]["user_api_key_hash"] == "h"
    assert data["proxy_server_request"]["body"]["messages"] == data["messages"]
    assert Proxied(data).token() == "token"


# Names under which the proxy has things of its own, and callers may write what they like.
LIKE_THE_PROXYS = ("deployment", "guardrail_to_apply", "guardrails", "router_settings_override")
LIKE_ITS_NOTES = ("agent_id", "guardrails", "disable_fallbacks", "_x")


def test_what_a_caller_writes_under_names_of_the_proxy_is_minimized(guard: Guard) -> None:
    data = data_of(**{name: [{PERSON.value: EMAIL.value}] for name in LIKE_THE_PROXYS})
    data["metadata"].update(dict.fromkeys(LIKE_ITS_NOTES, PERSON.value))
    assert find_canaries(json.dumps(left(guard, data)).encode(), [PERSON, EMAIL]) == []


def test_metadata_beside_the_notes_of_the_proxy_are_the_callers(guard: Guard) -> None:
    names = (*LIKE_ITS_NOTES, "headers", "deployment", "model_group", "user_api_key_alias", "inherited_tags")
    notes = {"user_api_key_hash": "h", "requester_metadata": {}, "_own": object()}
    data = left(guard, data_of(metadata=dict.fromkeys(names, PERSON.value), litellm_metadata=notes))
    assert find_canaries(json.dumps(data, default=repr).encode(), [PERSON]) == []
    assert set(data["metadata"]) == set(names)
    assert data["litellm_metadata"].keys() >= {"user_api_key_hash", "_own"}


def test_of_a_refused_request_nothing_is_left() -> None:
    data = data_of(user=EMAIL.value, tools=[{"x": PERSON.value}])
    for noted in (data["metadata"], data["proxy_server_request"]):
        noted["headers"]["x-litellm-tags"] = PERSON.value
    Proxied(data).empty()
    assert find_canaries(json.dumps(data).encode(), [PERSON, EMAIL]) == []


def test_a_caller_cannot_name_the_call_of_another(guard: Guard) -> None:
    data = data_of()
    data["metadata"]["privguard_call"] = "another"
    assert Proxied(left(guard, data)).token() == "token"


def test_what_is_no_json_is_refused(guard: Guard) -> None:
    with pytest.raises(UnknownContentError):
        left(guard, data_of(surprise=object()))


def test_each_caller_has_placeholders_of_its_own(guard: Guard) -> None:
    callers = Callers(guard, kept=1)

    def placeholder(credential: str) -> str:
        gate = callers.gate_for(credential)
        return gate.open(ask(gate, "completion", lambda: {"messages": USER}).request).request.body.decode()

    assert placeholder("one") != placeholder("another")
    assert placeholder("one") == placeholder("one")


def test_the_guardrail_runs_whatever_a_caller_or_a_key_says(monkeypatch: pytest.MonkeyPatch, guard: Guard) -> None:
    monkeypatch.setattr(Guardrail, "make_guard", lambda _self: guard)
    made = Guardrail(guardrail_name="g", default_on=False, event_hook="during_call")
    told = {"guardrails": [], "metadata": {"user_api_key_metadata": {"disable_global_guardrails": True}}}
    runs = {hook.value: made.should_run_guardrail(told, hook) for hook in GuardrailEventHooks}
    assert {name for name, does in runs.items() if does} == {"pre_call", "post_call", "pre_mcp_call"}
    made.run_in_parallel = made.scan_raw_request = True
    assert (made.run_in_parallel, made.scan_raw_request) == (False, False)
    for name in ("async_pre_call_hook", "async_post_call_streaming_iterator_hook"):
        assert name in vars(type("Derived", (Guardrail,), {}))


def test_an_unknown_call_is_refused_with_a_clean_error(monkeypatch: pytest.MonkeyPatch, guard: Guard) -> None:
    monkeypatch.setattr(Guardrail, "make_guard", lambda _self: guard)
    made, data = Guardrail(), data_of()
    with pytest.raises(Exception, match=r"litellm\.aimage_edit is not protected") as caught:
        asyncio.run(made.async_pre_call_hook(object(), object(), data, "aimage_edit"))
    assert find_canaries(f"{caught.value!r} {json.dumps(data)}".encode(), [PERSON]) == []
    assert caught.value.code == "404"  # type: ignore[attr-defined]  # of the proxy's own class


def test_what_a_provider_says_of_an_error_comes_back_restored(
    monkeypatch: pytest.MonkeyPatch, guard: Guard, sink: ListSink
) -> None:
    monkeypatch.setattr(Guardrail, "make_guard", lambda _self: guard)
    made, key = Guardrail(), UserAPIKeyAuth(api_key="key")

    def told(echo: str) -> Any:  # noqa: ANN401 - of the proxy
        data = asyncio.run(made.async_pre_call_hook(key, object(), data_of(), "acompletion"))
        error = BadRequestError(message=f"bad: {data[echo]}", model="x", llm_provider="openai")
        new = asyncio.run(made.async_post_call_failure_hook(data, error, key))
        assert find_canaries(str(error).encode(), [PERSON]) == []  # its loggers have it
        return new

    restored = told("messages")
    assert (restored.status_code, PERSON.value in restored.detail) == (400, True)
    assert told("model") is None
    assert [record.outcome.value for record in sink.records] == ["failed", "failed"]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (UnprotectedRouteError("no"), 404, "unprotected_route"),
        (UnknownContentError("no"), 400, "unprotected_content"),
        (ConfigError("no"), 400, "bad_profile"),
        (RestoreError("no"), 502, "restore_failed"),
        (AuditError(PERSON.value), 500, "audit_failed"),
        (ValueError(PERSON.value), 500, "internal_error"),
    ],
)
def test_errors_have_codes_and_no_content(error: Exception, status: int, code: str) -> None:
    told = problem_body(error)
    assert told[0] == status
    assert json.loads(told[1])["error"]["code"] == code
    assert find_canaries(told[1] + str(refusal(error)).encode(), [PERSON]) == []


ROUTES = {
    ("POST", "/v1/chat/completions"): True,
    ("POST", "/openai/deployments/x/embeddings"): True,
    ("POST", "/v1/messages"): True,
    ("GET", "/v1/models"): True,
    ("POST", "/key/generate"): True,
    ("GET", "/health/liveliness"): True,
    ("POST", "/v1/messages/count_tokens"): False,
    ("GET", "/v1/responses/resp_1"): False,
    ("POST", "/queue/chat/completions"): False,
    ("POST", "/anthropic/v1/messages"): False,
    ("POST", "/anything/new"): False,
    ("websocket", "/v1/realtime"): False,
    ("GET", "/v2/model/info"): True,
    ("GET", "/"): True,
    ("GET", "/anything/new"): False,
    ("GET", "/azure/v1/files/file-1"): False,
    ("GET", "/v1/fine_tuning/jobs/ft-1"): False,
    ("GET", "/a_server/mcp"): False,
    ("POST", "/health/test_connection"): False,
    ("POST", "/policy/templates/suggest"): False,
    ("POST", "/guardrails/apply_guardrail"): False,
}


@pytest.mark.parametrize(("route", "is_open"), ROUTES.items(), ids=[" ".join(route) for route in ROUTES])
def test_only_guarded_routes_reach_a_model(guard: Guard, sink: ListSink, route: tuple[str, str], is_open: bool) -> None:
    from litellm.proxy.auth.route_checks import RouteChecks

    reached: list[bytes] = []
    sent: list[Any] = []

    async def app(scope: Any, _receive: Callable[[], Any], _send: Callable[[Any], Any]) -> None:  # noqa: ANN401
        reached.append(scope["query_string"])

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    async def receive() -> Any:  # noqa: ANN401
        raise AssertionError

    method, path = route
    scope: dict[str, Any] = {"type": "websocket"} if method == "websocket" else {"type": "http", "method": method}
    scope |= {"path": path, "query_string": b"who=Ada&api-version=v1"}
    asyncio.run(Doors(app, guard, RouteChecks.is_llm_api_route)(scope, receive, send))
    assert bool(reached) is is_open
    assert [record.error for record in sink.records] == ([] if is_open else ["UnprotectedRouteError"])
    assert bool(sent) is not is_open
    if method == "POST" and is_open and "key" not in path:
        assert reached == [b"api-version=v1"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/openai/deployments/Ada/chat/completions"),
        ("GET", "/v1/models/Ada"),
        ("GET", "/v1/files/Ada"),
        ("OPTIONS", "/v1/Ada"),
    ],
)
def test_the_access_log_has_no_part_of_an_address_that_a_caller_chooses(guard: Guard, method: str, path: str) -> None:
    from litellm.proxy.auth.route_checks import RouteChecks

    reached: list[str] = []

    async def app(scope: Any, *_rest: object) -> None:  # noqa: ANN401
        reached.append(scope["path"])

    async def send(_message: Any) -> None:  # noqa: ANN401
        pass

    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "query_string": b"who=Ada"}
    asyncio.run(Doors(app, guard, RouteChecks.is_llm_api_route)(scope, None, send))  # type: ignore[arg-type]  # not read
    assert "Ada" not in repr(scope)
    assert reached in ([], [path])


def test_a_short_id_stands_for_a_long_one_in_both_directions() -> None:
    class Reply:
        id, output = "resp_" + "bGl0ZWxsbQ==" * 40, ()

    ids, raw = ReplyIds(), json.dumps({"id": Reply.id, "text": "resp_1"}).encode()
    short = ids.shorten(raw, Reply())
    assert Reply.id.encode() not in short
    assert ids.lengthen(short) == raw


def test_the_example_names_the_guardrail() -> None:
    config = yaml.safe_load(Path("docs/examples/litellm-config.yaml").read_text())
    (given,) = config["guardrails"]
    assert given["litellm_params"]["guardrail"] == f"{Guardrail.__module__}.{Guardrail.__name__}"
