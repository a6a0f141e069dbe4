"""Restore what the Messages API replies: a whole message, or one event of a stream.

Arguments of tools are objects here: they are restored as the text that they are, so that a stream of pieces of that
text and the whole give the same. What the model thinks is signed: it passes byte for byte.
"""

from collections.abc import Mapping

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.profile import OnReply
from privguard.core.segments import Channel
from privguard.core.views import View, strictest_view
from privguard_adapters.wire.edited import EditedDocument
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.reply import ReplyRules, moved_in_document, read_reply, restore_reply
from privguard_adapters.wire.reply_names import Names, restore_keys
from privguard_adapters.wire.signed import SignedTexts

SIGNED = frozenset({"thinking", "redacted_thinking", "compaction"})  # blocks that go back byte for byte
_SERVED = frozenset({"server_tool_use", "mcp_tool_use"})  # blocks that tell what the provider's servers have called
UNSEEN = View(kinds=frozenset(), unsaid=False)  # no value comes back: what is looked for is what the model brings
START = ("content_block",)  # of an event
_ROOTS: tuple[Path, ...] = ((), ("message",), ("result", "message"))
# Identifiers, fixed words, and what must go back to the provider byte for byte.
_KEPT_WORDS = """
    id type role model stop_reason service_tier inference_geo file_id tool_use_id tool_id request_id encrypted_content
    encrypted_index encrypted_stdout signature data expires_at media_type error_code server_name mcp_server_name
    toolset_name custom_id
"""
_KEPT = frozenset(_KEPT_WORDS.split())
_STOP_SEQUENCES = frozenset({("stop_sequence",), ("message", "stop_sequence"), ("delta", "stop_sequence")})


def restore_message(text: str, exchange: Restoring, rules: ReplyRules, signed: SignedTexts) -> str:
    """Restore the body of a whole reply, an error among them.

    Args:
        text: the body.
        exchange: what restores.
        rules: what the request means for the reply.
        signed: where it is noted what came signed.
    """
    document = read_reply(text)
    if document is None:
        return restore_reply(text, exchange, rules)
    body = Body(document, exchange, rules)
    body.restore()
    body.note_signed(signed)
    return body.text()


class Body(EditedDocument):
    """A JSON document of a reply."""

    def __init__(self, document: Document, exchange: Restoring, rules: ReplyRules, *, view: View | None = None) -> None:
        """Take a document.

        Args:
            document: a whole reply, or an event.
            exchange: what restores.
            rules: what the request means for the reply.
            view: what may be shown where nothing else is said; default: what the user may see.
        """
        super().__init__(document)
        self._exchange, self._rules, self._shown = exchange, rules, view
        self._tools = rules.tools(exchange.profile)
        self.values: Mapping[Path, Leaf] = document.values()
        self.cited_at = ""  # the path of the citation that a delta brings, as a whole reply would show it

    def string(self, *path: str | int) -> str:
        """Return the string at a path, "" where there is none."""
        leaf = self.values.get(path)
        return leaf.text if leaf is not None and leaf.kind is Kind.STRING else ""

    def raw(self, *path: str | int) -> str:
        """Return a scalar as it is spelled, "" where there is none."""
        leaf = self.values.get(path)
        return self._document.text[leaf.start : leaf.end] if leaf is not None else ""

    def restore(self, *, pieces: frozenset[Path] = frozenset()) -> None:
        """Restore everything, each string as a whole.

        Args:
            pieces: the places of strings that are pieces of texts, which are left alone.
        """
        inputs = self._restore_inputs()
        for leaf in self._document.leaves:
            if leaf.path in pieces or any(start <= leaf.start < end for start, end in inputs):
                continue
            if leaf.kind is Kind.NUMBER:
                self._edits |= moved_in_document(leaf, self.values, self._rules)
            else:
                self._restore_leaf(leaf)

    def note_signed(self, signed: SignedTexts) -> None:
        """Note what is thought in a whole message, and its signature."""
        for path in self._document.extents:
            if path[-2:-1] == ("content",) and self.string(*path, "type") == "thinking":
                signed.note(self.string(*path, "thinking"), self.string(*path, "signature"))

    def view_of_input(self, kind: str, name: str) -> View | None:
        """Return what the arguments of a call may show; None for the user's view.

        What the provider's own servers have called is nobody's to call: it is there to be read. Who runs a call of
        another kind is not known.
        """
        if kind in _SERVED:
            return None
        return self._tools.view((name,)) if kind == "tool_use" else strictest_view(self._tools.profile)

    def keys_of_input(self, kind: str, name: str) -> Names:
        """Return what the keys of the arguments of a call are called."""
        return self._tools.keys((name,)) if kind == "tool_use" else {}

    def _restore_inputs(self) -> list[tuple[int, int]]:
        """Restore the arguments of calls, and return where they stand."""
        found: list[tuple[int, int]] = []
        for path, (start, end) in self._document.extents.items():
            block = _block_of(path)
            if block is None or path[len(block) :] != ("input",):
                continue
            kind, name = self.string(*block, "type"), self.string(*block, "name")
            found.append((start, end))
            raw = self._document.text[start:end]
            restored = self._exchange.restore(
                restore_keys(raw, self.keys_of_input(kind, name)),
                Channel.JSON,
                f"{self._label(block)}.input",
                view=self.view_of_input(kind, name),
            )
            if restored != raw:
                self._edits[start, end] = restored
        return found

    def _restore_leaf(self, leaf: Leaf) -> None:
        block = _block_of(leaf.path)
        kind = "" if block is None else self.string(*block, "type")
        if kind in SIGNED:
            self._restore_signed(leaf)
        elif leaf.path[-1] == "tool_name" or (kind == "tool_use" and block and leaf.path == (*block, "name")):
            self.edit(
                leaf, self._rules.names.tools.get(leaf.text, leaf.text) if leaf.kind is Kind.STRING else leaf.text
            )
        elif not self._is_kept(leaf, kind):
            is_text = kind == "text" and block is not None and leaf.path == (*block, "text")
            channel = Channel.TEXT
            if is_text:
                channel = Channel.JSON if self._is_json(leaf) else Channel.REPLY
            text = restore_keys(leaf.text, self._rules.names.output) if is_text else leaf.text
            restored = self._exchange.restore(text, channel, self._labelled(leaf, block), view=self._view(leaf, kind))
            self.edit(leaf, restored)

    def _is_json(self, leaf: Leaf) -> bool:
        """Tell whether a text is JSON because the request asked for it, which is not known of one that came before."""
        came_before = leaf.path[:1] == ("result",)
        return self._rules.json_reply or (came_before and read_reply(leaf.text) is not None)

    def _restore_signed(self, leaf: Leaf) -> None:
        """Let no value of the model's own pass, where the profile says so, and touch nothing else."""
        if (
            leaf.kind is Kind.STRING
            and leaf.path[-1] not in _KEPT
            and self._exchange.profile.on_reply is not OnReply.PASS
        ):
            path = self._labelled(leaf, _block_of(leaf.path))
            self.edit(leaf, self._exchange.restore(leaf.text, path=path, view=UNSEEN))

    def _view(self, leaf: Leaf, kind: str) -> View | None:
        if leaf.path in _STOP_SEQUENCES:
            return View()  # what the application gave to the provider comes back to it
        return strictest_view(self._tools.profile) if kind == "tool_use" else self._shown

    def _is_kept(self, leaf: Leaf, kind: str) -> bool:
        if leaf.kind is Kind.KEY:
            return leaf.text in FIELD_NAMES
        if leaf.kind is not Kind.STRING or not leaf.text:
            return True
        if leaf.path[-2:] == ("source", "data"):
            return self.string(*leaf.path[:-1], "type") != "text"
        return leaf.path[-1] in _KEPT or (leaf.path[-1] == "name" and kind in ("server_tool_use", "mcp_tool_use"))

    def _label(self, block: Path) -> str:
        """Return the path of a block as a whole reply would show it."""
        index = self.raw("index") if block == START else str(block[-1])
        return f"content[{index if index.isdigit() else '{0}'}]"

    def _labelled(self, leaf: Leaf, block: Path | None) -> str:
        if block == START:
            return self._label(block) + leaf.label.removeprefix(START[0])
        if leaf.path[:2] == ("delta", "citation"):
            return self.cited_at + leaf.label.removeprefix("delta.citation")
        return leaf.label


def _block_of(path: Path) -> Path | None:
    """Return the path of the block that a place belongs to."""
    if path[:1] == START:
        return START
    for root in _ROOTS:
        depth = len(root)
        if path[:depth] == root and path[depth : depth + 1] == ("content",) and len(path) > depth + 1:
            return path[: depth + 2] if isinstance(path[depth + 1], int) else None
    return None
