"""The way from one client to its provider: what may leave is opened as a call, everything else is refused."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import SplitResult, urlsplit

from privguard.core.audit import Outcome
from privguard.core.errors import PrivguardError, ProtectionError, UnknownContentError, UnprotectedRouteError
from privguard_adapters.batches import begin_each, reopen_each
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.filing import open_filing
from privguard_adapters.guarding import Guarding, OpenExchange
from privguard_adapters.keeping import check_keeps, hold
from privguard_adapters.uploads import open_upload
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.headers import (
    Headers,
    check_json,
    header_checks,
    profile_of,
    query_checks,
    with_body,
)
from privguard_adapters.wire.hosts import host_of, origin_of
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.kept_names import names_in
from privguard_adapters.wire.later import BACKGROUND, Later, resumed
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import RequestView, name_checks, part_checks
from privguard_adapters.wire.route import Filing
from privguard_adapters.wire.routes import OPENAI, Api, Route


class Gate:
    """The way from one client to its provider: every request passes it or is refused."""

    def __init__(self, guard: Guarding, base_url: Callable[[], str], api: Api = OPENAI) -> None:
        self._guard, self._base_url, self._api = guard, base_url, api

    @property
    def guard(self) -> Guarding:
        """Return the guard behind the gate."""
        return self._guard

    def open(self, request: HttpRequest) -> Call:
        """Protect a request.

        Raises:
            ProtectionError: it may not leave. The record of it is written.
        """
        base = urlsplit(self._base_url())
        url = urlsplit(request.url)
        name = self._api.route_name(request.method, url.path, base.path)
        refusal: PrivguardError | None = None
        try:
            _check_host(name, url, base)
            route = self._api.find_route(request.method, url.path, base.path)
            name = route.name
            view = _read(route, request) if route.filing is None else None
        except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave
            refusal = _as_refusal(error)
        if refusal is not None:
            # Raised out here: the context of an exception keeps reachable what the one before it says.
            self._guard.block(route=name, error=refusal)
            raise refusal
        if route.filing is not None:
            return self._file(route, request, url)
        if route.later.reopened and route.codec is not None:
            return self._reopen(route, route.codec, request, url)
        if view is None or route.codec is None:
            return self._pass(route, request, url)
        later = route.later if route.later != Later() else view.later
        return self._begin(route, replace(view, checks=(*route.checks, *view.checks), later=later), request, url)

    def _pass(self, route: Route, request: HttpRequest, url: SplitResult) -> Call:
        """Let a request without content through."""
        try:
            checks = (*route.checks, *query_checks(url.query), *header_checks(request.headers, host_of(url), ()))
            self._check(checks)
        except ProtectionError as error:
            self._guard.block(route=route.name, error=error)
            raise
        outgoing = replace(request, headers=_outgoing_headers(request.headers, request.body))
        return Call(request=outgoing, follows=self._follows)

    def _file(self, route: Route, request: HttpRequest, url: SplitResult) -> Call:
        """Send a file of batches, or ask for one, or for a batch.

        Raises:
            ProtectionError: the request may not leave.
            VaultError: the vault knows nothing of the file, or could not be used.
        """

        def beside(passed: Sequence[str]) -> tuple[Check, ...]:
            # What the form is declared as is written anew.
            headers = tuple([each for each in request.headers if each[0].lower() != b"content-type"])
            return (*query_checks(url.query), *header_checks(headers, host_of(url), passed))

        def passing(checks: Sequence[Check]) -> Call:
            return self._pass(replace(route, checks=(*route.checks, *checks)), request, url)

        self._check_keeps(route, route.later)
        if route.filing is Filing.UPLOAD:
            return open_upload(self._guard, request, beside, self._check, self._follows)
        return open_filing(self._guard, route, request, passing, self._follows)

    def _reopen(self, route: Route, codec: Codec, request: HttpRequest, url: SplitResult) -> Call:
        """Ask for a reply to a request that is over.

        Raises:
            ProtectionError: the request may not leave.
            VaultError: the vault holds nothing for it, or could not be used.
        """
        passed = self._pass(route, request, url)
        self._check_keeps(route, route.later)
        again = resumed(passed.request.url)
        reopen = partial(reopen_each, self._guard) if route.later.each else self._guard.reopen
        exchange = reopen(route.later.reopened, profile=profile_of(request.headers), route=route.name)
        return Call(
            request=replace(passed.request, url=again.url),
            exchange=exchange,
            codec=codec,
            rules=ReplyRules(resumes=True, after=again.after, names=names_in(exchange.notes)),
            follows=self._follows,
            streams=again.streams,
        )

    def _begin(self, route: Route, view: RequestView, request: HttpRequest, url: SplitResult) -> Call:
        codec, later = route.codec, view.later
        if codec is None:
            raise UnprotectedRouteError(f"{route.name} takes no content")
        self._check_keeps(route, later)
        exchange = begin_each(self._guard, view.parts)(
            view.segments,
            target=view.target,
            profile=profile_of(request.headers),
            route=codec.name,
            earlier=later.earlier if self._guard.keeps else (),
        )
        refusal: PrivguardError | None = None
        try:
            headers = header_checks(request.headers, host_of(url), exchange.profile.pass_headers)
            renamed = rename(view.identifiers, exchange.outgoing)
            names = (*name_checks(renamed), *part_checks(view, exchange.outgoing))
            self._check((*view.checks, *names, *query_checks(url.query), *headers), exchange)
            passed = exchange.profile.pass_parts
            body = codec.write_request(view, exchange.outgoing, note=exchange.profile.note, passed=passed)
            rules = codec.rules(view, renamed, exchange.outgoing)
            binder = hold(self._guard, exchange, later, rules.names)
        except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave
            refusal = _as_refusal(error)
        if refusal is not None:
            exchange.close(Outcome.BLOCKED, refusal)
            raise refusal
        return Call(
            request=replace(request, headers=_outgoing_headers(request.headers, body), body=body),
            exchange=exchange,
            codec=codec,
            rules=replace(rules, bind=binder, waits=lambda: binder.waits, resumes=later.needs == BACKGROUND),
            follows=self._follows,
            streams=view.stream,
        )

    def _check_keeps(self, route: Route, later: Later) -> None:
        try:
            check_keeps(self._guard, later)
        except ProtectionError as error:
            self._guard.block(route=route.name, error=error)
            raise

    def _follows(self, method: str, url: str) -> bool:
        """Tell whether a request may be sent to where a reply points."""
        base, target = urlsplit(self._base_url()), urlsplit(url)
        try:
            _check_host("", target, base)
            self._api.find_route(method, target.path, base.path)
        except UnprotectedRouteError:
            return False
        return True

    def _check(self, checks: Sequence[Check], exchange: OpenExchange | None = None) -> None:
        for check in checks:
            hidden = exchange is not None and exchange.hides(check.text, chosen=check.chosen)
            if check.text and (hidden or (not check.opens and self._guard.scan(check.text, key=check.key))):
                raise UnknownContentError(
                    f"{check.label} holds something sensitive, and it cannot be minimized there; nothing was sent"
                )


def _check_host(name: str, url: SplitResult, base: SplitResult) -> None:
    if origin_of(url) != origin_of(base):
        raise UnprotectedRouteError(
            f"{name} goes to another host than the client's base_url, so nothing was sent there; wrap a client with "
            "that base_url"
        )


def _read(route: Route, request: HttpRequest) -> RequestView | None:
    if route.codec is None or route.later.reopened:
        if request.body:
            raise UnknownContentError(f"{route.name} takes no body")
        return None
    check_json(request.headers)
    return route.codec.read_request(request.body)


def _outgoing_headers(headers: Headers, body: bytes) -> Headers:
    framed = any(name.lower() in (b"content-length", b"transfer-encoding") for name, _ in headers)
    return with_body(headers, len(body) if body or framed else None)


def _as_refusal(error: Exception) -> PrivguardError:
    if isinstance(error, PrivguardError):
        return error
    return UnknownContentError(f"the body could not be read or written ({type(error).__name__}); nothing was sent")
