"""One HTTP call under guard, without any I/O: what goes out, and what the caller gets back.

The transport only moves bytes between this and the network. All that is decided about privacy is decided here.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from urllib.parse import SplitResult, urljoin, urlsplit

from privguard.core.audit import Outcome
from privguard.core.errors import (
    AuditError,
    PrivguardError,
    ProtectionError,
    RestoreError,
    UnknownContentError,
    UnprotectedRouteError,
)
from privguard_adapters.guarding import Guarding, OpenExchange
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.headers import (
    Headers,
    content_type,
    header_checks,
    header_value,
    profile_of,
    query_checks,
    with_body,
)
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_bytes import SniffedStream, is_ascii_based, restore_bytes
from privguard_adapters.wire.request import Check, RequestView
from privguard_adapters.wire.routes import Route, find_route, route_name


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request as it goes to the network."""

    method: str
    url: str = field(repr=False)
    headers: Headers = field(repr=False)
    body: bytes = field(repr=False)


class Mode(Enum):
    """How a reply comes back."""

    WHOLE = auto()  # read to its end, restored, handed over
    EVENTS = auto()  # restored event by event
    RAW = auto()  # passed as it is


class Gate:
    """The way from one client to its provider: every request passes it or is refused."""

    def __init__(self, guard: Guarding, base_url: Callable[[], str]) -> None:
        self._guard, self._base_url = guard, base_url

    @property
    def guard(self) -> Guarding:
        """Return the guard behind the gate."""
        return self._guard

    def open(self, request: HttpRequest) -> "Call":
        """Protect a request.

        Raises:
            ProtectionError: it may not leave. The record of it is written.
        """
        base = urlsplit(self._base_url())
        url = urlsplit(request.url)
        name = route_name(request.method, url.path, base.path)
        try:
            _check_host(name, url, base)
            route = find_route(request.method, url.path, base.path)
            name = route.name
            view = _read(route, request)
        except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave
            refusal = _as_refusal(error)
            self._guard.block(route=name, error=refusal)
            raise refusal from None
        if view is None or route.codec is None:
            return self._pass(route, request, url)
        return self._begin(route.codec, request, view, url)

    def _pass(self, route: Route, request: HttpRequest, url: SplitResult) -> "Call":
        """Let a request without content through."""
        try:
            checks = (*route.checks, *query_checks(url.query), *header_checks(request.headers, _host(url), ()))
            self._check(checks)
        except ProtectionError as error:
            self._guard.block(route=route.name, error=error)
            raise
        outgoing = replace(request, headers=_outgoing_headers(request.headers, request.body))
        return Call(request=outgoing, follows=self._follows)

    def _begin(self, codec: Codec, request: HttpRequest, view: RequestView, url: SplitResult) -> "Call":
        exchange = self._guard.begin(
            view.segments, target=view.target, profile=profile_of(request.headers), route=codec.name
        )
        try:
            headers = header_checks(request.headers, _host(url), exchange.profile.pass_headers)
            self._check((*view.checks, *query_checks(url.query), *headers), exchange)
            body = codec.write_request(view, exchange.outgoing)
        except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave
            refusal = _as_refusal(error)
            exchange.close(Outcome.BLOCKED, refusal)
            raise refusal from None
        return Call(
            request=replace(request, headers=_outgoing_headers(request.headers, body), body=body),
            exchange=exchange,
            codec=codec,
            rules=ReplyRules(json_reply=view.json_reply, choices=view.choices),
            follows=self._follows,
            streams=view.stream,
        )

    def _follows(self, method: str, url: str) -> bool:
        """Tell whether a request may be sent to where a reply points."""
        base, target = urlsplit(self._base_url()), urlsplit(url)
        try:
            _check_host("", target, base)
            find_route(method, target.path, base.path)
        except UnprotectedRouteError:
            return False
        return True

    def _check(self, checks: Sequence[Check], exchange: OpenExchange | None = None) -> None:
        for check in checks:
            hidden = exchange is not None and exchange.hides(check.text, quasi=check.quasi)
            if check.text and (hidden or self._guard.scan(check.text)):
                raise UnknownContentError(
                    f"{check.label} holds something sensitive, and it cannot be minimized there; nothing was sent"
                )


class Call:
    """One request that may leave, and its reply. Closes its exchange exactly once, however the call ends."""

    def __init__(
        self,
        *,
        request: HttpRequest,
        exchange: OpenExchange | None = None,
        codec: Codec | None = None,
        rules: ReplyRules | None = None,
        follows: Callable[[str, str], bool] = lambda _method, _url: False,
        streams: bool = False,
    ) -> None:
        self.request = request
        self._follows, self._streams = follows, streams
        self._exchange, self._codec = exchange, codec
        self._rules = rules or ReplyRules()
        self._events: EventStream | SniffedStream | None = None
        self._charset = ""
        self._failed = False
        self._ended = False
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Tell whether the end of the reply matters."""
        return self._exchange is not None

    @property
    def is_closed(self) -> bool:
        """Tell whether the record was asked for."""
        return self._closed

    def receive(self, status: int, headers: Headers) -> Mode:
        """Say how the reply comes back.

        Raises:
            RestoreError: the reply is in a content encoding that the request did not accept, or points elsewhere.
        """
        if 300 <= status < 400:
            self._check_redirect(status, headers)
            return Mode.RAW
        if self._exchange is None or self._codec is None:
            return Mode.RAW
        self._failed = status >= 400
        if not self._failed and not self._codec.restores_reply:
            return Mode.RAW
        _check_encoding(self.request.headers, headers)
        kind, self._charset = content_type(headers)
        if self._failed or not (self._streams or kind == "text/event-stream"):
            return Mode.WHOLE
        is_events = kind == "text/event-stream"
        if not is_ascii_based(self._charset):
            raise RestoreError("the events of the reply are not in UTF-8; the request was sent, minimized")
        self._events = (EventStream if is_events else SniffedStream)(self._exchange, self._rules)
        return Mode.EVENTS

    def _check_redirect(self, status: int, headers: Headers) -> None:
        """Refuse a redirect that may not be followed here, where it can be said that the request was sent."""
        location = next((value for name, value in headers if name.lower() == b"location"), None)
        if location is None:
            return
        method = self.request.method
        if (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST"):
            method = "GET"
        if not self._follows(method, urljoin(self.request.url, location.decode("latin-1"))):
            raise RestoreError(
                "the provider redirects to a host or a route that privguard does not protect; the request was sent, "
                "minimized, and does not go there"
            )

    def whole(self, body: bytes) -> bytes:
        """Restore a whole body, and close.

        Raises:
            RestoreError: the body is not in the charset that it declares.
        """
        if self._exchange is not None:
            with _restoring():
                body = restore_bytes(body, self._charset, self._exchange, self._rules)
        self.finish()
        return body

    def feed(self, chunk: bytes) -> bytes:
        """Return what the caller gets for a piece of the body."""
        if self._events is None:
            return chunk
        with _restoring():
            return self._events.feed(chunk)

    def end(self) -> bytes:
        """Return what is left at the end of the body, and close. A second call returns nothing."""
        if self._ended:
            return b""
        self._ended = True
        rest = b""
        if self._events is not None:
            with _restoring():
                rest = self._events.end()
        self.finish()
        return rest

    def finish(self) -> None:
        """Close after the reply was read to its end."""
        self._close(Outcome.FAILED if self._failed else Outcome.DONE)

    def drop(self) -> None:
        """Close because nothing can read the reply any more."""
        with suppress(AuditError):
            self.leave()

    def leave(self) -> None:
        """Close because the caller reads no further."""
        complete = self._failed or self._ended or (self._events is not None and self._events.complete)
        if complete:
            self.finish()
        else:
            self._close(Outcome.ABANDONED)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Close when the block fails; its exception passes as it is."""
        try:
            yield
        except Exception as error:
            self._close_after(Outcome.FAILED, error)
            raise
        except BaseException:
            self._close_after(Outcome.ABANDONED, None)
            raise

    def _close_after(self, outcome: Outcome, error: Exception | None) -> None:
        # The exception at hand decides what the SDK does next: a sink that fails as well must not replace it.
        with suppress(AuditError):
            self._close(outcome, error)

    def _close(self, outcome: Outcome, error: Exception | None = None) -> None:
        self._closed = True
        if self._exchange is not None:
            self._exchange.close(outcome, error)


def _check_host(name: str, url: SplitResult, base: SplitResult) -> None:
    if (url.scheme, _host(url)) != (base.scheme, _host(base)):
        raise UnprotectedRouteError(
            f"{name} goes to another host than the client's base_url, so nothing was sent there; wrap a client with "
            "that base_url"
        )


def _host(url: SplitResult) -> str:
    return url.netloc.rpartition("@")[2]


def _read(route: Route, request: HttpRequest) -> RequestView | None:
    if route.codec is None:
        if request.body:
            raise UnknownContentError(f"{route.name} takes no body")
        return None
    kind, _, rest = header_value(request.headers, b"content-type").partition(";")
    charset = rest.replace(" ", "").replace('"', "")
    if kind.strip() != "application/json" or charset not in ("", "charset=utf-8", "charset=utf8"):
        raise UnknownContentError("the body is not declared as application/json in UTF-8; only JSON can be minimized")
    if header_value(request.headers, b"content-encoding") not in ("", "identity"):
        raise UnknownContentError("the body is compressed; send it plain")
    return route.codec.read_request(request.body)


def _outgoing_headers(headers: Headers, body: bytes) -> Headers:
    framed = any(name.lower() in (b"content-length", b"transfer-encoding") for name, _ in headers)
    return with_body(headers, len(body) if body or framed else None)


def _check_encoding(sent: Headers, received: Headers) -> None:
    accepted = {item.partition(";")[0].strip() for item in header_value(sent, b"accept-encoding").split(",")}
    used = {item.strip() for item in header_value(received, b"content-encoding").split(",")} - {"", "identity"}
    if used - accepted:
        raise RestoreError("the reply came in a content encoding that the request did not accept")


def _as_refusal(error: Exception) -> PrivguardError:
    if isinstance(error, PrivguardError):
        return error
    return UnknownContentError(f"the body could not be read or written ({type(error).__name__}); nothing was sent")


@contextmanager
def _restoring() -> Iterator[None]:
    try:
        yield
    except PrivguardError:
        raise
    except Exception as error:  # noqa: BLE001 - its text may hold content
        raise RestoreError(f"the reply could not be restored ({type(error).__name__})") from None
