"""The API of the gateway: one request in, through the gate to the model server, and its reply out, piece by piece."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx2
from starlette.types import Receive, Scope, Send

from privguard.core.errors import UnprotectedRouteError
from privguard.guard import Guard
from privguard_adapters.gateway.hops import outgoing_headers, reply_headers
from privguard_adapters.gateway.incoming import CallerLeft, Incoming, read_body
from privguard_adapters.gateway.meters import OTHER, Meters
from privguard_adapters.gateway.pointing import TELLS_OF_BATCHES, pointing_here
from privguard_adapters.gateway.problems import (
    OVERLOADED,
    STOPPING,
    Problem,
    Refused,
    problem_of,
    unprotected,
)
from privguard_adapters.gateway.sending import Sending
from privguard_adapters.gateway.settings import Settings
from privguard_adapters.gateway.tenants import Tenants
from privguard_adapters.wire.headers import with_body

_STATUSES = range(200, 600)  # of whole replies, as RFC 9110 has them; the server knows no other

log = logging.getLogger("privguard.gateway")


class Relay:
    """An ASGI application. Whatever happens to a request, it ends here: nothing is left for the server to print."""

    def __init__(self, *, guard: Guard, tenants: Tenants, meters: Meters, settings: Settings) -> None:
        self._guard, self._tenants, self._meters, self._settings = guard, tenants, meters, settings
        self._open = 0
        self._change = anyio.Event()

    @property
    def open_requests(self) -> int:
        """Return how many requests are being served."""
        return self._open

    async def wait_until_idle(self) -> None:
        """Wait until no request is being served."""
        while self._open:
            self._change = anyio.Event()
            await self._change.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        incoming = Incoming.of(scope)
        sending = Sending(send, timeout_s=self._settings.write_timeout_s)
        left = False
        self._open += 1
        self._meters.begin()
        try:
            await self._serve(incoming, receive, sending)
        except CallerLeft:
            left = True
        except asyncio.CancelledError:
            # The time of grace is over: the server has cancelled the task and waits for nothing more of it.
            await sending.tell(STOPPING)
        except Exception as error:  # noqa: BLE001 - the last line of defence: the message may hold content
            await sending.tell(problem_of(error))
        finally:
            self._open -= 1
            self._change.set()
            self._note(incoming, sending, left=left)

    def _note(self, incoming: Incoming, sending: Sending, *, left: bool) -> None:
        whole_s = sending.whole_s
        route = incoming.route if incoming.is_protected else OTHER
        self._meters.end(route, status=sending.status, left=left, first_s=sending.first_s, whole_s=whole_s)
        # Neither path nor query nor headers nor address: each may tell who calls, or about whom.
        # The name of a route that is refused begins with its method, as far as that may be told.
        named = f"{incoming.method} {incoming.route}" if incoming.is_protected else incoming.route
        log.info(
            "%s %s %d bytes %.1f ms%s",
            named,
            sending.status or "-",
            sending.size,
            1000 * whole_s,
            " left" if left else "",
        )

    async def _serve(self, incoming: Incoming, receive: Receive, sending: Sending) -> None:
        if incoming.method == "OPTIONS" and incoming.allowed():
            allowed = ", ".join((*incoming.allowed(), "OPTIONS"))
            await sending.start(204, ((b"allow", allowed.encode()),))
            await sending.end()
            return
        if not incoming.is_protected:
            self._refuse(incoming)
        if self._open > self._settings.max_requests:
            raise Refused(OVERLOADED)
        body = await read_body(
            receive,
            incoming.headers,
            limit=self._settings.max_body_bytes,
            timeout_s=self._settings.body_timeout_s,
        )
        failure: Exception | None = None
        async with _until_left(receive, sending):
            try:
                await self._ask(incoming, body, sending)
            except Exception as error:  # noqa: BLE001 - a group of tasks would wrap it
                failure = error
        if failure is not None:
            raise failure

    def _refuse(self, incoming: Incoming) -> None:
        """Refuse a route before its body is read. What is no part of the API is not recorded."""
        if incoming.path is not None:
            self._guard.block(route=incoming.route, error=UnprotectedRouteError())
        raise Refused(unprotected(incoming.route))

    async def _ask(self, incoming: Incoming, body: bytes, sending: Sending) -> None:
        headers = outgoing_headers(incoming.headers, self._settings.forward_headers)
        query = f"?{incoming.query}" if incoming.query else ""
        request = httpx2.Request(
            incoming.asked_method,
            f"{self._settings.base_url}{incoming.path}{query}",
            headers=list(headers),
            content=body or None,
        )
        response = await self._tenants.client_for(headers).send(request, stream=True)
        try:
            if response.has_redirect_location:
                # Not followed by the client, so not protected: the caller must not follow it either.
                raise Refused(Problem(status=502, code="upstream_redirects", message="the model server redirects"))
            if response.status_code not in _STATUSES:
                why = "the model server answered with a status that HTTP does not know"
                raise Refused(Problem(status=502, code="upstream_failed", message=why))
            told = reply_headers(tuple(response.headers.raw))
            if incoming.route in TELLS_OF_BATCHES:
                whole = pointing_here(await response.aread())
                await sending.start(response.status_code, with_body(told, len(whole)))
                await sending.body(whole)
            else:
                await sending.start(response.status_code, told)
                async for piece in response.aiter_raw():
                    await sending.body(piece)
            await sending.end()
        finally:
            # Not ended, where the caller has left or the task was cancelled: the connection goes, the exchange closes.
            with anyio.CancelScope(shield=True):
                await response.aclose()


@asynccontextmanager
async def _until_left(receive: Receive, sending: Sending) -> AsyncIterator[None]:
    """Run a block until the caller hangs up.

    Raises:
        CallerLeft: the caller hung up before the reply had its end.
    """
    left = False

    async def watch() -> None:
        nonlocal left
        while (await receive())["type"] != "http.disconnect":
            pass
        # That is also what is told once the reply is complete.
        if not sending.has_ended:
            left = True
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        yield
        group.cancel_scope.cancel()
    if left:
        raise CallerLeft
