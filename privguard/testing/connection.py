"""One connection of the scripted server: read a request, record it, write the scripted bytes."""

import json
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any, Protocol

from privguard.testing import completions, failures, filed, messages, responses, stored
from privguard.testing.recorded import Recorded, decode_body
from privguard.testing.replies import Reply

_EVENTS = "text/event-stream; charset=utf-8"
_JSON = "application/json"
_FILE = "application/octet-stream"
_POSTED = (
    ("/chat/completions", "chat"),
    ("/completions", "text"),
    ("/embeddings", "embeddings"),
    ("/moderations", "moderations"),
    ("/messages", "messages"),
    ("/messages/count_tokens", "count"),
    ("/responses", "responses"),
    ("/responses/input_tokens", "tokens"),
)
_STREAMED = frozenset({"chat", "text", "messages", "responses"})
_NAMED = frozenset({"messages", "responses", "stored"})  # whose events have names, and no end but the last of them


class Owner(Protocol):
    """The server behind a connection."""

    def record(self, request: Recorded) -> int:
        """Keep a request and return its number."""
        ...

    def note_sent(self, number: int, body: bytes) -> None:
        """Keep the body of the reply to a request."""
        ...

    def choose(self, request: Recorded) -> Reply:
        """Return the next reply."""
        ...

    def fail(self, error: Exception) -> None:
        """Keep the error of a script."""
        ...

    def note_reply(self, number: int, reply: Reply) -> None:
        """Keep how a request was answered."""
        ...

    def earlier(self, number: int) -> tuple[Recorded, Reply] | None:
        """Return an earlier request by its number, with the reply to it."""
        ...

    def wait(self, event: Event) -> bool:
        """Wait for an event; return False when the server closes first."""
        ...


class Connection(BaseHTTPRequestHandler):
    """Answer the requests of one client, one after the other."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, *args: Any, owner: Owner) -> None:  # noqa: ANN401 - what socketserver hands over
        self._owner = owner
        super().__init__(*args)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Keep quiet: a log line would hold the path."""

    def answer(self) -> None:
        """Record the request and write the reply."""
        request = self._read()
        number = self._owner.record(request)
        kind = _route(request)
        if kind is None or not _is_kept(kind, request, self._owner):
            self._write_json(404, completions.error_body(404, "no such route in this scripted server"), Reply())
            return
        try:
            reply = self._owner.choose(request)
            self._owner.note_reply(number, reply)
            stream = kind in _STREAMED and bool(request.json().get("stream"))
            stream |= kind == "stored" and stored.is_resumed(request)
            content: list[bytes] | completions.Json
            if reply.status != 200:
                content = failures.body(kind, reply.status)
            elif kind == "filed":
                content = filed.filed(request, self._owner, number)
            elif stream:
                content = list(_events(kind, request, reply, number, self._owner))
            else:
                content = _body(kind, request, reply, number, self._owner)
        except Exception as error:  # noqa: BLE001 - a fault of the user's script, handed on by the server
            self._owner.fail(error)
            self._write_json(500, completions.error_body(500, "the script failed"), Reply())
            return
        whole = b"".join(content) if isinstance(content, list) else json.dumps(content).encode()
        self._owner.note_sent(number, whole)
        if isinstance(content, list):
            self._write_pieces(content, reply.content_type or (_FILE if kind == "filed" else _EVENTS), reply)
        else:
            self._write_json(reply.status, content, reply)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer  # noqa: N815 - names of the base

    def _read(self) -> Recorded:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            body = self._read_chunked()
        else:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
        return Recorded(
            method=self.command,
            target=self.path,
            headers=tuple(self.headers.items()),
            body=body,
            decoded=decode_body(body, self.headers.get("content-encoding", "")),
        )

    def _read_chunked(self) -> bytes:
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass  # trailers
        return b"".join(parts)

    def _write_json(self, status: int, content: completions.Json, reply: Reply) -> None:
        body = json.dumps(content).encode()
        if reply.malformed:
            body = body[: len(body) * 2 // 3]
        if reply.encoding:
            body = b"".join(_compressed([body], reply.encoding))
        if reply.cuts or reply.cut_every or {reply.drop_after, reply.end_after} != {None} or reply.hold:
            self._write_pieces([body], reply.content_type or _JSON, reply, status=status, compressed=True)
            return
        self._head(status, reply.content_type or _JSON, reply)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _write_pieces(
        self, pieces: list[bytes], content_type: str, reply: Reply, *, status: int = 200, compressed: bool = False
    ) -> None:
        """Write pieces as HTTP chunks: clients read them one by one, so every cut is seen as it was made."""
        if reply.encoding and not compressed:
            pieces = list(_compressed(pieces, reply.encoding))
        if reply.cuts or reply.cut_every:
            pieces = list(_cut_bytes(b"".join(pieces), reply))
        self._head(status, content_type, reply)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        sent = 0
        if reply.end_after is not None:
            pieces = list(_beginning(pieces, reply.end_after))
        for number, piece in enumerate(pieces):
            if number and reply.hold and not self._owner.wait(reply.hold):
                self.close_connection = True
                return
            left = len(piece) if reply.drop_after is None else reply.drop_after - sent
            if part := piece[: max(0, left)]:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
                self.wfile.flush()
            sent += len(piece)
            if len(part) < len(piece):
                self.close_connection = True  # without the last chunk: the client sees a broken body
                return
        self.wfile.write(b"0\r\n\r\n")

    def _head(self, status: int, content_type: str, reply: Reply) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        if reply.encoding:
            self.send_header("content-encoding", reply.encoding)
        if reply.retry_after_s is not None:
            self.send_header("retry-after", f"{reply.retry_after_s:g}")
            self.send_header("retry-after-ms", f"{reply.retry_after_s * 1000:g}")
        for name, value in reply.headers.items():
            self.send_header(name, value)


def _route(request: Recorded) -> str | None:
    path = request.path.rstrip("/")
    if request.method == "POST":
        found = next((kind for end, kind in _POSTED if path.endswith(end)), None)
        if found is not None:
            return found
    if stored.is_stored(request):
        return "stored"
    if filed.is_filed(request):
        return "filed"
    if request.method == "GET" and (path.endswith("/models") or path.rpartition("/")[0].endswith("/models")):
        return "models"
    return None


def _is_kept(kind: str, request: Recorded, owner: Owner) -> bool:
    """Tell whether there is what a request asks for; of most kinds there always is."""
    if kind == "filed":
        return filed.is_kept(request, owner)
    return kind != "stored" or stored.is_kept(request, owner)


def _body(  # noqa: PLR0911 - one line for each sort of reply
    kind: str, request: Recorded, reply: Reply, number: int, owner: Owner
) -> completions.Json:
    match kind:
        case "responses":
            return responses.queued_body(request, reply, number)
        case "tokens":
            return responses.tokens_body(request)
        case "stored":
            return stored.stored_body(request, owner, number)
        case "chat":
            return completions.chat_body(request, reply, number)
        case "text":
            return completions.text_body(request, reply, number)
        case "moderations":
            return filed.moderation_body(request)
        case "embeddings":
            return completions.embeddings_body(request)
        case "messages":
            return messages.message_body(request, reply, number)
        case "count":
            return messages.count_body(request)
        case _:
            return completions.models_body(request.path)


_WRITERS = {
    "chat": completions.chat_events,
    "text": completions.text_events,
    "messages": messages.message_events,
    "responses": responses.response_events,
}


def _events(kind: str, request: Recorded, reply: Reply, number: int, owner: Owner) -> Iterator[bytes]:
    write = _WRITERS.get(kind)
    events = stored.stored_events(request, owner) if write is None else write(request, reply, number)
    for index, event in enumerate(events):
        if index == reply.fail_after:
            yield failures.event(kind, request, index)
            return
        line = json.dumps(event, ensure_ascii=False).encode()
        if reply.malformed and index == 1:
            line = line[: len(line) * 2 // 3]
        name = b"event: " + event["type"].encode() + b"\n" if kind in _NAMED else b""
        yield name + b"data: " + line + b"\n\n"
    if reply.done and kind not in _NAMED:
        yield b"data: [DONE]\n\n"


def _cut_bytes(body: bytes, reply: Reply) -> Iterator[bytes]:
    places = reply.cuts or range(reply.cut_every, len(body), reply.cut_every)
    inside = sorted({place for place in places if 0 < place < len(body)})
    for start, end in zip([0, *inside], [*inside, len(body)], strict=True):
        yield body[start:end]


def _beginning(pieces: list[bytes], length: int) -> Iterator[bytes]:
    """Return the first bytes of pieces."""
    for piece in pieces:
        if length > 0:
            yield piece[:length]
        length -= len(piece)


def _compressed(pieces: list[bytes], encoding: str) -> Iterator[bytes]:
    """Compress pieces so that each can be read as soon as it has come."""
    window = 31 if encoding == "gzip" else 15  # zlib's numbers for the two containers
    compressor = zlib.compressobj(wbits=window)
    for piece in pieces:
        yield compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
    yield compressor.flush()
