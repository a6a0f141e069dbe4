"""Restore a whole reply: every string that may hold a placeholder, everything else byte for byte.

What no longer fits the restored text is put right: citation indices are moved, and log probabilities of a choice whose
text changed become null, since their tokens no longer add up to it; all of them do where the profile hides values of
the model's own, since tokens tell these too. Token usage is what was billed and stays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, parse
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Channel
from privguard.core.views import View, strictest_view
from privguard_adapters.wire.edited import EditedDocument
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.offsets import Offsets, restore_with_offsets
from privguard_adapters.wire.reply_names import Names, ReplyNames, restore_keys, with_keys
from privguard_adapters.wire.tools import CHAT, ReplyShape, Tools, tool_names

# Identifiers, fixed words, binary data, and what must go back to the provider byte for byte.
_KEPT_WORDS = """
    id object model system_fingerprint encrypted_content signature thought_signature role type finish_reason
    service_tier data b64_json obfuscation tool_call_id status format
"""
_KEPT = frozenset(_KEPT_WORDS.split())
_LONGEST_POSITION = 18  # digits; no text is so long, and Python refuses to read thousands of them
_PLACES = frozenset({"start_char_index", "end_char_index"})  # in documents
_LOGPROB_TEXTS = frozenset({"content", "refusal", "text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRules:
    """What the caller's request means for the reply."""

    json_reply: bool = False
    choices: int = 1
    offered: frozenset[str] = frozenset()  # the names of the tools, as they left
    names: ReplyNames = field(default_factory=ReplyNames)
    shape: ReplyShape = CHAT
    bind: Callable[[str], None] = field(default=lambda _id: None, repr=False, compare=False)  # told the reply's id
    waits: Callable[[], bool] = field(default=lambda: False, repr=False, compare=False)  # whether it is still to come
    resumes: bool = False  # whether the caller may ask again for the rest of a stream
    after: int | None = None  # the number of the last event of a stream that the caller has

    def channel(self, path: Path) -> Channel:
        """Return the syntax of a text of the reply."""
        if path[-1] == "arguments":
            return Channel.JSON
        is_text = path[-1] in ("content", "text") and path[0] == "choices"
        if not is_text:
            return Channel.TEXT
        return Channel.JSON if self.json_reply else Channel.REPLY

    def cited(self, _index: str) -> Offsets | None:
        """Return from a document of the request, as it left, to the caller's own; None where its places do not move.

        Args:
            _index: its number in the request, as it is spelled.
        """
        return None

    def tools(self, profile: Profile) -> Tools:
        """Return what a profile gives to the tools that the reply may call."""
        return Tools(profile=profile, offered=self.offered, names=self.names, shape=self.shape)

    def output_keys(self, path: Path) -> Names:
        """Return what the keys of a text of the reply are called that is no tool's."""
        return self.names.output if path[0] == "choices" and path[-1] in ("content", "text") else {}


def is_kept(leaf: Leaf, shape: ReplyShape = CHAT) -> bool:
    """Tell whether a leaf of a reply is never touched."""
    if "logprobs" in leaf.path:
        return True  # they stay whole, the keys of legacy ones too, or go as a whole
    if leaf.kind is Kind.KEY:
        return leaf.text in FIELD_NAMES
    if leaf.kind is not Kind.STRING or not leaf.text:
        return True
    if leaf.path[:1] == ("metadata",):
        return False
    return leaf.path[-1] in _KEPT or shape.is_tool_name(leaf)


def restore_reply(text: str, exchange: Restoring, rules: ReplyRules) -> str:
    """Restore the body of a whole reply.

    A body that is neither a JSON object nor a list is restored as one text, with the values that both the user and
    every tool may get: what it says to one of them could not be told from the rest.
    """
    document = read_reply(text)
    if document is None:
        channel = Channel.JSON if text.lstrip()[:1] in ("{", "[", '"') else Channel.TEXT
        return restore_unread(text, exchange, "reply", channel)
    return _WholeReply(document, exchange, rules).run()


def restore_unread(text: str, exchange: Restoring, path: str, channel: Channel) -> str:
    """Restore a text whose structure is not known."""
    return exchange.restore(text, channel, path, view=strictest_view(exchange.profile))


def view_at(path: Path, names: Mapping[Path, Sequence[str]], tools: Tools) -> View | None:
    """Return what may stand at a place of a reply; None for the user's view.

    Args:
        path: the place.
        names: those of the tools that the reply calls, by their places.
        tools: what they get.
    """
    tool = tools.shape.tool_at(path)
    if tool is not None:
        return tools.view(names.get(tool, ()))
    if path[:1] == ("metadata",):
        return View()  # what the application gave to the provider comes back to it; no model has seen it
    # Somewhere in a call of another shape: neither the tool nor whether it gets this is known.
    return strictest_view(tools.profile) if tools.shape.is_in_call(path) else None


def restore_leaf(
    leaf: Leaf, exchange: Restoring, rules: ReplyRules, tools: Tools, names: Mapping[Path, Sequence[str]]
) -> str:
    """Return what becomes of one leaf of a reply, as a whole; `names` are those of the tools, as for `view_at`."""
    if tools.shape.is_tool_name(leaf):
        return rules.names.tools.get(leaf.text, leaf.text)
    if is_kept(leaf, tools.shape):
        return leaf.text
    tool = tools.shape.tool_at(leaf.path)
    keys = rules.output_keys(leaf.path) if tool is None else tools.keys(names.get(tool, ()))
    if leaf.kind is Kind.KEY and leaf.text in keys:
        return keys[leaf.text]  # of arguments that are no string
    view = view_at(leaf.path, names, tools)
    return exchange.restore(restore_keys(leaf.text, keys), rules.channel(leaf.path), leaf.label, view=view)


def read_reply(text: str) -> Document | None:
    """Return the JSON object or list that a text is, as parsers of replies read it, if it is one."""
    try:
        document = parse(text, FIELD_NAMES, lenient=True)
    except UnknownContentError:
        return None
    return document if () in document.extents else None


class _WholeReply(EditedDocument):
    def __init__(self, document: Document, exchange: Restoring, rules: ReplyRules) -> None:
        super().__init__(document)
        self._exchange, self._rules = exchange, rules
        self._values = document.values()
        self._names = tool_names(document)
        self._tools = rules.tools(exchange.profile)
        self._offsets: dict[Path, Offsets] = {}  # by the path of the message

    def run(self) -> str:
        for leaf in self._document.leaves:
            restored = self._restore(leaf)
            if restored != leaf.text:
                self.edit(leaf, restored)
                self._drop_logprobs(leaf.path)
        self._move_citations()
        if self._exchange.profile.on_reply is OnReply.REDACT:
            self._hide_logprobs()
        return self.text()

    def _restore(self, leaf: Leaf) -> str:
        message = leaf.path[:-1]
        is_cited = leaf.path[-1] in ("content", "text") and (*message, "annotations") in self._document.extents
        if not is_cited or is_kept(leaf, self._rules.shape) or view_at(leaf.path, self._names, self._tools) is not None:
            return restore_leaf(leaf, self._exchange, self._rules, self._tools, self._names)
        stream = self._exchange.stream(self._rules.channel(leaf.path), leaf.label)
        keyed = with_keys(stream, self._rules.output_keys(leaf.path))
        restored, self._offsets[message] = restore_with_offsets(leaf.text, keyed)
        return restored

    def _drop_logprobs(self, path: Path) -> None:
        if path[0] != "choices" or path[-1] not in _LOGPROB_TEXTS:
            return
        extent = self._document.extents.get((*path[:2], "logprobs"))
        if extent is not None:
            self._edits[extent] = "null"

    def _hide_logprobs(self) -> None:
        """Let no token pass: it may tell what was hidden in a text, or what stands in no text at all."""
        whole = {path: (leaf.start, leaf.end) for path, leaf in self._values.items()} | dict(self._document.extents)
        for path, extent in whole.items():
            if path[-1:] == ("logprobs",) and "logprobs" not in path[:-1]:
                self._edits[extent] = "null"

    def _move_citations(self) -> None:
        for leaf in self._document.leaves:
            self._edits |= moved_in_document(leaf, self._values, self._rules)
        for message, offsets in self._offsets.items():
            for path, leaf in self._values.items():
                if path[: len(message) + 1] == (*message, "annotations"):
                    self._edits |= moved(leaf, offsets)


def moved(leaf: Leaf, offsets: Offsets) -> dict[tuple[int, int], str]:
    """Return the edit that moves an index of a citation; none where it stays."""
    if not offsets.changed or leaf.kind is not Kind.NUMBER or leaf.path[-1] not in ("start_index", "end_index"):
        return {}
    if not leaf.text.isdigit() or len(leaf.text) > _LONGEST_POSITION:
        return {}
    position = offsets.map(int(leaf.text), is_end=leaf.path[-1] == "end_index")
    return {(leaf.start, leaf.end): str(position)}


def moved_in_document(leaf: Leaf, values: Mapping[Path, Leaf], rules: ReplyRules) -> dict[tuple[int, int], str]:
    """Return the edit that gives a place in a document as it left the number that it has in the caller's own."""
    if leaf.kind is not Kind.NUMBER or leaf.path[-1] not in _PLACES:
        return {}
    index = values.get((*leaf.path[:-1], "document_index"))
    if index is None or not leaf.text.isdigit() or len(leaf.text) > _LONGEST_POSITION:
        return {}
    offsets = rules.cited(index.text)
    if offsets is None:
        return {}
    position = str(offsets.map(int(leaf.text), is_end=leaf.path[-1] == "end_char_index"))
    return {} if position == leaf.text else {(leaf.start, leaf.end): position}
