"""The texts within a text: JSON in a string is read inside, however deep, and spliced back without loss.

A detector must see what a reader of the document sees. `{"name": "Zo\\u00eb"}` holds a name that its characters do not
show, so the strings and numbers of a document are texts of their own. A text that is no document but holds escapes -
cut off, embedded in prose, of several documents - is cut into its quoted strings and what is between them; those that
hold escapes are read without them. Everything that does not change keeps its spelling.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from privguard.core.edits import Edit, splice
from privguard.core.errors import UnknownContentError
from privguard.core.json_escapes import ESCAPE, said_by
from privguard.core.json_leaves import Document, Kind, Leaf, parse, plain_number
from privguard.core.leaf_edits import Change, Spelling, edit_leaf, edit_leaves
from privguard.core.patterns import lazy_pattern

_NEAR = 16  # leaves before and behind a text in which what stands beside it is looked for
MAX_NESTING = 32  # documents in strings of documents; each level doubles the backslashes of the next

# A quote opens a string that ends on its line; what is between the strings of a line is a run.
_PIECE = lazy_pattern(r'("(?:[^"\\\n]|\\[^\n]|\\\Z)*+"?)|((?:[^"\\\n]|\\[^\n]|\\(?=\n|\Z))++)|\n')
_TELLING = lazy_pattern(r'\\(?:u[0-9a-fA-F]{4}|["/])')  # a path or a pattern in prose has the other escapes too
_PAIR = lazy_pattern("[\ud800-\udbff][\udc00-\udfff]")
_HALF = lazy_pattern("[\ud800-\udfff]")


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
        self._spellings: dict[Place, Spelling] = {}

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

    def spelling(self, place: Place) -> Spelling:
        """Return where the code points of a leaf stand in the text of its document."""
        known = self._spellings.get(place)
        if known is None:
            document = self.nodes[place.node].document
            known = self._spellings[place] = Spelling(document, document.leaves[place.leaf])
        return known


class Written(NamedTuple):
    """A text within, where it stands in the string that holds it."""

    nested: NestedTexts
    root: Place  # of the string
    place: Place
    string: str

    def __repr__(self) -> str:
        return f"Written({self.root}, {self.place}, {len(self.string)})"

    @property
    def in_document(self) -> bool:
        """Tell whether the string is a JSON document."""
        outermost = self.place
        for place in self._places():
            outermost = place
        return outermost != self.root and bool(self.nested.nodes[outermost.node].document.extents)

    @property
    def is_number(self) -> bool:
        """Tell whether the text is a number, which becomes a string where it is replaced."""
        leaf = self.nested.nodes[self.place.node].document.leaves[self.place.leaf]
        return self.place != self.root and leaf.kind is Kind.NUMBER

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys under which the text stands in its document, the nearest first; none for keys."""
        leaf = self.nested.nodes[self.place.node].document.leaves[self.place.leaf]
        if self.place == self.root or leaf.kind is Kind.KEY:
            return ()
        return tuple([step for step in reversed(leaf.path) if isinstance(step, str)])

    def beside(self, keys: Sequence[str]) -> str:
        """Return the string that stands near the text in its object, under the first key that has one; "" for none."""
        leaves = self.nested.nodes[self.place.node].document.leaves
        *parent, own = leaves[self.place.leaf].path or (0,)
        if self.place == self.root or not isinstance(own, str):
            return ""
        near = leaves[max(0, self.place.leaf - _NEAR) : self.place.leaf + _NEAR]
        found = {leaf.path: leaf.text for leaf in near if leaf.kind is Kind.STRING}
        return next((text for key in keys if (text := found.get((*parent, key)))), "")

    def offset(self, offset: int) -> int:
        """Return where a code point of the text stands in the string.

        An offset may be the end of the text. Where that is a number that was respelled, its edges stand for all of it.
        """
        for place in self._places():
            offset = self.nested.spelling(place).at(offset)
        return offset

    def spelled(self, start: int, end: int) -> str:
        """Return how `[start, end)` of the text is spelled in the string."""
        return self.string[self.offset(start) : self.offset(end)]

    def edits(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits of the string that make the given edits of the text."""
        for place in self._places():
            node = self.nested.nodes[place.node]
            edits = edit_leaf(node.document, node.document.leaves[place.leaf], edits, self.nested.spelling(place))
        return edits

    def _places(self) -> Iterator[Place]:
        """Yield the leaves that hold the text, from the innermost on."""
        place = self.place
        while place != self.root:
            yield place
            parent = self.nested.nodes[place.node].parent
            if parent is None:
                return
            place = parent


def gather(nodes: Sequence[Node], changes: Mapping[Place, Change]) -> dict[int, Change]:
    """Return what the changes of the texts at the given places make of the leaves of the outermost document, node 0.

    Raises:
        UnknownContentError: two keys of one object would become the same.
    """
    changed: list[dict[int, Change]] = [{} for _ in nodes]
    for place, change in changes.items():
        changed[place.node][place.leaf] = change
    for number in range(len(nodes) - 1, 0, -1):
        parent = nodes[number].parent
        if changed[number] and parent is not None:
            changed[parent.node][parent.leaf] = edit_leaves(nodes[number].document, changed[number])
    return changed[0]


def write(nodes: Sequence[Node], changes: Mapping[Place, Change]) -> str:
    """Return the text of the outermost document, node 0, with the texts at the given places changed.

    Raises:
        UnknownContentError: two keys of one object would become the same.
    """
    return splice(nodes[0].document.text, edit_leaves(nodes[0].document, gather(nodes, changes)))


def document_in(text: str) -> Document | None:
    """Return the object or list that a text is, or its pieces where it holds escapes; None where it is plain."""
    if text.lstrip(" \t\n\r")[:1] in ("{", "["):
        try:
            return parse(text, lenient=True)
        except UnknownContentError:
            pass
    return _pieces(text) if "\\" in text else None


def _pieces(text: str) -> Document | None:
    """Cut a text into strings and runs that hold escapes, and what is between them; None where none does.

    Lines without a backslash go with the run beside them: they say the same either way, and what goes on over the end
    of a line is read in one piece.
    """
    leaves: list[Leaf] = []
    position = 0
    behind_run = False
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if start < position or not _TELLING.search(text, start, end):
            continue
        if match[1] is not None:
            start += 1
            end -= len(match[1]) > 1 and _is_closed(match[1])
        else:
            start, end = _with_lines(text, start, end, since=position)
            if behind_run and start == position:
                start = position = leaves.pop().start
        behind_run = match[1] is None
        _add(leaves, Kind.PIECE, text, position, start)
        _add(leaves, Kind.ESCAPED, text, start, end)
        position = end
    if not leaves:
        return None
    _add(leaves, Kind.PIECE, text, position, len(text))
    return Document(text=text, leaves=tuple(leaves), extents={})


def _with_lines(text: str, start: int, end: int, *, since: int) -> tuple[int, int]:
    """Return where what has no backslash begins before a run, and ends behind it, by whole lines."""
    before, after = text.rfind("\\", since, start), text.find("\\", end)
    first = since if before < 0 else text.find("\n", before, start) + 1 or start
    last = len(text) if after < 0 else text.rfind("\n", end, after) + 1 or end
    return first, last


def _is_closed(string: str) -> bool:
    inside = string[1:-1]
    return string.endswith('"') and (len(inside) - len(inside.rstrip("\\"))) % 2 == 0


def _add(leaves: list[Leaf], kind: Kind, text: str, start: int, end: int) -> None:
    if start < end:
        shown = text[start:end] if kind is Kind.PIECE else _unescaped(text[start:end])
        leaves.append(Leaf((len(leaves),), f"[{len(leaves)}]", kind, start, end, shown))


def _unescaped(text: str) -> str:
    decoded = ESCAPE.sub(said_by, text)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), decoded)
