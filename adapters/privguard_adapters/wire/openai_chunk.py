"""One event of a streamed reply: which texts of which choice it goes on with, and what is written in their place."""

from typing import Any

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.profile import OnReply
from privguard_adapters.wire.deltas import (
    by_call,
    index_number,
    is_call_id,
    is_delta,
    label_of,
    read_scalar,
    shown_index,
)
from privguard_adapters.wire.edited import EditedDocument
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.offsets import Offsets, words_of
from privguard_adapters.wire.reply import ReplyRules, is_kept, moved, moved_in_document, restore_leaf, view_at
from privguard_adapters.wire.reply_names import NameStream, with_keys
from privguard_adapters.wire.streamed import StreamedChoice, StreamedText, flush
from privguard_adapters.wire.tools import ToolName, Tools, is_in_call, is_tool_name, tool_at, tool_names

_CITED = frozenset({"content", "text"})
_HEAD = ("id", "object", "created", "model", "system_fingerprint", "service_tier")


class Chunk(EditedDocument):
    """One event of the stream."""

    def __init__(self, document: Document, exchange: Restoring, rules: ReplyRules, tools: Tools) -> None:
        super().__init__(document)
        self._exchange, self._rules, self._tools = exchange, rules, tools
        self._values = document.values()

    def raw(self, path: Path) -> str:
        """Return a scalar as it is spelled, "" where there is none."""
        leaf = self._values.get(path)
        return self._document.text[leaf.start : leaf.end] if leaf is not None else ""

    def is_error(self) -> bool:
        """Tell whether the event says what went wrong: some servers send an empty `error` with every event."""
        return any(
            leaf.path[:1] == ("error",) and leaf.kind in (Kind.STRING, Kind.NUMBER) and leaf.text not in ("", "0")
            for leaf in self._values.values()
        )

    def choice_numbers(self) -> list[int]:
        """Return where in the event its choices stand."""
        return [
            path[1]
            for path in self._document.extents
            if len(path) == 2 and path[0] == "choices" and isinstance(path[1], int)
        ]

    def head(self) -> dict[str, Any]:
        """Return the fields that every chunk of the reply repeats."""
        return {name: read_scalar(raw) for name in _HEAD if (raw := self.raw((name,)))}

    def restore_rest(self) -> None:
        """Restore the strings that are no deltas, each as a whole."""
        names = tool_names(self._document)
        for leaf in self._document.leaves:
            if not is_delta(leaf) and (is_tool_name(leaf) or not is_kept(leaf)):
                labelled = self._labelled(leaf) if leaf.path[2:3] == ("delta",) else leaf
                self.edit(leaf, restore_leaf(labelled, self._exchange, self._rules, self._tools, names))

    def _labelled(self, leaf: Leaf) -> Leaf:
        """Return what is whole in a delta under the path that it has in a whole reply."""
        index = self.raw((*leaf.path[:2], "index")) or str(leaf.path[1])
        ending = "#key" if leaf.kind is Kind.KEY else ""
        return leaf._replace(label=f"choices[{shown_index(index)}]{label_of(self._key(leaf.path))}{ending}")

    def restore_choice(self, number: int, choice: StreamedChoice) -> list[tuple[StreamedText, str]]:
        """Feed the deltas of a choice; return the tails that must go out before this chunk."""
        root = ("choices", number)
        leaves = [leaf for leaf in self._document.leaves if leaf.path[:2] == root and is_delta(leaf)]
        last = {self._key(leaf.path): leaf for leaf in leaves if self._is_text(leaf)}
        finished = self._is_finished(root)
        choice.finished |= finished
        before: list[tuple[StreamedText, str]] = []
        if finished:
            here = {self._key(leaf.path) for leaf in leaves if self._is_text(leaf) or is_tool_name(leaf)}
            before = [(choice.texts[key], self._finish(choice, key)) for key in tuple(choice.texts) if key not in here]
        written: dict[Path, tuple[Leaf, str]] = {}
        for call in by_call(leaves):
            for key, text, tail in self._note_call(call, choice):
                if key in written:
                    self._write(root, written[key][0], written[key][1] + tail)
                else:
                    before.append((text, tail))
            before += self._feed_names(call, choice, finished=finished)
            for leaf in call:
                if not self._is_text(leaf):
                    continue
                key = self._key(leaf.path)
                new = self._feed(choice, key, leaf)
                if finished and last[key] is leaf and key in choice.texts:
                    new += self._finish(choice, key)
                written[key] = leaf, new
                self._write(root, leaf, new)
        if self._exchange.profile.on_reply is OnReply.REDACT:
            self._drop_logprobs(root)  # their tokens tell the text that is held back, also in an event without text
        self._move_citations(root, choice)
        return [(text, tail) for text, tail in before if tail]

    def _feed_names(
        self, call: list[Leaf], choice: StreamedChoice, *, finished: bool
    ) -> list[tuple[StreamedText, str]]:
        """Give the name of a tool back its spelling, held until it is whole; return what of it goes out before."""
        if not self._rules.names.tools:
            return []
        tools = [tool_at(self._key(leaf.path)) for leaf in call if leaf.text and self._is_text(leaf)]
        called = {(*tool, "name") for tool in tools if tool is not None}  # whose arguments come: they are whole
        here = {self._key(leaf.path): leaf for leaf in call if is_tool_name(leaf)}
        for key, leaf in here.items():
            if key not in choice.texts:
                choice.texts[key] = self._open_name(leaf)
            new = choice.texts[key].open(None, {}).feed(leaf.text)
            self.edit(leaf, new + self._close(choice, key) if finished or key in called else new)
        return self._closed(choice, [key for key in choice.texts if key in called and key not in here])

    def _open_name(self, leaf: Leaf) -> StreamedText:
        stream = NameStream(self._rules.names.tools, self._rules.offered)
        return StreamedText(
            open=lambda _view, _keys: stream,
            stream=stream,
            view=self._tools.view_of(None),
            template=leaf.path[2:],
            indices=self._marks(leaf.path, "index"),
        )

    def _closed(self, choice: StreamedChoice, keys: list[Path]) -> list[tuple[StreamedText, str]]:
        return [(choice.texts[key], self._close(choice, key)) for key in keys]

    def _write(self, root: Path, leaf: Leaf, new: str) -> None:
        self.edit(leaf, new)
        if new != leaf.text and leaf.path[-1] in ("content", "refusal", "text"):
            self._drop_logprobs(root)

    def _feed(self, choice: StreamedChoice, key: Path, leaf: Leaf) -> str:
        if not leaf.text:
            return ""
        if key not in choice.texts:
            choice.texts[key] = self._open(choice, key, leaf)
        text = choice.texts[key]
        # Citations point at words of what is said: the finer it is fed, the better is known what moved where.
        pieces = words_of(leaf.text) if key[-1] in _CITED else [leaf.text]
        return "".join([self._feed_piece(choice, text, piece) for piece in pieces])

    def _feed_piece(self, choice: StreamedChoice, text: StreamedText, piece: str) -> str:
        text.held.append(piece)
        new = self._release(choice, text)
        text.offsets.note(piece, new)
        return new

    def _release(self, choice: StreamedChoice, text: StreamedText) -> str:
        """Feed what is held, unless more of the name of its tool may change what may stand in it."""
        if text.stream is None:
            view, keys = view_at(text.template, {}, self._tools), text.keys
            if text.tool is not None:
                name = choice.names.get(text.tool)
                early_view, early_keys = self._tools.early_view(name), self._tools.early_keys(name)
                if early_view is None or early_keys is None:
                    return ""
                view, keys = early_view, early_keys
            text.view, text.stream = view, text.open(view, keys)
        given = "".join(text.held)
        text.held.clear()
        return text.stream.feed(given)

    def _open(self, choice: StreamedChoice, key: Path, leaf: Leaf) -> StreamedText:
        channel, label = self._rules.channel(leaf.path), f"choices[{shown_index(choice.index)}]{label_of(key)}"
        return StreamedText(
            open=lambda view, keys: with_keys(self._exchange.stream(channel, label, view=view), keys),
            tool=tool_at(key),
            keys=self._rules.output_keys(leaf.path),
            template=leaf.path[2:],
            indices=self._marks(leaf.path, "index"),
            types={} if is_in_call(leaf.path) else self._marks(leaf.path, "type"),
            offsets=choice.offsets.setdefault(key, Offsets()),
        )

    def _finish(self, choice: StreamedChoice, key: Path) -> str:
        """Return the rest of a text whose choice has ended; a server may go on with it all the same."""
        text = choice.texts[key]
        if isinstance(text.stream, NameStream):
            return self._close(choice, key)
        return flush(choice, text, self._tools, goes_on=True)

    def _close(self, choice: StreamedChoice, key: Path) -> str:
        return flush(choice, choice.texts.pop(key), self._tools)

    def _note_call(self, call: list[Leaf], choice: StreamedChoice) -> list[tuple[Path, StreamedText, str]]:
        """Note the id and the names of a tool call; return the texts that end, since another call begins at its place.

        Some servers give several calls one `index`, or none.
        """
        ended = self._note_id(call, choice)
        for leaf in call:
            if leaf.path[-1] != "name":
                continue
            tool = self._key(leaf.path)[:-1]
            name = choice.names.setdefault(tool, ToolName())
            keys = [key for key, text in choice.texts.items() if text.tool == tool]
            if keys and self._tools.begins_call(name, leaf.text):
                ended += self._end(choice, [*keys, *[key for key in choice.texts if key == (*tool, "name")]])
                name = choice.names[tool] = ToolName()
            name.add(leaf.text)
        return ended

    def _note_id(self, call: list[Leaf], choice: StreamedChoice) -> list[tuple[Path, StreamedText, str]]:
        """Note the id of a tool call; where it is another one, forget the names of the call before it."""
        found = next((leaf for leaf in call if leaf.text and is_call_id(leaf.path)), None)
        if found is None:
            return []
        place = self._key(found.path)[:-1]
        before = choice.ids.get(place)
        choice.ids[place] = found.text
        if before in (None, found.text):
            return []
        has_name = any(leaf.text for leaf in call if leaf.path[-1] == "name")
        # Some servers make up an id for every event: without a name, a text goes on that gets no more than any tool.
        unknown = self._tools.view_of(None)
        keys = [
            key
            for key, text in choice.texts.items()
            if key[: len(place)] == place and (has_name or (text.stream is not None and text.view != unknown))
        ]
        ended = self._end(choice, keys)
        for tool in [tool for tool in choice.names if tool[: len(place)] == place]:
            del choice.names[tool]
        return ended

    def _end(self, choice: StreamedChoice, keys: list[Path]) -> list[tuple[Path, StreamedText, str]]:
        return [(key, choice.texts[key], self._close(choice, key)) for key in keys]

    def _is_text(self, leaf: Leaf) -> bool:
        return not is_kept(leaf) or (not leaf.text and leaf.path[-1] in ("content", "text", "arguments", "refusal"))

    def _is_finished(self, root: Path) -> bool:
        leaf = self._values.get((*root, "finish_reason"))
        # Some servers send an empty one with every event.
        return leaf is not None and leaf.kind is Kind.STRING and bool(leaf.text)

    def _key(self, path: Path) -> Path:
        """Return what tells this text from the others of its choice: entries of lists by their own `index`."""
        key: list[str | int] = []
        for depth in range(2, len(path)):
            step = path[depth]
            index = self._values.get((*path[: depth + 1], "index")) if isinstance(step, int) else None
            key.append(index_number(index.text) if index is not None and index.text.isdigit() else step)
        return tuple(key)

    def _marks(self, path: Path, name: str) -> dict[int, str]:
        """Return how the entries of lists on a path spell a field that tells them apart, by their depth."""
        found = {depth - 2: self.raw((*path[: depth + 1], name)) for depth in range(2, len(path))}
        return {depth: raw for depth, raw in found.items() if raw and isinstance(path[depth + 2], int)}

    def _drop_logprobs(self, root: Path) -> None:
        extent = self._document.extents.get((*root, "logprobs"))
        if extent is not None:
            self._edits[extent] = "null"

    def _move_citations(self, root: Path, choice: StreamedChoice) -> None:
        for path, leaf in self._values.items():
            if path[:2] != root:
                continue
            self._edits |= moved_in_document(leaf, self._values, self._rules)
            if "annotations" in path:
                place = self._key(path)[: path.index("annotations") - len(root)]
                offsets = choice.offsets.get((*place, "content")) or choice.offsets.get((*place, "text"))
                if offsets is not None:
                    self._edits |= moved(leaf, offsets)
