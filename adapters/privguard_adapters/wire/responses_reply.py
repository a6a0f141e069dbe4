"""Restore a whole reply of the Responses API, or what of an event is whole.

What the model says is the user's to read, the arguments of a call are its tool's. What the reply repeats of the request
comes back as the caller wrote it. Citations are moved along, and log probabilities of a text that changed become none.
"""

import re
from collections.abc import Mapping

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.segments import Channel
from privguard_adapters.wire.edited import EditedDocument
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.fields import FIELD_NAMES, is_known_word
from privguard_adapters.wire.note import without_note
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules, read_reply, restore_unread
from privguard_adapters.wire.responses_places import KEPT, Item, Places
from privguard_adapters.wire.responses_texts import Placed, Texts

POSITIONS = frozenset({"start_index", "end_index", "index"})
_LONGEST_POSITION = 18  # digits; no text is so long, and Python refuses to read thousands of them
_STEP = re.compile(r"[^/#]+")
_NO_TOKENS = "[]"


def restore_response(text: str, exchange: Restoring, rules: ReplyRules) -> str:
    """Restore the body of a whole reply; what is neither a JSON object nor a list, as one text of no known reader."""
    document = read_reply(text)
    if document is None:
        channel = Channel.JSON if text.lstrip()[:1] in ("{", "[", '"') else Channel.TEXT
        return restore_unread(text, exchange, "reply", channel)
    texts, places = Texts(exchange, rules), Places.of(document)
    texts.learn(places)
    if places.of_response("object") in ("response", "conversation"):
        rules.bind(places.of_response("id"))
    whole = Whole(document, places, texts)
    whole.restore(document.leaves)
    return whole.text()


class Whole(EditedDocument):
    """One document, and what is put in the place of its texts."""

    def __init__(
        self,
        document: Document,
        places: Places,
        texts: Texts,
        own: Mapping[Path, Placed] | None = None,
        *,
        is_strange: bool = False,
    ) -> None:
        """Take a document.

        Args:
            document: a reply, or an event.
            places: what stands where in it.
            texts: those of the whole reply.
            own: what may stand in the texts that an event has by itself.
            is_strange: whether nobody knows who reads the others.
        """
        super().__init__(document)
        self._places, self._texts = places, texts
        self._own, self._is_strange = own or {}, is_strange

    def edit_raw(self, leaf: Leaf, new: str) -> None:
        """Put a number in the place of one that came."""
        if new != leaf.text:
            self._edits[leaf.start, leaf.end] = new

    def restore(self, leaves: tuple[Leaf, ...]) -> None:
        """Restore some of the leaves of the document, each as a whole."""
        for leaf in leaves:
            if "logprobs" in leaf.path:
                continue
            if leaf.kind is Kind.NUMBER:
                self._move(leaf)
            elif leaf.kind is not Kind.LITERAL and leaf.text:
                new = self._restored(leaf)
                if new != leaf.text:  # else it may be null by now
                    self.edit(leaf, new)
                if leaf.path[-1] in ("text", "delta") and leaf.kind is Kind.STRING:
                    self.drop_tokens(leaf.path[:-1], changed=new != leaf.text)

    def drop_tokens(self, path: Path, *, changed: bool) -> None:
        """Take the log probabilities of a text away that no longer add up to it, or that tell what is hidden in it."""
        extent = self._document.extents.get((*path, "logprobs"))
        if extent is not None and (changed or self._texts.hides):
            self._edits[extent] = _NO_TOKENS

    def move(self, leaf: Leaf, offsets: Offsets) -> None:
        """Move the index of a citation along with the words that it points at."""
        if leaf.kind is Kind.NUMBER and leaf.text.isdigit() and len(leaf.text) <= _LONGEST_POSITION:
            self.edit_raw(leaf, str(offsets.map(int(leaf.text), is_end=leaf.path[-1] != "start_index")))

    def _restored(self, leaf: Leaf) -> str:
        if leaf.path in self._own and leaf.kind is Kind.STRING:
            return self._texts.restore(leaf.text, self._own[leaf.path], self.label(leaf))
        if self._places.is_echo(leaf.path):
            return self._echoed(leaf)
        if leaf.kind is Kind.KEY and leaf.text in FIELD_NAMES:
            return leaf.text
        item = self._places.item_at(leaf.path)
        if item is None:
            return self._shown(leaf, None)
        rest = leaf.path[len(item.path) :]
        if rest[:1] != () and rest[0] in item.inputs:
            return self._given(leaf, item, rest)
        return leaf.text if item.is_sealed(leaf.path) else self._shown(leaf, item)

    def _shown(self, leaf: Leaf, item: Item | None) -> str:
        """Return what becomes of a text that no tool gets."""
        if leaf.kind is Kind.STRING and leaf.path[-1] in KEPT:
            return leaf.text
        if leaf.path == (("name",) if item is None else (*item.path, "name")):
            return self._texts.tool_name(leaf.text)
        placed = self._placed(leaf, item)
        if leaf.path[-1] == "text" and (*leaf.path[:-1], "annotations", 0) in self._document.extents:
            self._texts.offsets(leaf.text, placed, self.label(leaf))  # once, since citations need them
        return self._texts.restore(leaf.text, placed, self.label(leaf))

    def _given(self, leaf: Leaf, item: Item, rest: Path) -> str:
        """Return what becomes of a text that a tool gets."""
        placed = self._texts.given(item, is_json=rest == ("arguments",))
        is_known = leaf.text in FIELD_NAMES if leaf.kind is Kind.KEY else rest[1:] == ("type",)
        if is_known:
            return leaf.text
        name = placed.names.get(leaf.text) if leaf.kind is Kind.KEY else None
        return name or self._texts.restore(leaf.text, placed, self.label(leaf))

    def _placed(self, leaf: Leaf, item: Item | None) -> Placed:
        if item is not None and item.is_callers:
            return self._texts.callers(leaf.text)
        if (item is not None and not item.is_known) or (item is None and self._is_strange):
            return self._texts.unknown()
        return self._texts.said() if self._is_said(leaf.path) else self._texts.shown()

    def _is_said(self, path: Path) -> bool:
        """Tell whether a text is what the model says, not what it thinks or refuses."""
        kind = self._places.values.get((*path[:-1], "type"))
        return path[-1:] == ("text",) and kind is not None and kind.text == "output_text"

    def label(self, leaf: Leaf) -> str:
        """Return the path of a leaf as a whole reply would show it."""
        number = self._places.text("output_index")
        if self._places.is_event and leaf.path[0] == "item" and number.isdigit():
            return f"output[{number}]{leaf.label.removeprefix('item')}"
        return leaf.label.removeprefix("response.")

    def _echoed(self, leaf: Leaf) -> str:
        """Return what the caller has sent: names of the caller's own first, since R reads none of them."""
        rest = leaf.path[len(self._places.base) :]
        if leaf.text in FIELD_NAMES if leaf.kind is Kind.KEY else is_known_word(leaf.text):
            return leaf.text
        if rest == ("instructions",) and self._texts.has_note:
            return self._without_note(leaf)
        if rest[0] in ("tools", "text", "tool_choice"):
            names = self._texts.names_in(self._tool_of(leaf.path))
            if leaf.text in names:
                return names[leaf.text]
            if leaf.path[-1] in ("$ref", "$id", "$dynamicRef"):
                return _STEP.sub(lambda step: names.get(step[0], step[0]), leaf.text)
        if rest[-1] in ("id", "type", "role") and rest[0] != "metadata" and leaf.kind is Kind.STRING:
            return leaf.text
        return self._texts.restore(leaf.text, self._texts.callers(leaf.text), self.label(leaf))

    def _without_note(self, leaf: Leaf) -> str:
        """Return the instructions of the caller, who has not sent the note on placeholders."""
        text = without_note(leaf.text)
        if not text:
            self.edit_raw(leaf, "null")
            return leaf.text
        return self._texts.restore(text, self._texts.callers(text), self.label(leaf))

    def _tool_of(self, path: Path) -> str:
        """Return the name of the tool in whose definition a place is, as it left; "" for none."""
        for depth in range(len(path), 0, -1):
            name = self._places.values.get((*path[:depth], "name"))
            if name is not None and "tools" in path[:depth] and not {"parameters", "text"}.intersection(path[:depth]):
                return name.text
        return ""

    def _move(self, leaf: Leaf) -> None:
        if leaf.path[-1] not in POSITIONS or leaf.path[-3:-2] != ("annotations",):
            return
        part = leaf.path[:-3]
        text = self._places.values.get((*part, "text"))
        if text is None or text.kind is not Kind.STRING or not text.text:
            return
        item = self._places.item_at(text.path)
        placed = self._placed(text, item)
        self.move(leaf, self._texts.offsets(text.text, placed, self.label(text)))
