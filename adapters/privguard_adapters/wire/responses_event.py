"""One event of a streamed reply of the Responses API: the text that it goes on with, ends or repeats."""

import json

from privguard.core.json_leaves import Document, Kind, Leaf, Path, parse
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.offsets import words_of
from privguard_adapters.wire.responses_open import Indices, Key, OpenTexts
from privguard_adapters.wire.responses_places import KEPT, Places
from privguard_adapters.wire.responses_reply import POSITIONS, Whole
from privguard_adapters.wire.responses_texts import Placed
from privguard_adapters.wire.sse import Frame, with_data

_DELTA = ".delta"
_DONE = ".done"
SAID = "response.output_text"
# The texts that come in pieces, by what their events are called: whose they are, and their field in the whole.
_SERVED = "response.mcp_call_arguments"
_TOOLS = {
    "response.function_call_arguments": "arguments",
    _SERVED: "arguments",
    "response.custom_tool_call_input": "input",
    "response.shell_call_command": "command",
}
_SHOWN = {
    SAID: "text",
    "response.refusal": "refusal",
    "response.reasoning_text": "text",
    "response.reasoning_summary_text": "text",
    "response.code_interpreter_call_code": "code",
    "response.shell_call_output_content": "output",
    "response.audio.transcript": "transcript",
}
_BINARY = frozenset({"response.audio.delta", "response.image_generation_call.partial_image"})
_PARTS = {
    "output_text": SAID,
    "refusal": "response.refusal",
    "reasoning_text": "response.reasoning_text",
    "summary_text": "response.reasoning_summary_text",
}
# Events whose texts are whole.
_WHOLE_WORDS = """
    created queued in_progress completed incomplete failed cancelled output_item.added output_item.done
    content_part.added content_part.done reasoning_summary_part.added reasoning_summary_part.done
    output_text.annotation.added
"""
_WHOLE = frozenset({"error", *[f"response.{word}" for word in _WHOLE_WORDS.split()]})
_OTHERS = frozenset({"response.audio.done", "response.shell_call_command.added"})
_STATES = frozenset({"in_progress", "completed", "failed", "searching", "interpreting", "generating", "compacting"})
_LONGEST_NUMBER = 18  # digits


def is_known_event(kind: str) -> bool:
    """Tell whether the API is known to send such events: what stands in them, and whether it comes whole."""
    if kind in _WHOLE or kind in _BINARY or kind in _OTHERS:
        return True
    stem, _, state = kind.rpartition(".")
    if state in ("delta", "done"):
        return stem in _SHOWN or stem in _TOOLS
    return state in _STATES


class Event:
    """One event, and what the caller gets in its place."""

    def __init__(self, frame: Frame, document: Document, open_texts: OpenTexts) -> None:
        self._frame, self._document, self._open = frame, document, open_texts
        self.places = Places.of(document)
        self.kind = self.places.text("type") or frame.event
        self._indices = self._read_indices()
        self._pieces = self._read_pieces()
        own, is_strange = self._own()
        self._whole = Whole(document, self.places, open_texts.texts, own, is_strange=is_strange)

    def written(self) -> bytes:
        """Return the event as it leaves."""
        return with_data(self._frame, self._whole.text()) if self._whole.changed else self._frame.raw

    def run(self, *, closes_all: bool) -> bytes:
        """Restore the event, but for its number; return the events that must go out before it."""
        self._note_item()
        before = self._open.close_all() if closes_all else self._open.close(self._ended())
        self._whole.restore(tuple([leaf for leaf in self._document.leaves if leaf not in self._pieces]))
        for leaf, key in self._pieces.items():
            self._feed(leaf, key)
        if self.kind.endswith(_DELTA):
            self._whole.drop_tokens((), changed=False)
        self._move()
        return before

    def _read_indices(self) -> Indices:
        """Return what tells the text of this event from others: the place of it, or else the item."""
        wanted = [name for (name, *rest) in self.places.values if not rest and str(name).endswith("_index")]
        places = {str(name): self.places.text(str(name)) for name in wanted if name != "annotation_index"}
        if not places and self.places.text("item_id"):
            return frozenset({("item_id", self.places.text("item_id"))})
        return frozenset(places.items())

    def _note_item(self) -> None:
        item = self.places.item_at(("item", "type"))
        if item is not None and item.kind:
            self._open.note_item(self.places.text("output_index"), item)

    def _ended(self) -> tuple[Key, ...]:
        """Return the texts that this event ends."""
        if self.kind in ("response.content_part.done", "response.reasoning_summary_part.done"):
            return self._open.ended_by(self._indices) if self._indices else ()
        if self.kind == "response.output_item.done":
            return self._open.ended_by(frozenset({("output_index", self.places.text("output_index"))}))
        if self.kind.endswith(_DONE):
            return self._open.ended_by(self._indices, self.kind.removesuffix(_DONE))
        return ()

    def _own(self) -> tuple[dict[Path, Placed], bool]:
        """Return what may stand in the text that this event says in full, and whether nobody knows its texts."""
        stem = self.kind.removesuffix(_DONE)
        if stem == self.kind:
            return {}, not is_known_event(self.kind)
        field = _SHOWN.get(stem) or _TOOLS.get(stem)
        return ({} if field is None else {(field,): self._place(stem)}), not is_known_event(self.kind)

    def _read_pieces(self) -> dict[Leaf, Key]:
        """Return the leaves that are pieces of a text that goes on in other events."""
        strings = [leaf for leaf in self._document.leaves if leaf.kind is Kind.STRING and leaf.text]
        if self.kind in _BINARY:
            return {}
        if self.kind.endswith(_DELTA):
            stem = self.kind.removesuffix(_DELTA)
            return {leaf: self._key(stem, leaf) for leaf in strings if leaf.path[0] == "delta"}
        part = _PARTS.get(self.places.text("part", "type"), "") if self.kind.endswith("_part.added") else ""
        if part:
            field = _SHOWN[part]
            return {leaf: self._key(part) for leaf in strings if leaf.path == ("part", field)}
        if self.kind == "response.shell_call_command.added":
            return {leaf: self._key("response.shell_call_command") for leaf in strings if leaf.path == ("command",)}
        if is_known_event(self.kind) or self.kind.endswith(_DONE) or not self.kind:
            return {}
        # A server may send any text of an event that nobody knows in pieces, and a value cut over two would pass.
        free = [leaf for leaf in strings if leaf.path[-1] not in KEPT and "logprobs" not in leaf.path]
        return {leaf: self._key(self.kind, leaf) for leaf in free}

    def _key(self, stem: str, leaf: Leaf | None = None) -> Key:
        path = ("delta",) if leaf is None else leaf.path
        return Key(stem=stem, indices=self._indices, path=path)

    def _feed(self, leaf: Leaf, key: Key) -> None:
        opened = self._open.open(key, lambda: self._place(key.stem), self._label(key.stem))
        # Citations point at words of what is said: the finer it is fed, the better is known what moved where.
        new = "".join(map(opened.feed, words_of(leaf.text))) if key.stem == SAID else opened.feed(leaf.text)
        self._whole.edit(leaf, new)
        if self.kind.endswith(_DELTA) or leaf.path == key.path:
            self._open.carry(key, self._frame, self._document)
            self._whole.drop_tokens((), changed=new != leaf.text)
        else:
            self._carry_made_up(key)

    def _place(self, stem: str) -> Placed:
        texts, item = self._open.texts, self._open.item(self.places.text("output_index"))
        if stem == SAID:
            return texts.said()
        if stem == _SERVED and item is None:
            return texts.served()
        if stem in _TOOLS:
            return texts.given(item, is_json=_TOOLS[stem] == "arguments")
        return texts.shown() if stem in _SHOWN else texts.unknown()

    def _label(self, stem: str) -> str:
        """Return the path of a text as a whole reply would show it."""
        marks = [
            (f"{name}[{number}]")
            for field, name in (("output_index", "output"), ("content_index", "content"), ("summary_index", "summary"))
            if (number := self.places.text(field)).isdigit() and len(number) < _LONGEST_NUMBER
        ]
        return ".".join([*marks, _SHOWN.get(stem) or _TOOLS.get(stem) or "delta"])

    def _carry_made_up(self, key: Key) -> None:
        """Keep an event of the kind that the API sends for a text, which has begun in another one."""
        fields = {name: self.places.text(name) for name in ("item_id",) if self.places.text(name)}
        numbers = {name: int(number) for name, number in key.indices if number.isdigit()}
        made = {"type": key.stem + _DELTA, **fields, **numbers, "delta": ""}
        if key.stem == SAID:
            made["logprobs"] = []
        if self.places.text("sequence_number"):
            made["sequence_number"] = 0
        raw = f"event: {made['type']}\ndata: \n\n".encode()
        self._open.carry(key, Frame(raw=raw, data=""), parse(json.dumps(made), FIELD_NAMES))

    def _move(self) -> None:
        """Move the indices of a citation that comes by itself."""
        if self.kind != "response.output_text.annotation.added":
            return
        offsets = self._open.offsets(self._indices)
        for path, leaf in self.places.values.items():
            if offsets is not None and path[:1] == ("annotation",) and path[-1] in POSITIONS:
                self._whole.move(leaf, offsets)

    def number(self) -> None:
        """Give the event its number, which is the next one where it leaves."""
        leaf = self.places.values.get(("sequence_number",))
        if leaf is not None and leaf.kind is Kind.NUMBER and leaf.text.isdigit() and len(leaf.text) <= _LONGEST_NUMBER:
            self._whole.edit_raw(leaf, str(self._open.number(int(leaf.text))))
