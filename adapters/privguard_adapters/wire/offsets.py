"""Where a position of the text as the model wrote it lies in the text as the caller gets it."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from privguard.core.edits import Edit
from privguard_adapters.wire.exchanging import TextStream

_PIECE = re.compile(r"\[?[^\s\[]+\s*|\[\s*|\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """`[start, end)` of the written text that became `[to_start, to_end)` of the restored one."""

    start: int
    end: int
    to_start: int
    to_end: int


class Offsets:
    """The changes between two texts, noted while one becomes the other.

    R is fed piece by piece; whatever it gives back is compared with what it was given since the two last agreed.
    """

    def __init__(self) -> None:
        self._changes: list[_Change] = []
        self._pending = ""  # written, not yet given back
        self._written = 0
        self._restored = 0

    @classmethod
    def undoing(cls, edits: Sequence[Edit]) -> "Offsets":
        """Return those from a text that edits made to the text that they were made in."""
        offsets, grown = cls(), 0
        for edit in sorted(edits, key=lambda each: each.start):
            start, length = edit.start + grown, len(edit.replacement)
            change = _Change(start=start, end=start + length, to_start=edit.start, to_end=edit.end)
            offsets._changes.append(change)
            grown += length - (edit.end - edit.start)
        return offsets

    def note(self, given: str, back: str) -> None:
        """Note what R was given and what it gave back for it."""
        self._pending += given
        if self._pending.startswith(back):
            self._agree(len(back))
            return
        head = _common_prefix(self._pending, back)
        self._agree(head)
        back = back[head:]
        # What R still holds cannot be told from what it replaced, so the change ends with the last piece.
        tail = _common_suffix(self._pending, back)
        end, to_end = len(self._pending) - tail, len(back) - tail
        self._changes.append(
            _Change(
                start=self._written,
                end=self._written + end,
                to_start=self._restored,
                to_end=self._restored + to_end,
            )
        )
        self._written += len(self._pending)
        self._restored += len(back)
        self._pending = ""

    @property
    def changed(self) -> bool:
        """Tell whether the texts differ."""
        return bool(self._changes)

    def map(self, position: int, *, is_end: bool = False) -> int:
        """Return the position in the restored text. Inside a change: its start, or its end."""
        number = bisect_right(self._changes, position, key=lambda change: change.start) - 1
        if number < 0:
            return position
        change = self._changes[number]
        if position >= change.end:
            return position - change.end + change.to_end
        if position == change.start:
            return change.to_start
        return change.to_end if is_end else change.to_start

    def _agree(self, length: int) -> None:
        self._written += length
        self._restored += length
        self._pending = self._pending[length:]


def words_of(text: str) -> list[str]:
    """Cut a text into words, each with the white space behind it.

    A bracket begins one as well: many scripts have no spaces.
    """
    return _PIECE.findall(text)


def restore_with_offsets(text: str, stream: TextStream) -> tuple[str, Offsets]:
    """Restore a whole text through a stream, and note what moved where."""
    offsets = Offsets()
    pieces: list[str] = []
    for piece in words_of(text):
        back = stream.feed(piece)
        offsets.note(piece, back)
        pieces.append(back)
    rest = stream.flush()
    offsets.note("", rest)
    return "".join([*pieces, rest]), offsets


def _common_prefix(left: str, right: str) -> int:
    limit = min(len(left), len(right))
    return next((place for place in range(limit) if left[place] != right[place]), limit)


def _common_suffix(left: str, right: str) -> int:
    return _common_prefix(left[::-1], right[::-1])
