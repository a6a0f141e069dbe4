"""Batches and their files: what the gate does with a request for one, but for uploads."""

from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace

from privguard.core.audit import Outcome
from privguard.core.errors import PrivguardError, RestoreError, UnknownContentError, UnknownReferenceError
from privguard_adapters.batch_faults import Faults
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.guarding import Guarding, KeptExchange
from privguard_adapters.refusing import recorded, refusal_of
from privguard_adapters.shelf import Shelf, line_reference
from privguard_adapters.unread import Unread, unread_codec
from privguard_adapters.wire.batch_lines import OWN_ID, codec_named
from privguard_adapters.wire.batch_results import LineCutter, ResultLine
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.headers import check_json, profile_of
from privguard_adapters.wire.kept_names import rules_in
from privguard_adapters.wire.openai_batches import read_create, restore_faults, seen_batches
from privguard_adapters.wire.replies import Replies
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.route import Filing, Route

_UNKNOWN = (
    "the vault knows no upload that this file belongs to: for this tenant, scope and conversation, at this time. Files "
    "of results are known as soon as their batch was retrieved or listed through a protected client; other files hold "
    "nothing that could be restored: ask for them with the client that was wrapped"
)
Follows = Callable[[str, str], bool]
# Lets a request through that meets these checks besides those of its route, and makes its call.
Passing = Callable[[tuple[Check, ...]], Call]


def open_filing(guard: Guarding, route: Route, request: HttpRequest, passing: Passing, follows: Follows) -> Call:
    """Protect a request for a batch or a file.

    Raises:
        ProtectionError: it may not leave. The record of it is written.
        VaultError: the vault knows nothing of the file, or could not be used. Nothing was sent; likewise.
    """
    if route.filing is Filing.CONTENT:
        return _content(guard, route, request, passing, follows)
    shelf = Shelf(notes=guard.notebook()) if guard.keeps else None
    call = passing(recorded(guard, route.name, lambda: _read(route, request, shelf)))
    if shelf is None:
        return call
    known, deleted = shelf, route.later.reopened if route.filing is Filing.DELETE else ""
    faults = Faults(guard, shelf, profile=profile_of(request.headers), route=route.name)
    return Call(
        request=call.request,
        exchange=Unread(),
        codec=unread_codec(route.name, lambda text: _take(known, faults, text, deleted)),
        rules=ReplyRules(waits=lambda: True),
        follows=follows,
    )


def _read(route: Route, request: HttpRequest, shelf: Shelf | None) -> tuple[Check, ...]:
    """Return what is looked at of a request besides its path."""
    if route.filing is not Filing.CREATE:
        if request.body:
            raise UnknownContentError(f"{route.name} takes no body")
        return ()
    check_json(request.headers)
    batch = read_create(request.body)
    if shelf is None or shelf.upload_of(batch.input_file_id) is None:
        raise UnknownReferenceError(_UNKNOWN)
    return batch.checks


def _take(shelf: Shelf, faults: Faults, text: str, deleted: str) -> str:
    """Take what a reply says of files; it passes as it is, but for what it says of single lines."""
    if deleted:
        document = read_reply(text)
        gone = document.values().get(("deleted",)) if document is not None else None
        if gone is not None and gone.text == "true":
            shelf.forget(deleted)
        return text
    for batch in seen_batches(text):
        shelf.see(batch)
    try:
        return restore_faults(text, faults.restored)
    finally:
        faults.close()


def _content(guard: Guarding, route: Route, request: HttpRequest, passing: Passing, follows: Follows) -> Call:
    shelf = Shelf(notes=guard.notebook())
    upload, lines = recorded(guard, route.name, lambda: _find(route, request, shelf))
    call = passing(())
    # Lines are taken up while they are read, as where they were asked for: in that conversation, under that profile.
    context, profile = copy_context(), profile_of(request.headers)

    def reopen(custom_id: str) -> KeptExchange:
        reference = line_reference(upload, custom_id)
        return context.run(lambda: guard.reopen(reference, profile=profile, route=route.name))

    results = Results(reopen, lines)
    codec = unread_codec(route.name, lambda text: text)
    return Call(
        request=call.request,
        exchange=Unread(),
        codec=replace(codec, replies=replace(codec.replies or Replies(), events=lambda *_: results, sniffs=False)),
        rules=ReplyRules(waits=lambda: True),
        follows=follows,
        streams=True,
    )


def _find(route: Route, request: HttpRequest, shelf: Shelf) -> tuple[str, frozenset[str]]:
    """Return the upload that a file belongs to, and its lines."""
    if request.body:
        raise UnknownContentError(f"{route.name} takes no body")
    upload = shelf.upload_of(route.later.reopened)
    lines = shelf.lines_of(upload) if upload is not None else None
    if upload is None or lines is None:
        raise UnknownReferenceError(_UNKNOWN)
    return upload, lines


class Results:
    """The lines of a file on their way to the caller, each with the values of its own request."""

    def __init__(self, reopen: Callable[[str], KeptExchange], lines: frozenset[str]) -> None:
        self._reopen, self._lines = reopen, lines
        self._cutter = LineCutter()
        self._number = 0
        self._has_ended = False

    @property
    def complete(self) -> bool:
        """Tell whether the file has ended, which is all that tells that it is complete."""
        return self._has_ended

    @property
    def failed(self) -> bool:
        """Tell whether the file says that it failed: none does."""
        return False

    def feed(self, chunk: bytes) -> bytes:
        """Return the restored lines that a chunk completes.

        Raises:
            RestoreError: a line is not understood, or belongs to no request of the upload.
            VaultError: the vault does not hold its values any more, or could not be used.
        """
        return b"".join([self._restored(line) for line in self._cutter.feed(chunk)])

    def end(self) -> bytes:
        """Return the last line, where it has no end."""
        self._has_ended = True
        rest = self._cutter.rest()
        return self._restored(rest) if rest else b""

    def cut_off(self) -> bytes:
        """Return nothing of a line that is not whole."""
        return b""

    def _restored(self, raw: bytes) -> bytes:
        self._number += 1
        if not raw.strip():
            return raw
        failure: PrivguardError | None = None
        try:
            return self._restore(ResultLine(raw))
        except PrivguardError as error:
            failure = refusal_of(error, f"line {self._number} of the file")
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        raise failure

    def _restore(self, line: ResultLine) -> bytes:
        if line.custom_id not in self._lines:
            raise RestoreError("its custom_id is none of the upload's")
        exchange = self._reopen(line.custom_id)
        try:
            restored = _restore_line(line, exchange)
        except Exception as error:
            exchange.close(Outcome.FAILED, error)
            raise
        exchange.close(Outcome.FAILED if line.failed else Outcome.DONE)
        return restored


def _restore_line(line: ResultLine, exchange: KeptExchange) -> bytes:
    codec = codec_named(exchange.notes.get("codec", ""))
    if codec is None:
        raise RestoreError("it was kept by another version of privguard: ask for it with that one")
    rules, is_kept = rules_in(exchange.notes)

    def bind(reference: str) -> None:
        if is_kept and reference and is_token(reference):
            exchange.bind(reference, keep=True)

    return line.restore(exchange, codec, replace(rules, bind=bind), own_id=exchange.notes.get(OWN_ID, ""))
