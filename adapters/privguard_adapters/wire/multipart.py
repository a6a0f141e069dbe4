"""Forms with a file in them (multipart/form-data, RFC 7578): read strictly, and written anew.

What leaves is written from what was understood, so nothing can stand before, between or behind the parts.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError

MAX_PARTS = 16

_TYPE = re.compile(rb"multipart/form-data; ?boundary=(?:\"([^\"]{1,70})\"|([^\";, ]{1,70}))", re.IGNORECASE)
_DISPOSITION = re.compile(
    rb'form-data; ?name="([^"\r\n\\%]{1,64})"(?:; ?filename="([^"\r\n\\%]{1,255})")?', re.IGNORECASE
)
_HEADER = re.compile(rb"([A-Za-z-]{1,40}): ?([^\r\n]{0,512})")
_KNOWN = frozenset({b"content-disposition", b"content-type", b"content-length"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One field of a form."""

    name: str
    body: bytes = field(repr=False)
    filename: str | None = field(default=None, repr=False)  # None: it is no file


def read_form(content_type: bytes, body: bytes) -> tuple[Part, ...]:
    """Read the fields of a form, in their order. Time and memory grow with the body, and no faster.

    Args:
        content_type: the header of the request.
        body: its body.

    Raises:
        UnknownContentError: it is no form, or something in it is not understood.
    """
    declared = _TYPE.fullmatch(content_type.strip())
    if declared is None:
        raise UnknownContentError("the body is not declared as multipart/form-data with a boundary")
    delimiter = b"--" + (declared[1] or declared[2])
    first, last = delimiter + b"\r\n", b"\r\n" + delimiter + b"--"
    end = body.rfind(last)
    if not body.startswith(first) or end < 0 or body[end + len(last) :] not in (b"", b"\r\n"):
        raise UnknownContentError("the form does not begin and end with its boundary")
    # Up to the last delimiter: that the first part has one before it is said by what the body starts with.
    pieces = body[len(first) : end].split(b"\r\n" + delimiter)
    if len(pieces) > MAX_PARTS:
        raise UnknownContentError(f"the form has more than {MAX_PARTS} fields")
    parts = [_part(piece if not number else _behind_line(piece)) for number, piece in enumerate(pieces)]
    names = [part.name for part in parts]
    if len(set(names)) < len(names):
        raise UnknownContentError("a field of the form is given twice")
    return tuple(parts)


def write_form(parts: Sequence[Part], *, file_type: str) -> tuple[str, bytes]:
    """Write a form, and return its content type and its body. The same fields give the same bytes.

    Args:
        parts: its fields.
        file_type: the content type of files in it.
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.body)
    boundary = digest.hexdigest()[:32].encode()
    pieces: list[bytes] = []
    for part in parts:
        disposition = f'Content-Disposition: form-data; name="{part.name}"'
        if part.filename is not None:
            disposition += f'; filename="{part.filename}"\r\nContent-Type: {file_type}'
        pieces += [b"--", boundary, b"\r\n", disposition.encode(), b"\r\n\r\n", part.body, b"\r\n"]
    pieces += [b"--", boundary, b"--\r\n"]
    if any(b"--" + boundary in part.body for part in parts):  # a text that holds its own digest
        raise UnknownContentError("the file holds what would end it")
    return f"multipart/form-data; boundary={boundary.decode()}", b"".join(pieces)


def _behind_line(piece: bytes) -> bytes:
    """Return what stands behind the line of a delimiter."""
    if not piece.startswith(b"\r\n"):
        raise UnknownContentError("a boundary of the form stands in no line of its own")
    return piece[2:]


def _part(piece: bytes) -> Part:
    head, separator, body = piece.partition(b"\r\n\r\n")
    if not separator:
        raise UnknownContentError("a field of the form has no headers")
    headers: dict[bytes, bytes] = {}
    for line in head.split(b"\r\n"):
        found = _HEADER.fullmatch(line)
        if found is None or found[1].lower() not in _KNOWN or found[1].lower() in headers:
            raise UnknownContentError("a field of the form has a header that is not understood")
        headers[found[1].lower()] = found[2]
    disposition = _DISPOSITION.fullmatch(headers.get(b"content-disposition", b""))
    if disposition is None:
        raise UnknownContentError(
            'a field of the form has no name, or one that is not understood; a file may not have " \\ or % in its name'
        )
    return Part(
        name=_text(disposition[1]),
        body=body,
        filename=None if disposition[2] is None else _text(disposition[2]),
    )


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    # Raised out here: the error at hand holds the name, and the context of an exception keeps it reachable.
    raise UnknownContentError("a name in the form is not UTF-8")
