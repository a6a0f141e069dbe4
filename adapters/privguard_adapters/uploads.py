"""Batch files on their way out: every line is a request of its own, and all of them leave or none."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from privguard.core.audit import Outcome
from privguard.core.errors import AuditError, PrivguardError, UnknownContentError
from privguard.core.profile import Profile
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.guarding import Guarding, KeptExchange, OpenExchange
from privguard_adapters.refusing import closing, recorded, refusal_of
from privguard_adapters.shelf import Shelf, line_reference
from privguard_adapters.unread import Unread, unread_codec
from privguard_adapters.wire.batch_lines import OWN_ID, BatchLine, notes_of, read_line
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.headers import check_plain, profile_of, with_body
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.openai_files import NAME, UploadedFile, read_upload
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.request import name_checks

# What stands beside the content, by the patterns of headers that a profile passes; and how it is looked at.
Beside = Callable[[Sequence[str]], Sequence[Check]]
Look = Callable[[Sequence[Check], OpenExchange | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line that may leave."""

    sent_id: str = field(repr=False)  # the custom_id that leaves
    exchange: KeptExchange
    body: bytes = field(repr=False)
    notes: dict[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """What is looked at with every line."""

    checks: tuple[Check, ...]  # of the file
    beside: Beside
    look: Look


class Upload(Unread):
    """The exchanges of the lines of a file, until the provider has answered."""

    def __init__(self, shelf: Shelf, lines: Sequence[_Line]) -> None:
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
    lines = _begin_all(guard, file, request, beside, look)
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


def _begin_all(guard: Guarding, file: UploadedFile, request: HttpRequest, beside: Beside, look: Look) -> list[_Line]:
    """Begin the exchange of every line; where one may not leave, close those of all."""
    looked = _Looked(checks=file.checks, beside=beside, look=look)
    opened: list[_Line] = []
    numbers: dict[str, int] = {}
    refusal: PrivguardError | None = None
    for number, raw in enumerate(file.lines, 1):
        try:
            line = recorded(guard, NAME, partial(_read_once, raw, number, numbers))
            opened.append(_begin(guard, line, numbers, request, looked))
        except Exception as error:  # noqa: BLE001 - whatever fails, nothing leaves
            refusal = refusal_of(error, f"line {number} of the file")
            break
    if refusal is not None:
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        for each in opened:
            with suppress(AuditError):
                each.exchange.close(Outcome.BLOCKED, refusal)
        raise refusal
    return opened


def _read_once(raw: bytes, number: int, numbers: dict[str, int]) -> BatchLine:
    """Read a line, whose custom_id no line before has."""
    line = read_line(raw)
    if line.custom_id in numbers:
        raise UnknownContentError(f"its custom_id is that of line {numbers[line.custom_id]}")
    numbers[line.custom_id] = number
    return line


def _begin(guard: Guarding, line: BatchLine, numbers: dict[str, int], request: HttpRequest, looked: _Looked) -> _Line:
    view, codec = line.view, line.codec
    exchange = guard.begin(
        view.segments,
        target=view.target,
        profile=profile_of(request.headers),
        route=f"{NAME}.{codec.name.removeprefix('openai.')}",
        earlier=view.later.earlier,
    )

    def finish() -> _Line:
        renamed = rename(view.identifiers, exchange.outgoing)
        beside = looked.beside(exchange.profile.pass_headers)
        looked.look((*looked.checks, *view.checks, *name_checks(renamed), *beside), exchange)
        sent_id = _sent_id(line, numbers, lambda check: looked.look((check,), exchange))
        settings = exchange.profile
        body = line.write(exchange.outgoing, sent_id=sent_id, note=settings.note, passed=settings.pass_parts)
        notes = notes_of(codec, codec.rules(view, renamed, exchange.outgoing), is_kept=view.later.is_kept)
        if sent_id != line.custom_id:
            notes[OWN_ID] = line.custom_id
        return _Line(sent_id=sent_id, exchange=exchange, body=body, notes=notes)

    return closing(exchange, finish)


def _sent_id(line: BatchLine, numbers: dict[str, int], look: Callable[[Check], None]) -> str:
    """Return what leaves in the place of a custom_id: itself, or a number where something is found in it.

    It comes back in the results as it was, so nothing is lost, and one that only looks like a value stops no file.
    """
    check = line.id_check
    if check is not None:
        with suppress(UnknownContentError):
            look(check)
            return line.custom_id
    number = numbers[line.custom_id]
    sent_id, tries = f"privguard-{number}", 1
    while sent_id in numbers:
        tries += 1
        sent_id = f"privguard-{number}-{tries}"
    numbers[sent_id] = number
    return sent_id
