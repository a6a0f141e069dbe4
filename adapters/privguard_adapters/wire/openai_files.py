"""Uploads of batch files: what the form must hold, and its lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.multipart import Part, read_form, write_form

NAME = "openai.files"
MAX_LINES = 50_000  # the API takes no more
MAX_BYTES = 200 * 1024 * 1024  # likewise

_BOM = b"\xef\xbb\xbf"
_FILE_NAME = re.compile(r"[\w .()\[\]@+,-]{1,255}")
_FIELDS = {
    "purpose": re.compile(rb"[a-z_-]{1,32}"),
    "expires_after[anchor]": re.compile(rb"created_at"),
    "expires_after[seconds]": re.compile(rb"[0-9]{1,8}"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """A batch file on its way to the provider."""

    parts: tuple[Part, ...]
    lines: tuple[bytes, ...] = field(repr=False)  # without their ends
    ends: tuple[bytes, ...] = field(repr=False)  # of each line, as it was written
    checks: tuple[Check, ...]

    def write(self, lines: Sequence[bytes]) -> tuple[str, bytes]:
        """Write the form with other lines, and return its content type and its body."""
        body = b"".join([piece for pair in zip(lines, self.ends, strict=True) for piece in pair])
        parts = [
            Part(name=each.name, body=body, filename=each.filename) if each.name == "file" else each
            for each in self.parts
        ]
        return write_form(parts, file_type="application/jsonl")


def read_upload(content_type: bytes, body: bytes) -> UploadedFile:
    """Read the upload of a batch file.

    Raises:
        UnknownContentError: it is another file, or something in the form is not understood.
    """
    parts = {part.name: part for part in read_form(content_type, body)}
    file = parts.get("file")
    for part in parts.values():
        known = _FIELDS.get(part.name)
        if part is not file and (part.filename is not None or known is None or not known.fullmatch(part.body)):
            raise UnknownContentError(
                "the form has a field beside file, purpose and expires_after, or one of these with another value"
            )
    if "purpose" not in parts or parts["purpose"].body != b"batch":
        raise UnknownContentError(
            "only files of requests, with purpose batch, can be minimized; upload files for other purposes with the "
            "client that was wrapped, if they hold nothing private"
        )
    if file is None or file.filename is None or not _FILE_NAME.fullmatch(file.filename):
        raise UnknownContentError(
            "the form has no file, or one whose name is none of letters, digits and . _ - ( ) + ,"
        )
    if len(file.body) > MAX_BYTES:
        raise UnknownContentError(
            f"the file has more than {MAX_BYTES // 1024 // 1024} MiB, which the API does not take"
        )
    lines, ends = _lines(file.body.removeprefix(_BOM))
    return UploadedFile(
        parts=tuple(parts.values()),
        lines=lines,
        ends=ends,
        checks=(Check(label="the name of the file", text=file.filename),),
    )


def _lines(body: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the lines of a file and their ends, without empty lines behind the last."""
    whole = body.split(b"\n")
    while whole and not whole[-1].strip():
        whole.pop()
    if not whole:
        raise UnknownContentError("the file is empty")
    if len(whole) > MAX_LINES:
        raise UnknownContentError(f"the file has more than {MAX_LINES:,} lines, which the API does not take")
    lines = [line.removesuffix(b"\r") for line in whole]
    ends = [b"\r\n" if len(line) < len(raw) else b"\n" for line, raw in zip(lines, whole, strict=True)]
    return tuple(lines), tuple(ends)
