"""Uploads of batch files: the form that leaves, and what is kept of it until the provider has answered."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from privguard.core.audit import Outcome
from privguard.core.errors import AuditError
from privguard.core.profile import Profile
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.guarding import Guarding
from privguard_adapters.refusing import closing, recorded
from privguard_adapters.shelf import Shelf, line_reference
from privguard_adapters.unread import Unread, unread_codec
from privguard_adapters.upload_lines import Around, Beside, Look, OpenLine, open_lines
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.headers import check_plain, profile_of, with_body
from privguard_adapters.wire.openai_files import NAME, UploadedFile, read_upload
from privguard_adapters.wire.reply import ReplyRules, read_reply


class Upload(Unread):
    """The exchanges of the lines of a file, until the provider has answered."""

    def __init__(self, shelf: Shelf, lines: Sequence[OpenLine]) -> None:
        self._shelf, self._lines = shelf, tuple(lines)
        self._id = lines[0].exchange.request_id
        self._named = False

    @property
    def profile(self) -> Profile:
        """Return the profile in force."""
        return self._lines[0].exchange.profile

    def hold(self) -> None:
        """Keep the values of each line, before anything is sent.

        Raises:
            UnheldError: they could not be kept.
            VaultError: likewise.
        """
        for line in self._lines:
            line.exchange.hold(line_reference(self._id, line.sent_id), notes=line.notes)
        self._shelf.add(self._id, [line.sent_id for line in self._lines])

    def take(self, text: str) -> str:
        """Take the id of the file from the reply, which passes as it is.

        Raises:
            VaultError: the vault could not be used.
        """
        document = read_reply(text)
        values = document.values() if document is not None else {}
        kind, file_id = values.get(("object",)), values.get(("id",))
        if kind is not None and kind.text == "file" and file_id is not None and file_id.text and is_token(file_id.text):
            self._shelf.name(self._id, file_id.text)
            self._named = True
        return text

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> None:
        """Write the record of each line; forget their values where no file has an id.

        Raises:
            AuditError: a record could not be written; the others are.
        """
        failure: AuditError | None = None
        if not self._named:
            self._forget()
        for line in self._lines:
            try:
                line.exchange.close(outcome, error)
            except AuditError as each:
                failure = each
        if failure is not None:
            raise failure

    def _forget(self) -> None:
        """Forget what is held; where that fails, it expires."""
        with suppress(Exception):  # a vault of one's own may raise anything
            self._shelf.drop(self._id)
            for line in self._lines:
                line.exchange.release()
        self._named = True  # once


def open_upload(
    guard: Guarding, request: HttpRequest, beside: Beside, look: Look, follows: Callable[[str, str], bool]
) -> Call:
    """Protect the upload of a batch file.

    Raises:
        ProtectionError: it may not leave. The record of it is written.
    """
    file = recorded(guard, NAME, lambda: _read_file(request))
    around = Around(checks=file.checks, beside=beside, look=look)
    lines = open_lines(guard, file.lines, around, profile=profile_of(request.headers))
    upload = Upload(Shelf(notes=guard.notebook()), lines)
    closing(upload, upload.hold)
    content_type, body = closing(upload, lambda: file.write([line.body for line in lines]))
    headers = [(name, value) for name, value in request.headers if name.lower() != b"content-type"]
    headers.append((b"content-type", content_type.encode()))
    return Call(
        request=replace(request, headers=with_body(tuple(headers), len(body)), body=body),
        exchange=upload,
        codec=unread_codec(NAME, upload.take),
        rules=ReplyRules(waits=lambda: True),
        follows=follows,
    )


def _read_file(request: HttpRequest) -> UploadedFile:
    check_plain(request.headers)
    kind = next((value for name, value in request.headers if name.lower() == b"content-type"), b"")
    return read_upload(kind, request.body)
