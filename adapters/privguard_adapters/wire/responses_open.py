"""The texts of a streamed reply of the Responses API that are not over: each with a stream of R of its own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from privguard.core.json_leaves import Document, Path, cut, encode
from privguard_adapters.wire.exchanging import Restoring, TextStream
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_places import Item
from privguard_adapters.wire.responses_texts import Placed, Texts
from privguard_adapters.wire.sse import Frame, with_data

Indices: TypeAlias = frozenset[tuple[str, str]]  # the fields of an event that tell a text from others


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What tells one text from the others."""

    stem: str  # the type of its events, without `.delta`
    indices: Indices
    path: Path = ("delta",)  # where in its events it stands


@dataclass(slots=True, kw_only=True)
class OpenText:
    """One text that is not over."""

    placed: Placed
    stream: TextStream
    given: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    offsets: Offsets = field(default_factory=Offsets)
    frame: Frame | None = None  # the last event that carried it
    document: Document | None = field(default=None, repr=False)

    def feed(self, piece: str) -> str:
        """Return what is certain of a text after its next piece."""
        new = self.stream.feed(piece)
        self._note(piece, new)
        return new

    def flush(self) -> str:
        """Return the rest."""
        tail = self.stream.flush()
        self._note("", tail)
        return tail

    def _note(self, given: str, restored: str) -> None:
        self.given.append(given)
        self.restored.append(restored)
        self.offsets.note(given, restored)


class OpenTexts:
    """All texts of one stream."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        self.texts = Texts(exchange, rules)
        self._after = rules.after  # the number of the last event that the caller has
        self._open: dict[Key, OpenText] = {}
        self._items: dict[str, Item] = {}  # by their index in the output, as it is spelled
        self._offsets: dict[Indices, Offsets] = {}  # of what the model says
        self._last = -1  # the number of the last event that was written
        self._shift = 0  # by how much the numbers have moved

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        return any(text.stream.holds for text in self._open.values())

    def note_item(self, index: str, item: Item) -> None:
        """Note what an item is, so that its deltas are known by its index."""
        self._items[index] = item

    def item(self, index: str) -> Item | None:
        """Return the item at an index of the output."""
        return self._items.get(index)

    def offsets(self, indices: Indices) -> Offsets | None:
        """Return what moved in a text of the model."""
        return self._offsets.get(indices)

    def open(self, key: Key, place: Callable[[], Placed], path: str) -> OpenText:
        """Return a text that goes on, or begins."""
        text = self._open.get(key)
        if text is None:
            placed = place()
            text = self._open[key] = OpenText(placed=placed, stream=self.texts.open(placed, path))
            self._offsets[key.indices] = text.offsets
        return text

    def carry(self, key: Key, frame: Frame, document: Document) -> None:
        """Keep the event that carried a text last: an extra one is written like it."""
        text = self._open.get(key)
        if text is not None:
            text.frame, text.document = frame, document

    def close(self, keys: Iterable[Key]) -> bytes:
        """End texts, and return the events that carry what was held back of them."""
        return b"".join([self._close(key) for key in keys])

    def close_all(self) -> bytes:
        """End all texts."""
        return self.close(tuple(self._open))

    def ended_by(self, indices: Indices, stem: str = "") -> tuple[Key, ...]:
        """Return the texts that an event ends: those of its indices, and of its stem where it has one."""
        return tuple(key for key in self._open if indices <= key.indices and stem in ("", key.stem))

    def number(self, number: int) -> int:
        """Return the number under which an event leaves that came under another one."""
        self._last = number + self._shift
        return self._last

    @property
    def is_old(self) -> bool:
        """Tell whether the caller has the event that was numbered last."""
        return self._after is not None and self._last <= self._after

    def _close(self, key: Key) -> bytes:
        text = self._open.pop(key)
        tail = text.flush()
        self.texts.note("".join(text.given), text.placed, "".join(text.restored), text.offsets)
        if not tail or text.frame is None or text.document is None:
            return b""
        extra = with_data(text.frame, self._extra(key, text.document, tail))
        return b"" if self.is_old else extra

    def _extra(self, key: Key, document: Document, tail: str) -> str:
        values = document.values()
        edits: dict[tuple[int, int], str] = {}
        for path, leaf in values.items():
            if path == key.path:
                edits[leaf.start, leaf.end] = encode(tail)
            elif path == ("sequence_number",):
                self._shift += 1
                self._last += 1
                edits[leaf.start, leaf.end] = str(self._last)
        extent = document.extents.get(("logprobs",))
        if extent is not None:
            edits[extent] = "[]"
        return cut(document.text, edits)
