"""The bytes of a reply: its charset, and whether it is a stream of events when its content type says otherwise."""

import codecs
import json
import re

from privguard.core.errors import RestoreError
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.replies import CHAT_REPLIES, Events, Replies
from privguard_adapters.wire.reply import ReplyRules

_EVENT_START = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*(?:data|event|id|retry)?:")
_STARTS = (b"data:", b"event:", b"id:", b"retry:")


def is_ascii_based(charset: str) -> bool:
    """Tell whether ASCII text has the same bytes in a charset as in UTF-8. A charset that nobody knows says nothing."""
    return not _known(charset) or "[A_1]".encode(charset) == b"[A_1]"


def _known(charset: str) -> bool:
    try:
        "".encode(charset or "?")
    except LookupError:
        return False
    return True


def restore_bytes(
    body: bytes, charset: str, exchange: Restoring, rules: ReplyRules, replies: Replies = CHAT_REPLIES
) -> bytes:
    """Restore the body of a whole reply.

    Bytes that are no text are read as parsers of replies read them, with U+FFFD in their place. They stay as they are
    where nothing in the body is to be replaced.

    Args:
        body: as it came, without its content encoding.
        charset: as it is declared, "" where it is not.
        exchange: what restores.
        rules: what the request means for the reply.
        replies: how the replies of the route are restored.

    Raises:
        RestoreError: the body is not in the charset that it declares.
    """
    found = _charset_of(body, charset)
    text = body.decode(found, "replace")
    restored = replies.whole(text, exchange, rules)
    return body if restored == text else restored.encode(found)


def _charset_of(body: bytes, declared: str) -> str:
    """Return the codec of a body: UTF-8 where it is that, else what it declares, else what JSON parsers take it for."""
    declared = declared if _known(declared) else ""
    utf_8 = "utf-8-sig" if body.startswith(codecs.BOM_UTF8) else "utf-8"
    candidates = [utf_8, declared or json.detect_encoding(body)]
    if not is_ascii_based(declared) or (not declared and b"\0" in body[:4]):
        candidates = candidates[1:]
    for candidate in candidates:
        try:
            body.decode(candidate)
        except UnicodeDecodeError:
            continue
        return candidate
    if declared:
        raise RestoreError("the reply is not in the charset that it declares; the request was sent, minimized")
    return json.detect_encoding(body)


class SniffedStream:
    """The reply to a request for a stream, of another content type: events where it begins as they do, else a whole."""

    def __init__(self, exchange: Restoring, rules: ReplyRules, replies: Replies = CHAT_REPLIES) -> None:
        self._exchange, self._rules, self._replies = exchange, rules, replies
        self._events: Events | None = None
        self._held = bytearray()
        self._is_whole = self._has_ended = False

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete; a whole is, where it has ended."""
        return self._has_ended if self._events is None else self._events.complete

    @property
    def failed(self) -> bool:
        """Tell whether an event of the reply said that it failed."""
        return self._events is not None and self._events.failed

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored bytes of all events that the chunk completes; none of a whole."""
        if self._events is not None:
            return self._events.feed(chunk)
        self._held += chunk
        if not self._is_whole and not _is_undecided(bytes(self._held)):
            self._is_whole = _EVENT_START.match(self._held) is None
            if not self._is_whole:
                self._events = self._replies.events(self._exchange, self._rules)
                return self._events.feed(bytes(self._held))
        return b""

    def end(self) -> bytes:
        """Return what is left at the end of the body."""
        if self._events is not None:
            return self._events.end()
        self._has_ended = True
        return restore_bytes(bytes(self._held), "", self._exchange, self._rules, self._replies)

    def cut_off(self) -> bytes:
        """Return what was held back where the body breaks off: nothing of a whole."""
        return b"" if self._events is None else self._events.cut_off()


def _is_undecided(start: bytes) -> bool:
    """Tell whether more bytes must be seen to know a stream of events."""
    start = start.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")
    return codecs.BOM_UTF8.startswith(start) or any(name.startswith(start) and name != start for name in _STARTS)
