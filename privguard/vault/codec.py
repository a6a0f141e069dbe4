"""Tables as bytes, in one fixed schema: equal tables give equal bytes, and every byte of them is read.

Texts keep every code point, lone surrogates too, which JSON would join.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.errors import VaultError
from privguard.core.restoring import RestoreEntry, RestoreTable

# Goes up with every change of the two lists of fields below. A table of another version is refused: what a later
# version keeps apart, this one would restore.
VERSION = 4

_COUNT = 4  # bytes of a length or a count, big-endian


class _Input:
    """Bytes that are read from the start to the end."""

    def __init__(self, body: bytes) -> None:
        self._body, self._at = body, 0

    def take(self, length: int) -> bytes:
        """Return the next bytes."""
        end = self._at + length
        if end > len(self._body):
            raise ValueError("cut short")
        taken, self._at = self._body[self._at : end], end
        return taken

    def count(self) -> int:
        """Return the next number."""
        return int.from_bytes(self.take(_COUNT), "big")

    def text(self) -> str:
        """Return the next text."""
        return self.take(self.count()).decode("utf-8", "surrogatepass")

    def texts(self) -> tuple[str, ...]:
        """Return the next texts."""
        return tuple([self.text() for _ in range(self.count())])

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the next pairs of texts."""
        return tuple([(self.text(), self.text()) for _ in range(self.count())])

    def sorted_texts(self) -> frozenset[str]:
        """Return the next set of texts."""
        texts = self.texts()
        if any(left >= right for left, right in pairwise(texts)):
            raise ValueError("out of order")
        return frozenset(texts)

    def end(self) -> None:
        """Check that nothing is left."""
        if self._at != len(self._body):
            raise ValueError("too long")


def _count(number: int) -> bytes:
    return number.to_bytes(_COUNT, "big")


def _text(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return _count(len(raw)) + raw


def _texts(texts: Iterable[str]) -> bytes:
    written = [_text(text) for text in texts]
    return _count(len(written)) + b"".join(written)


def _pairs(pairs: Iterable[tuple[str, str]]) -> bytes:
    written = [_text(first) + _text(second) for first, second in pairs]
    return _count(len(written)) + b"".join(written)


def _sorted_texts(texts: Iterable[str]) -> bytes:
    return _texts(sorted(texts))


@dataclass(frozen=True, slots=True)
class _Type:
    """How the value of a field is written and read."""

    write: Callable[[Any], bytes]
    read: Callable[[_Input], object]


_TEXT = _Type(_text, _Input.text)
_KIND = _Type(lambda kind: _text(kind.value), lambda given: EntityType(given.text()))
_PAIRS = _Type(_pairs, _Input.pairs)
_TEXTS = _Type(_texts, _Input.texts)
_SET = _Type(_sorted_texts, _Input.sorted_texts)

ENTRY_FIELDS = {
    "placeholder_id": _TEXT,
    "kind": _KIND,
    "value": _TEXT,
    "hint": _TEXT,
    "phrase": _TEXT,
    "forms": _PAIRS,
    "written": _PAIRS,
    "unsaid": _SET,
}
TABLE_FIELDS = {  # behind the entries
    "literals": _SET,
    "url_hosts": _TEXTS,
    "disputed": _SET,
    "before_links": _SET,
    "notes": _PAIRS,
}


def encode(table: RestoreTable) -> bytes:
    """Write a table."""
    entries = [table.entries[placeholder_id] for placeholder_id in sorted(table.entries)]
    written = [bytes([VERSION]), _count(len(entries))]
    written += [kind.write(getattr(entry, name)) for entry in entries for name, kind in ENTRY_FIELDS.items()]
    written += [kind.write(getattr(table, name)) for name, kind in TABLE_FIELDS.items()]
    return b"".join(written)


def decode(body: bytes) -> RestoreTable:
    """Read a table back.

    Raises:
        VaultError: the bytes are no table, or one of another version.
    """
    if body[:1] != bytes([VERSION]):
        raise VaultError(f"a table in the vault is not of version {VERSION}: read it with the version that wrote it")
    # Raised where no other error is handled: what could not be read may be content, and a context keeps it reachable.
    with suppress(ValueError):
        return _table(_Input(body[1:]))
    raise VaultError("a table in the vault cannot be read: it was written by something else")


def _table(given: _Input) -> RestoreTable:
    entries: dict[str, RestoreEntry] = {}
    last = ""
    for _ in range(given.count()):
        entry = RestoreEntry(**_read(given, ENTRY_FIELDS))
        if entry.placeholder_id <= last:
            raise ValueError("out of order")
        last = entry.placeholder_id
        entries[last] = entry
    table = RestoreTable(entries=entries, **_read(given, TABLE_FIELDS))
    given.end()
    return table


def _read(given: _Input, fields: dict[str, _Type]) -> dict[str, Any]:
    return {name: kind.read(given) for name, kind in fields.items()}
