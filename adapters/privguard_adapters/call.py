"""One HTTP call under guard, without any I/O: what goes out, and what the caller gets back.

The transport only moves bytes between this and the network. All that is decided about privacy is decided here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from urllib.parse import urljoin

from privguard.core.audit import Outcome
from privguard.core.errors import AuditError, PrivguardError, RestoreError
from privguard.core.profile import OnReply
from privguard_adapters.guarding import Answered
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.headers import Headers, content_type
from privguard_adapters.wire.replies import CHAT_REPLIES, Events, Replies
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_bytes import SniffedStream, is_ascii_based, restore_bytes
from privguard_adapters.wire.reply_head import check_encoding, location_of, redirected_method


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request as it goes to the network."""

    method: str
    url: str = field(repr=False)
    headers: Headers = field(repr=False)
    body: bytes = field(repr=False)


class CutOff(Exception):  # noqa: N818 - it names what happened in the record, and is never raised
    """A stream ended before it said that it is complete."""


class Mode(Enum):
    """How a reply comes back."""

    WHOLE = auto()  # read to its end, restored, handed over
    EVENTS = auto()  # restored event by event
    RAW = auto()  # passed as it is


class Call:
    """One request that may leave, and its reply. Closes its exchange exactly once, however the call ends."""

    def __init__(
        self,
        *,
        request: HttpRequest,
        exchange: Answered | None = None,
        codec: Codec | None = None,
        rules: ReplyRules | None = None,
        follows: Callable[[str, str], bool] = lambda _method, _url: False,
        streams: bool = False,
    ) -> None:
        self.request = request
        self._follows, self._streams = follows, streams
        self._exchange, self._codec = exchange, codec
        self._rules = rules or ReplyRules()
        self._events: Events | None = None
        self._charset = ""
        self._failed = False
        self._ended = False
        self._closed = False

    @property
    def _replies(self) -> Replies:
        # An error of a route whose replies pass may quote the request all the same.
        return CHAT_REPLIES if self._codec is None or self._codec.replies is None else self._codec.replies

    @property
    def is_open(self) -> bool:
        """Tell whether the end of the reply matters."""
        return self._exchange is not None

    @property
    def is_slow(self) -> bool:
        """Tell whether a detector reads the reply, or a vault waits for it: milliseconds where R takes microseconds."""
        if self._exchange is None:
            return False
        return self._rules.waits() or self._exchange.profile.on_reply is not OnReply.PASS

    @property
    def is_closed(self) -> bool:
        """Tell whether the record was asked for."""
        return self._closed

    def receive(self, status: int, headers: Headers, *, decodes: frozenset[str] | None = None) -> Mode:
        """Say how the reply comes back.

        Args:
            status: of the reply.
            headers: likewise.
            decodes: the content encodings that whoever reads the reply undoes, None where nobody needs to.

        Raises:
            RestoreError: the reply is in a content encoding that the request did not accept or that nobody undoes, or
                points elsewhere.
        """
        location = location_of(status, headers)
        if location is not None:
            self._check_redirect(status, location)
        if self._exchange is None or self._codec is None:
            return Mode.RAW
        self._failed = status >= 300 and location is None  # what no client can follow is an error
        if status < 300 and self._codec.replies is None:
            return Mode.RAW
        check_encoding(self.request.headers, headers, decodes)
        kind, self._charset = content_type(headers)
        if status >= 300 or not (self._streams or kind == "text/event-stream"):
            return Mode.WHOLE
        is_events = kind == "text/event-stream" or not self._replies.sniffs
        if not is_ascii_based(self._charset):
            raise RestoreError("the events of the reply are not in UTF-8; the request was sent, minimized")
        replies = self._replies
        self._events = (
            replies.events(self._exchange, self._rules)
            if is_events
            else SniffedStream(self._exchange, self._rules, replies)
        )
        return Mode.EVENTS

    def _check_redirect(self, status: int, location: bytes) -> None:
        """Refuse a redirect that may not be followed here, where it can be said that the request was sent."""
        follows = False
        with suppress(ValueError):  # it is no URL
            method = redirected_method(self.request.method, status)
            follows = self._follows(method, urljoin(self.request.url, location.decode("latin-1")))
        if not follows:
            raise RestoreError(
                "the provider redirects to a host or a route that privguard does not protect; the request was sent, "
                "minimized, and does not go there"
            )

    def whole(self, body: bytes) -> bytes:
        """Restore a whole body, and close.

        Raises:
            RestoreError: the body is not in the charset that it declares.
        """
        body = self.restored(body)
        self.finish()
        return body

    def restored(self, body: bytes) -> bytes:
        """Restore a whole body that may not be all of the reply.

        Raises:
            RestoreError: the body is not in the charset that it declares.
        """
        if self._exchange is None:
            return body
        exchange = self._exchange
        return _restored(lambda: restore_bytes(body, self._charset, exchange, self._rules, self._replies))

    def feed(self, chunk: bytes) -> bytes:
        """Return what the caller gets for a piece of the body."""
        if self._events is None:
            return chunk
        events = self._events
        return _restored(lambda: events.feed(chunk))

    def end(self) -> bytes:
        """Return what is left at the end of the body, and close. A second call returns nothing."""
        if self._ended:
            return b""
        self._ended = True
        rest = b"" if self._events is None else _restored(self._events.end)
        self.finish()
        return rest

    def cut_off(self) -> bytes:
        """Return what was held back where the reply breaks off, and close nothing; nothing if it cannot be restored."""
        if self._ended or self._events is None:
            return b""
        self._ended = True
        with suppress(PrivguardError):  # what broke it off is what the caller must know
            return _restored(self._events.cut_off)
        return b""

    def break_off(self, error: Exception) -> bytes:
        """Return what was held back where the reply breaks off, and close."""
        held = self.cut_off()
        self.fail(error)
        return held

    def finish(self) -> None:
        """Close after the reply was read to its end."""
        if self._failed or (self._events is not None and self._events.failed):
            self._close(Outcome.FAILED)
        elif self._events is not None and self._replies.tells_end and not self._events.complete:
            self._close(Outcome.FAILED, CutOff())
        else:
            self._close(Outcome.DONE)

    def fail(self, error: Exception | None) -> None:
        """Close because the call failed, as whoever made it tells."""
        self._close_after(Outcome.FAILED, error)

    def drop(self) -> None:
        """Close because nothing can read the reply any more."""
        with suppress(AuditError):
            self.leave()

    def leave(self) -> None:
        """Close because the caller reads no further."""
        told = self._events is not None and (self._events.complete or self._events.failed)
        if self._failed or self._ended or told:
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


def _restored(restore: Callable[[], bytes]) -> bytes:
    try:
        return restore()
    except PrivguardError:
        raise
    except Exception as error:  # noqa: BLE001 - its text may hold content
        failure = type(error).__name__
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise RestoreError(f"the reply could not be restored ({failure})")
