"""The texts within a text: JSON in a string is read inside, however deep, and spliced back without loss.

A detector must see what a reader of the document sees. `{"name": "Zo\\u00eb"}` holds a name that its characters do not
show, so the strings and numbers of a document are texts of their own. A text that is no document but holds escapes -
cut off, embedded in prose, of several documents - is cut into its quoted strings and what is between them; those that
hold escapes are read without them. Everything that does not change keeps its spelling.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, parse, plain_number, splice

MAX_NESTING = 32  # documents in strings of documents; each level doubles the backslashes of the next

# A quote opens a string that ends on its line; what is between the strings of a line is a run.
_PIECE = re.compile(r'("(?:[^"\\\n]|\\[^\n]|\\\Z)*+"?)|((?:[^"\\\n]|\\[^\n]|\\(?=\n|\Z))++)|\n')
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_TELLING = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["/])')  # a path or a pattern in prose has the other escapes too
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# One decoded code point as it is spelled: the halves of a pair, each an escape or itself, an escape, or itself.
_SPELLED = re.compile(
    r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}|[\ud800-\udbff])(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff])"
    r"|\\u[0-9a-fA-F]{4}|\\[\"\\/bfnrt]|[\s\S]"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")


class Place(NamedTuple):
    """Where a text stands."""

    node: int
    leaf: int


class Found(NamedTuple):
    """One text, as a reader of its document sees it."""

    place: Place | None  # None: it is the whole text that was read
    label: str  # the path as it may be shown
    text: str
    kind: Kind

    def __repr__(self) -> str:
        return f"Found({self.label}, {self.kind.value}, {len(self.text)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A document, and the place of the string that holds it; None for the outermost."""

    document: Document
    parent: Place | None = None


class NestedTexts:
    """Documents and the documents within their strings, as they are read."""

    def __init__(self, known_keys: Collection[str] = frozenset()) -> None:
        """Start empty.

        Args:
            known_keys: fixed words, which are no texts where they are keys.
        """
        self.nodes: list[Node] = []
        self._known_keys = known_keys

    def add(self, document: Document, parent: Place | None = None) -> int:
        """Add a document and return the number of its node."""
        self.nodes.append(Node(document=document, parent=parent))
        return len(self.nodes) - 1

    def read(self, text: str, label: str, place: Place | None = None, kind: Kind = Kind.STRING) -> Iterator[Found]:
        """Yield every text within a text; the text itself where it holds no document and no escapes.

        Raises:
            UnknownContentError: documents nest deeper than `MAX_NESTING`.
        """
        document = document_in(text) if kind is not Kind.NUMBER else None
        if document is None:
            shown = plain_number(text) if kind is Kind.NUMBER else _HALF.sub("\ufffd", text)
            yield Found(place, label, shown, kind)
            return
        if label.count(".$") >= MAX_NESTING:
            raise UnknownContentError(f"JSON in strings nests deeper than {MAX_NESTING} levels; nothing was sent")
        node = self.add(document, place)
        for index, leaf in enumerate(document.leaves):
            if leaf.kind is Kind.LITERAL or not leaf.text.strip():
                continue
            if leaf.kind is Kind.KEY and leaf.text in self._known_keys:
                continue
            inner = f"{label}.${leaf.label}" if leaf.label.startswith("[") else f"{label}.$.{leaf.label}"
            if leaf.kind is Kind.PIECE:
                yield Found(Place(node, index), inner, leaf.text, leaf.kind)
            else:
                yield from self.read(leaf.text, inner, Place(node, index), leaf.kind)

    def offset_in(self, root: Place, place: Place, offset: int) -> int:
        """Return where a code point of a text within stands in the text of the leaf `root`.

        An offset may be the end of the text within. Where that text is a number that was respelled, its edges stand
        for all of it.
        """
        while place != root:
            node = self.nodes[place.node]
            offset = _offset_in_document(node.document.text, node.document.leaves[place.leaf], offset)
            if node.parent is None:
                break
            place = node.parent
        return offset


def _offset_in_document(text: str, leaf: Leaf, offset: int) -> int:
    if leaf.kind in (Kind.NUMBER, Kind.LITERAL):
        same = text[leaf.start : leaf.end] == leaf.text
        return leaf.start + offset if same else leaf.start if offset == 0 else leaf.end
    start = leaf.start + (leaf.kind in (Kind.STRING, Kind.KEY))
    if leaf.kind is Kind.PIECE or "\\" not in text[start : leaf.end]:
        return start + offset
    for number, spelled in enumerate(_SPELLED.finditer(text, start, leaf.end)):
        if number == offset:
            return spelled.start()
    return leaf.end - (leaf.kind in (Kind.STRING, Kind.KEY))


def write(nodes: list[Node] | tuple[Node, ...], edits: Mapping[Place, str]) -> str:
    """Return the text of the outermost document, node 0, with the texts at the given places replaced.

    Raises:
        UnknownContentError: two keys of one object would become the same.
    """
    changed: list[dict[int, str]] = [{} for _ in nodes]
    for place, text in edits.items():
        changed[place.node][place.leaf] = text
    for number in range(len(nodes) - 1, 0, -1):
        parent = nodes[number].parent
        if changed[number] and parent is not None:
            changed[parent.node][parent.leaf] = splice(nodes[number].document, changed[number])
    return splice(nodes[0].document, changed[0])


def document_in(text: str) -> Document | None:
    """Return the object or list that a text is, or its pieces where it holds escapes; None where it is plain."""
    if text.lstrip(" \t\n\r")[:1] in ("{", "["):
        try:
            return parse(text, lenient=True)
        except UnknownContentError:
            pass
    return _pieces(text) if "\\" in text else None


def _pieces(text: str) -> Document | None:
    """Cut a text into strings and runs that hold escapes, and what is between them; None where none does."""
    leaves: list[Leaf] = []
    position = 0
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if match[1] is not None:
            start += 1
            end -= len(match[1]) > 1 and _is_closed(match[1])
        if _TELLING.search(text, start, end):
            _add(leaves, Kind.PIECE, text, position, start)
            _add(leaves, Kind.ESCAPED, text, start, end)
            position = end
    if not leaves:
        return None
    _add(leaves, Kind.PIECE, text, position, len(text))
    return Document(text=text, leaves=tuple(leaves), extents={})


def _is_closed(string: str) -> bool:
    inside = string[1:-1]
    return string.endswith('"') and (len(inside) - len(inside.rstrip("\\"))) % 2 == 0


def _add(leaves: list[Leaf], kind: Kind, text: str, start: int, end: int) -> None:
    if start < end:
        shown = text[start:end] if kind is Kind.PIECE else _unescaped(text[start:end])
        leaves.append(Leaf((len(leaves),), f"[{len(leaves)}]", kind, start, end, shown))


def _unescaped(text: str) -> str:
    decoded = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else _plain(escape[2]), text)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), decoded)


def _plain(letter: str) -> str:
    return _PLAIN.get(letter, letter)
