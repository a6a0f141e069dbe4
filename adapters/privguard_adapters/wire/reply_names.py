"""Give the names in a reply back their spelling: names of tools, and keys of the JSON that follows a schema.

They left under names of ours, each for one of the caller's. So a name comes back where it is one, as a whole and to the
letter, whatever a view withholds from values: it is the program that reads it, which chose it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from privguard.core.json_leaves import encode
from privguard_adapters.wire.exchanging import TextStream
from privguard_adapters.wire.identifiers import MAX_NAME, Identifiers, Renamed

Names = Mapping[str, str]  # as it left -> the caller's

_NONE: Names = {}
_LONGEST_KEY = 6 * MAX_NAME + 2  # code points, each written as an escape
_MARK = re.compile(r'["{}\[\],:]')
_STRING_END = re.compile(r'["\\]')


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyNames:
    """What the names of a reply are the caller's names for."""

    tools: Names = field(default_factory=dict, repr=False)
    arguments: Mapping[str, Names] = field(default_factory=dict, repr=False)  # by the name of the tool, as it left
    output: Names = field(default_factory=dict, repr=False)  # of structured output

    @classmethod
    def of(cls, identifiers: Identifiers, renamed: Renamed, offered: frozenset[str]) -> "ReplyNames":
        """Turn around what was written into a request."""
        arguments = {renamed.name(tool): renamed.back(names) for tool, names in identifiers.scopes.items()}
        return cls(
            tools=renamed.back(offered),
            arguments={tool: names for tool, names in arguments.items() if names},
            output=renamed.back(identifiers.output),
        )


def restore_keys(text: str, names: Names) -> str:
    """Give the keys of a JSON text back their names."""
    if not names:
        return text
    keys = _Keys(names)
    return keys.feed(text) + keys.flush()


def with_keys(stream: TextStream, names: Names) -> TextStream:
    """Return a stream that gives keys back their names before it restores values."""
    return _KeyedStream(stream, names) if names else stream


class _KeyedStream:
    def __init__(self, stream: TextStream, names: Names) -> None:
        self._stream, self._keys = stream, _Keys(names)

    @property
    def holds(self) -> bool:
        return self._keys.holds or self._stream.holds

    def feed(self, chunk: str) -> str:
        return self._stream.feed(self._keys.feed(chunk))

    def pause(self) -> str:
        return self._stream.feed(self._keys.pause()) + self._stream.pause()

    def flush(self) -> str:
        return self._stream.feed(self._keys.flush()) + self._stream.flush()


class _Keys:
    """Read JSON chunk by chunk, as far as it takes to tell keys; a key is held until it ends."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._open: list[bool] = []  # of each object or list around: whether it is an object
        self._key_next = False
        self._held: str | None = None  # the key so far, with its quote
        self._in_string = False  # in one that is no key
        self._escaped = False  # whether its next code point belongs to an escape

    @property
    def holds(self) -> bool:
        """Tell whether a key is held back."""
        return self._held is not None

    def feed(self, chunk: str) -> str:
        """Return what is certain now."""
        out: list[str] = []
        at = 0
        while at < len(chunk):
            if self._in_string or self._held is not None:
                at = self._read_string(chunk, at, out)
                continue
            mark = _MARK.search(chunk, at)
            end = mark.end() if mark else len(chunk)
            if mark and mark[0] == '"' and self._key_next:
                out.append(chunk[at : end - 1])
                self._held = '"'
            else:
                out.append(chunk[at:end])
            if mark:
                self._note(mark[0])
            at = end
        return "".join(out)

    def pause(self) -> str:
        """Return what is held; what comes next goes on with it, as a key of the reply's own."""
        self._in_string |= self._held is not None
        return self.flush()

    def flush(self) -> str:
        """Return what is held."""
        held, self._held = self._held or "", None
        return held

    def _note(self, mark: str) -> None:
        if mark == '"':
            self._in_string = self._held is None
        elif mark in "{[":
            self._open.append(mark == "{")
        elif mark in "}]" and self._open:
            self._open.pop()
        self._key_next = mark == "{" or (mark == "," and bool(self._open) and self._open[-1])

    def _read_string(self, chunk: str, at: int, out: list[str]) -> int:
        """Read on in a string; return where it ends, or the chunk."""
        start = at
        while at < len(chunk):
            if self._escaped:
                self._escaped, at = False, at + 1
                continue
            stop = _STRING_END.search(chunk, at)
            if stop is None:
                at = len(chunk)
            elif stop[0] == "\\":
                self._escaped, at = True, stop.end()
            else:
                self._end_string(chunk[start : stop.end()], out)
                return stop.end()
        self._go_on(chunk[start:], out)
        return at

    def _go_on(self, piece: str, out: list[str]) -> None:
        if self._held is None:
            out.append(piece)
            return
        self._held += piece
        if len(self._held) > _LONGEST_KEY:  # longer than any name of ours
            out.append(self._held)
            self._held, self._in_string = None, True

    def _end_string(self, piece: str, out: list[str]) -> None:
        self._in_string = False
        if self._held is None:
            out.append(piece)
            return
        key, self._held = self._held + piece, None
        known = self._names.get(_read(key)) if len(key) <= _LONGEST_KEY else None
        out.append(key if known is None else encode(known))


def _read(key: str) -> str:
    try:
        return str(json.loads(key, strict=False))
    except ValueError:
        return ""


class NameStream:
    """The name of a tool as it arrives, whole or in pieces: it is held while it may be, or become, one of ours."""

    def __init__(self, names: Names, offered: frozenset[str]) -> None:
        """Take the names of the tools.

        Args:
            names: those that left under another.
            offered: all of them as they left.
        """
        self._names, self._offered = names, offered
        self._held = ""
        self._is_read = False

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        return bool(self._held)

    def feed(self, chunk: str) -> str:
        """Return what is certain now."""
        if self._is_read:  # some servers repeat the whole name in every event
            return self._names.get(chunk, chunk)
        if self._held and chunk == self._held:
            return self.flush()
        self._held += chunk
        later = [name for name in self._offered if name.startswith(self._held)]
        if later != [self._held] and any(name in self._names for name in later):
            return ""
        return self.flush()

    def pause(self) -> str:
        """Return what is held: a name that goes on is not known as one."""
        return self.flush()

    def flush(self) -> str:
        """Return what is held."""
        held, self._held = self._held, ""
        self._is_read |= bool(held)
        return self._names.get(held, held)
