"""Lines of the files of a batch on their way back: results, errors, and the caller's own requests."""

import re
from collections.abc import Iterator

from privguard.core.errors import RestoreError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, cut, encode, in_one_line
from privguard.core.segments import Channel
from privguard.core.views import View, strictest_view
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.fields import FIELD_NAMES, is_known_word
from privguard_adapters.wire.replies import CHAT_REPLIES
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.reply_names import Names

_RESULT: Path = ("response", "body")
_REQUEST: Path = ("body",)
_KEPT: frozenset[Path] = frozenset({("id",), ("custom_id",), ("method",), ("url",), ("response", "request_id")})
_DOCUMENT = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\"\[{\]])")
_STEP = re.compile(r"[^/#]+")


class LineCutter:
    """Cut bytes into lines, in whatever pieces they come."""

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines that a chunk completes, with their ends."""
        first, *others = chunk.split(b"\n")
        if not others:
            self._held.append(chunk)
            return
        last = others.pop()
        held, self._held = [*self._held, first], [last] if last else []
        yield b"".join(held) + b"\n"
        for line in others:
            yield line + b"\n"

    def rest(self) -> bytes:
        """Return what is left: a line without an end, or nothing."""
        held, self._held = self._held, []
        return b"".join(held)


class ResultLine:
    """One line of a file that was asked for."""

    def __init__(self, raw: bytes) -> None:
        """Read a line.

        Raises:
            RestoreError: it is no object with a custom_id.
        """
        self._raw = raw
        document = read_reply(raw.decode("utf-8", "replace"))
        name = document.values().get(("custom_id",)) if document is not None else None
        if document is None or name is None or name.kind is not Kind.STRING:
            raise RestoreError("it is no object with a custom_id, so nobody knows whose values belong there")
        self._document: Document = document
        self.custom_id: str = name.text
        status = document.values().get(("response", "status_code"))
        self.failed = status is not None and not status.text.startswith("2")  # whether the provider refused it

    def restore(self, exchange: Restoring, codec: Codec, rules: ReplyRules, *, own_id: str = "") -> bytes:
        """Return the line with the values of its own request.

        Args:
            exchange: that of the request.
            codec: that of its route.
            rules: what it means for its reply.
            own_id: what the caller calls it, "" where it left under that name.
        """
        document, edits = self._document, dict[tuple[int, int], str]()
        values = document.values()
        if own_id:
            edits[values["custom_id",].start, values["custom_id",].end] = encode(own_id)
        done: tuple[Path, ...] = ()
        if _RESULT in document.extents:
            extent, done = document.extents[_RESULT], (_RESULT,)
            replies = codec.replies or (CHAT_REPLIES if self.failed else None)
            if replies is not None:
                edits[extent] = replies.whole(document.text[slice(*extent)], exchange, rules)
        elif _REQUEST in document.extents and ("url",) in values:
            extent, done = document.extents[_REQUEST], (_REQUEST,)
            edits[extent] = _restore_own(document.text[slice(*extent)], exchange, rules)
        for leaf in document.leaves:
            if leaf.kind is Kind.STRING and leaf.text and leaf.path not in _KEPT and not _is_below(leaf.path, done):
                view = None if leaf.path[0] == "error" else strictest_view(exchange.profile)
                restored = exchange.restore(leaf.text, Channel.TEXT, leaf.label, view=view)
                if restored != leaf.text:
                    edits[leaf.start, leaf.end] = encode(restored)
        restored = cut(document.text, edits)
        if restored == document.text:
            return self._raw
        return in_one_line(restored).encode("utf-8")


def _is_below(path: Path, roots: tuple[Path, ...]) -> bool:
    return any(path[: len(root)] == root for root in roots)


def _restore_own(body: str, exchange: Restoring, rules: ReplyRules) -> str:
    """Return the body of a request as the caller wrote it: no model has put anything there."""
    document = read_reply(body)
    if document is None:
        return body
    names = {**rules.names.tools, **rules.names.output}
    for each in rules.names.arguments.values():
        names |= each
    edits: dict[tuple[int, int], str] = {}
    for leaf in document.leaves:
        if leaf.kind in (Kind.KEY, Kind.STRING) and leaf.text:
            own = _own(leaf, exchange, names)
            if own != leaf.text:
                edits[leaf.start, leaf.end] = encode(own)
    return cut(body, edits)


def _own(leaf: Leaf, exchange: Restoring, names: Names) -> str:
    if leaf.text in FIELD_NAMES if leaf.kind is Kind.KEY else is_known_word(leaf.text):
        return leaf.text
    if leaf.text in names:
        return names[leaf.text]
    if leaf.path[-1] in ("$ref", "$id", "$dynamicRef"):
        return _STEP.sub(lambda step: names.get(step[0], step[0]), leaf.text)
    channel = Channel.JSON if _DOCUMENT.match(leaf.text) else Channel.TEXT
    return exchange.restore(leaf.text, channel, leaf.label, view=View())
