"""Restore a streamed message, event by event.

Every text of every block has a stream of R of its own. What R holds back comes out with the next delta of the same
text; before its block stops it is flushed, in a delta of its own. So the deltas of each block add up to what the block
gives as a whole, and the accumulators of the SDK see them in order. Untouched events pass byte for byte.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.profile import OnReply
from privguard.core.segments import Channel
from privguard_adapters.wire.anthropic_reply import SIGNED, START, UNSEEN, Body
from privguard_adapters.wire.deltas import read_scalar
from privguard_adapters.wire.exchanging import Restoring, TextStream
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.framed import FramedEvents
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import with_keys
from privguard_adapters.wire.signed import SignedTexts
from privguard_adapters.wire.sse import Frame, with_data, write_frame
from privguard_adapters.wire.streamed import write_json

_DELTA = "content_block_delta"
_TEXT, _JSON = ("text",), ("partial_json",)
_WHOLE = frozenset({"type", "signature", "encrypted_content", "citation"})  # of a delta


@dataclass(slots=True, kw_only=True)
class _Text:
    """One text of a block."""

    stream: TextStream
    kind: str  # of the deltas that bring it


@dataclass(slots=True, kw_only=True)
class _Block:
    """A block that has not stopped yet."""

    index: str  # as it is spelled
    kind: str = ""
    name: str = ""  # of the tool that is called, as it left
    texts: dict[Path, _Text] = field(default_factory=dict)
    thought: list[str] = field(default_factory=list)
    signature: str = ""
    citations: int = 0  # that came so far


class MessageEvents(FramedEvents):
    """The bytes of a streamed message, restored."""

    def __init__(self, exchange: Restoring, rules: ReplyRules, signed: SignedTexts) -> None:
        super().__init__(exchange)
        self._rules, self._signed = rules, signed
        self._blocks: dict[str, _Block] = {}
        self._has_reason = False
        self._handlers: dict[str, Callable[[Body, Document], bytes]] = {
            "content_block_start": self._start,
            _DELTA: self._go_on,
            "content_block_stop": self._stop,
        }

    @property
    def complete(self) -> bool:
        """Tell whether the reply said that it is complete: who knows why it stopped may read no further."""
        return self._complete or (self._has_reason and not self._has_ended)

    def _read(self, frame: Frame, document: Document) -> bytes:
        body = Body(document, self._exchange, self._rules)
        before = self._handlers.get(body.string("type"), self._other)(body, document)
        return before + (with_data(frame, body.text()) if body.changed else frame.raw)

    def _other(self, body: Body, _document: Document) -> bytes:
        kind = body.string("type")
        self._complete |= kind == "message_stop"
        self._has_reason |= bool(body.string("delta", "stop_reason"))
        self._failed |= kind == "error"
        body.restore()
        # Whatever comes behind the blocks ends them; an error ends everything.
        return self._close_all() if kind in ("message_delta", "message_stop", "error") else b""

    def _start(self, body: Body, document: Document) -> bytes:
        index = body.raw("index")
        before = self._flush(self._blocks.pop(index, None))
        kind = body.string(*START, "type")
        block = self._blocks[index] = _Block(index=index, kind=kind, name=body.string(*START, "name"))
        begins = [leaf for leaf in document.leaves if leaf.path == (*START, "text") and leaf.kind is Kind.STRING]
        first = begins if kind == "text" else []
        body.restore(pieces=frozenset([leaf.path for leaf in first]))
        for leaf in first:
            body.edit(leaf, self._feed(body, block, _TEXT, "text_delta", leaf.text))
        self._think(block, body.string(*START, "thinking"), body.string(*START, "signature"))
        return before

    def _go_on(self, body: Body, document: Document) -> bytes:
        index = body.raw("index")
        block = self._blocks.setdefault(index, _Block(index=index))
        kind = body.string("delta", "type")
        pieces = [leaf for leaf in document.leaves if _is_piece(leaf)]
        if kind == "citations_delta":
            body.cited_at = f"{_label(block)}.citations[{block.citations}]"
            block.citations += 1
        body.restore(pieces=frozenset([leaf.path for leaf in pieces]))
        if block.kind in SIGNED or kind == "thinking_delta":
            self._think(block, body.string("delta", "thinking"), body.string("delta", "signature"))
            if self._exchange.profile.on_reply is OnReply.PASS:
                return b""
        for leaf in pieces:
            body.edit(leaf, self._feed(body, block, leaf.path[1:], kind, leaf.text))
        return b""

    def _stop(self, body: Body, _document: Document) -> bytes:
        body.restore()
        return self._flush(self._blocks.pop(body.raw("index"), None))

    def _think(self, block: _Block, thought: str, signature: str) -> None:
        block.thought.append(thought)
        block.signature = signature or block.signature

    def _feed(self, body: Body, block: _Block, place: Path, kind: str, piece: str) -> str:
        if not piece:
            return ""
        if place not in block.texts:
            block.texts[place] = _Text(stream=self._open(body, block, place), kind=kind)
        return block.texts[place].stream.feed(piece)

    def _open(self, body: Body, block: _Block, place: Path) -> TextStream:
        label = _label(block, place)
        if place == _JSON:
            view = body.view_of_input(block.kind, block.name)
            stream = self._exchange.stream(Channel.JSON, label, view=view)
            return with_keys(stream, body.keys_of_input(block.kind, block.name))
        if block.kind in SIGNED or place == ("thinking",):
            return self._exchange.stream(Channel.TEXT, label, view=UNSEEN)
        if place != _TEXT:
            return self._exchange.stream(Channel.TEXT, label)
        channel = Channel.JSON if self._rules.json_reply else Channel.REPLY
        return with_keys(self._exchange.stream(channel, label), self._rules.names.output)

    def _flush(self, block: _Block | None) -> bytes:
        """Return the rest of the texts of a block, in deltas of their own, and forget it."""
        if block is None:
            return b""
        if block.kind == "thinking":
            self._signed.note("".join(block.thought), block.signature)
        frames = []
        for place, text in block.texts.items():
            tail = text.stream.flush()
            if tail:
                delta = {"type": text.kind, **_nested(place, tail)}
                event = {"type": _DELTA, "index": read_scalar(block.index or "0"), "delta": delta}
                frames.append(write_frame(write_json(event), _DELTA))
        return b"".join(frames)

    def _close_all(self) -> bytes:
        blocks = list(self._blocks.values())
        self._blocks.clear()
        return b"".join([self._flush(block) for block in blocks])


def _is_piece(leaf: Leaf) -> bool:
    """Tell whether a leaf is a piece of a text that goes on in other events, as all in a delta may be."""
    is_text = leaf.kind is Kind.STRING and leaf.path[:1] == ("delta",) and len(leaf.path) > 1
    return is_text and _WHOLE.isdisjoint(leaf.path[1:])


def _label(block: _Block, place: Path = ()) -> str:
    """Return the path of a text as a whole reply would show it."""
    steps = ("input",) if place == _JSON else place
    shown = [f"[{step}]" if isinstance(step, int) else f".{step if step in FIELD_NAMES else '{0}'}" for step in steps]
    return "".join([f"content[{block.index if block.index.isdigit() else '{0}'}]", *shown])


def _nested(place: Path, tail: str) -> dict[str, Any]:
    """Return the fields of a delta that bring the rest of a text."""
    value: Any = tail
    for step in reversed(place):
        value = {step: value} if isinstance(step, str) else [value]
    return dict(value)
