"""The routes of LiteLLM's proxy: those that reach a model are open where a guardrail sees the request, and else shut.

The proxy has hundreds of routes, and some of them reach a model past its guardrails: token counts, pass-through,
files. So this stands before all of them, in the application that the proxy is.
"""

import re
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.guarding import Guarding
from privguard_adapters.litellm.refusals import problem_body
from privguard_adapters.litellm.retelling import Message, Send, retold

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_GUARDED = re.compile(
    r"(?:/v1|/engines/[^/]+|/openai/deployments/[^/]+)?/(?:chat/completions|completions|embeddings)"
    r"|(?:/v1|/openai/v1)?/responses|/v1/messages"
)
_MODELS = re.compile(r"(?:/v1)?/models(?:/[^/]+)?")
_DEPLOYMENT = re.compile(r"/(?:engines|openai/deployments)/[^/]+")
# What operators write to: keys, users, models, settings. By the first step of the path.
_MANAGED_NAMES = """
    audit budget cache callbacks config credentials customer delete end_user fallback get global guardrails invitation
    key login model organization policies policy project service_account settings sso spend tag team ui
    update user
"""
_MANAGED = frozenset(_MANAGED_NAMES.split())
# What operators may try their texts with: a model or another guardrail gets these, past this one.
_TRIED = re.compile(r"/policy/templates/.*|/policies/test-pipeline|/guardrails/(?:apply_guardrail|test_custom_code)")
# What is read beside that: of the proxy itself, its pages and its health.
_READ_NAMES = """
    .well-known _next access_group active agent alerting auto_router cost_optimization debug docs email favicon.ico
    gateway get_favicon get_image get_logo_url health litellm litellm-asset-prefix management
    memory-usage-in-mem-cache memory-usage-in-mem-cache-items metrics model_group onboarding openapi.json otel-spans
    project provider public redoc robots.txt router routes schedule swagger telemetry test utils v2
"""
_READ = _MANAGED | frozenset(_READ_NAMES.split())
_READ_OF_V1 = frozenset({"/", "/v1/model/info", "/v1/model/deprecations"})
# Of a query, what LiteLLM reads; the rest would only stand in access logs.
_QUERY = frozenset({"api-version"})


class Doors:
    """An ASGI application before that of the proxy."""

    def __init__(self, app: App, guard: Guarding, reaches_model: Callable[[str], bool]) -> None:
        """Stand before an application.

        Args:
            app: that of the proxy.
            guard: what records refusals.
            reaches_model: whether a path is one of those that models are reached by.
        """
        self._app, self._guard, self._reaches_model = app, guard, reaches_model

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(str(scope.get("root_path") or ""))
        if scope["type"] == "http" and scope["method"] == "POST" and _GUARDED.fullmatch(path):
            scope["query_string"] = _kept(scope.get("query_string", b""))
            inside = dict(scope)
            _untell(scope, _DEPLOYMENT.sub("", path))
            with retold(send) as sending:
                await self._app(inside, receive, sending)
        elif scope["type"] == "http" and self._is_open(scope["method"], path):
            inside = dict(scope)
            if scope["method"] == "OPTIONS" or _MODELS.fullmatch(path):
                _untell(scope, "/" if scope["method"] == "OPTIONS" else "/v1/models")
            await self._app(inside, receive, send)
        else:
            _untell(scope, "/")
            await self._refuse(scope, send)

    def _is_open(self, method: str, path: str) -> bool:
        """Tell whether a route reaches no model, or tells of models alone."""
        reads = method in ("GET", "HEAD", "OPTIONS")
        if self._reaches_model(path):
            return method == "OPTIONS" or (reads and _MODELS.fullmatch(path) is not None)
        if path in _READ_OF_V1 or _TRIED.fullmatch(path):
            return reads and path in _READ_OF_V1
        return method == "OPTIONS" or path.strip("/").partition("/")[0] in (_READ if reads else _MANAGED)

    async def _refuse(self, scope: Scope, send: Send) -> None:
        error = UnprotectedRouteError(
            "this route is not protected by privguard, so nothing was sent. Protected are chat/completions, "
            "completions, embeddings, responses and messages, under /v1"
        )
        self._guard.block(route="litellm.?", error=error)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        status, body = problem_body(error)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def shut_doors(guard: Guarding) -> None:
    """Stand before the proxy of this process, if it is one. Once is enough."""
    proxy: Any = sys.modules.get("litellm.proxy.proxy_server")
    if proxy is None:
        return
    from litellm.proxy.auth.route_checks import RouteChecks

    app = proxy.app
    # The proxy loads its guardrails while it starts, when no more middleware may be added in the usual way.
    inner = app.middleware_stack or app.build_middleware_stack()
    if not isinstance(inner, Doors):
        app.middleware_stack = Doors(inner, guard, RouteChecks.is_llm_api_route)


def _untell(scope: Scope, path: str) -> None:
    """Leave nothing of a caller's address for the access log, which the server writes of what it handed over."""
    scope["path"] = path
    scope["query_string"] = b""


def _kept(query: bytes) -> bytes:
    pairs: Iterable[tuple[str, str]] = parse_qsl(query.decode("latin-1"))
    return urlencode([pair for pair in pairs if pair[0] in _QUERY]).encode()
