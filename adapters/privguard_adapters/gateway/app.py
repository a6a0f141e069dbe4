"""The application: the API, and what operators ask of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from privguard.core.errors import AuditError
from privguard.guard import Guard
from privguard_adapters.gateway.metered import MeteredSink
from privguard_adapters.gateway.meters import CONTENT_TYPE, Meters
from privguard_adapters.gateway.relay import Relay, log
from privguard_adapters.gateway.settings import Settings
from privguard_adapters.gateway.tenants import Tenants
from privguard_adapters.gateway.upstream import open_client

# More than there are processors: a short prompt takes its turn beside long ones and does not wait for their end.
_THREADS = 32
_CLOSING_S = 5.0  # for cancelled requests to close their exchanges


def build_app(guard: Guard, settings: Settings) -> Starlette:
    """Build the application of one gateway. Its guard is loaded: what can fail has failed before.

    The application owns the guard's sink: it is closed, and so flushed, when the application ends.
    """
    meters = Meters()
    sink = MeteredSink(guard.parts.sink, meters)
    service = _Service(Guard(replace(guard.parts, sink=sink)), meters, settings)

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readiness(_request: Request) -> Response:
        ready = sink.is_healthy and service.is_open
        told = {"status": "ready" if ready else "not ready", "audit": "ok" if sink.is_healthy else "failing"}
        return JSONResponse(told, status_code=200 if ready else 503)

    async def metrics(_request: Request) -> Response:
        return Response(meters.text(), headers={"content-type": CONTENT_TYPE.decode()})

    app = Starlette(
        routes=[
            Route("/healthz", health, methods=["GET"]),
            Route("/readyz", readiness, methods=["GET"]),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/{path:path}", service),
        ],
        lifespan=service.lifespan,
    )
    app.router.redirect_slashes = False
    app.router.default = service  # targets that are no paths, such as `*`: its answers have the shape of the API
    return app


class _Service:
    """The relay, from the start of the application to its end."""

    def __init__(self, guard: Guard, meters: Meters, settings: Settings) -> None:
        self._guard, self._meters, self._settings = guard, meters, settings
        self._relay: Relay | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether requests are served, and one more would be."""
        return self._relay is not None and self._relay.open_requests < self._settings.max_requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._relay is None:
            raise RuntimeError("the application has not been started")
        await self._relay(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Open the connections; at the end wait for what is open, then close connections and audit log."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        async with open_client(self._settings) as client:
            tenants = Tenants(self._guard, client, self._settings.base_url)
            self._relay = relay = Relay(
                guard=self._guard, tenants=tenants, meters=self._meters, settings=self._settings
            )
            yield
            with anyio.move_on_after(_CLOSING_S):
                await relay.wait_until_idle()
        try:
            await anyio.to_thread.run_sync(self._guard.parts.sink.close)
        except AuditError as error:
            log.error("the audit log could not be closed: %s", error)
