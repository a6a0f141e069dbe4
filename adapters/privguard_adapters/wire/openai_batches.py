"""The batches route: what a batch is made of, and what the objects that come back say of its files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, cut, decode, encode, parse, plain_number
from privguard_adapters.wire.batch_lines import ENDPOINTS
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.reply import read_reply

NAME = "openai.batches"

_FIELDS = frozenset(
    "input_file_id endpoint completion_window metadata output_expires_after anchor seconds".split()  # noqa: SIM905
)
_FIXED: Mapping[Path, re.Pattern[str]] = {
    ("completion_window",): re.compile(r"[0-9]{1,3}[hdm]"),
    ("output_expires_after", "anchor"): re.compile(r"created_at"),
    ("output_expires_after", "seconds"): re.compile(r"[0-9]{1,8}"),
}
_LINE = re.compile(r"[0-9]{1,6}")
# A batch with another status has all the files that it will ever have.
_OPEN = frozenset({"validating", "in_progress", "finalizing", "cancelling"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """A batch that is to be made."""

    input_file_id: str = field(repr=False)
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBatch:
    """What a batch object says of its files."""

    id: str = field(repr=False)
    input_file_id: str = field(repr=False)
    result_ids: tuple[str, ...] = field(repr=False)  # of the files of results and of errors, as far as there are any
    is_open: bool  # whether there may be more of them


def read_create(raw: bytes) -> BatchRequest:
    """Read a request for a batch. Nothing in it can be minimized: its metadata is looked at like ids.

    Raises:
        UnknownContentError: it holds something that is not known.
    """
    document = parse(decode(raw), _FIELDS)
    values = document.values()
    file, endpoint = values.get(("input_file_id",)), values.get(("endpoint",))
    if file is None or file.kind is not Kind.STRING or not file.text or not is_token(file.text):
        raise UnknownContentError("input_file_id is no identifier")
    if endpoint is None or endpoint.text not in ENDPOINTS:
        raise UnknownContentError("endpoint is none of the routes whose batches are protected")
    checks = [check for leaf in document.leaves for check in _checks(leaf)]
    return BatchRequest(input_file_id=file.text, checks=tuple(checks))


def seen_batches(text: str) -> tuple[SeenBatch, ...]:
    """Return the batches that a reply tells of: one, or a list."""
    document = read_reply(text)
    if document is None:
        return ()
    places: list[Path] = [(), *[path for path in document.extents if len(path) == 2 and path[0] == "data"]]
    found = [_seen(document.values(), place) for place in places if _is_batch(document, place)]
    return tuple([each for each in found if each.id and each.input_file_id])


def restore_faults(text: str, restored: Callable[[str, int, str], str]) -> str:
    """Write a reply that tells of batches, one or a list, with the messages of its errors restored.

    Args:
        text: the reply.
        restored: a message with the values of its line, by the id of the file, the number of the line from 1 and the
            message. One without a line stays as it is.
    """
    document = read_reply(text)
    if document is None:
        return text
    values, edits = document.values(), dict[tuple[int, int], str]()
    for leaf in document.leaves:
        place, below = leaf.path[:-4], leaf.path[-4:]
        is_said = leaf.kind is Kind.STRING and below[:2] == ("errors", "data") and below[-1] in ("message", "param")
        file, line = values.get((*place, "input_file_id")), values.get((*leaf.path[:-1], "line"))
        if is_said and _is_batch(document, place) and file and line and _LINE.fullmatch(line.text):
            message = restored(file.text, int(line.text), leaf.text)
            if message != leaf.text:
                edits[leaf.start, leaf.end] = encode(message)
    return cut(text, edits) if edits else text


def _checks(leaf: Leaf) -> tuple[Check, ...]:
    """Return what is looked at of one leaf.

    Raises:
        UnknownContentError: it is no field of a batch that is known.
    """
    path = leaf.path
    if path[0] == "metadata" and len(path) == 2:
        text = plain_number(leaf.text) if leaf.kind is Kind.NUMBER else leaf.text
        return (Check(label=leaf.label, text=text, key="" if leaf.kind is Kind.KEY else str(path[1])),)
    if leaf.kind is Kind.KEY and path[-1] in _FIELDS and len(path) <= 2:
        return ()
    if path == ("input_file_id",):
        return (Check(label="input_file_id", text=leaf.text),)
    fixed = _FIXED.get(path)
    is_known = path == ("endpoint",) or leaf.kind is Kind.LITERAL or (fixed is not None and fixed.fullmatch(leaf.text))
    if not is_known or (path[0] not in _FIELDS):
        raise UnknownContentError(f"{leaf.label} is no field of a batch that is known, or has a value that is not")
    return ()


def _is_batch(document: Document, place: Path) -> bool:
    kind = document.values().get((*place, "object"))
    return kind is not None and kind.text == "batch"


def _seen(values: Mapping[Path, Leaf], place: Path) -> SeenBatch:
    def text(name: str) -> str:
        leaf = values.get((*place, name))
        return leaf.text if leaf is not None and leaf.kind is Kind.STRING and is_token(leaf.text) else ""

    results = [text("output_file_id"), text("error_file_id")]
    return SeenBatch(
        id=text("id"),
        input_file_id=text("input_file_id"),
        result_ids=tuple([each for each in results if each]),
        is_open=text("status") in _OPEN,
    )
