"""Change the leaves of a document in its raw text, and keep the spelling of everything else, escapes within a leaf too.

A change is a whole new text, or edits of the text that a reader of the document sees. These are found in the raw text
by the offsets of its code points, so `caf\\u00e9` keeps its escape where a name beside it is replaced.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from privguard.core.edits import Edit, splice
from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, encode, plain_number
from privguard.core.patterns import lazy_pattern

Change: TypeAlias = str | Sequence[Edit]

# One decoded code point as it is spelled: the halves of a pair, each an escape or itself, an escape, or itself.
_SPELLED = lazy_pattern(
    r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}|[\ud800-\udbff])(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff])"
    r"|\\u[0-9a-fA-F]{4}|\\[\"\\/bfnrt]|[\s\S]"
)
_QUOTED = (Kind.STRING, Kind.KEY)
_UNQUOTED = (Kind.NUMBER, Kind.LITERAL)


class Spelling:
    """Where the code points of a leaf stand in the text of its document."""

    __slots__ = ("_end", "_leaf", "_places", "_same", "_start")

    def __init__(self, document: Document, leaf: Leaf) -> None:
        quoted = leaf.kind in _QUOTED
        self._leaf = leaf
        self._start, self._end = leaf.start + quoted, leaf.end - quoted
        # An escape is longer than what it stands for, so equal lengths tell that there is none.
        self._same = self._end - self._start == len(leaf.text)
        self._places: list[int] = []
        if leaf.kind in _UNQUOTED:
            self._same = document.text[leaf.start : leaf.end] == leaf.text
        elif not self._same:
            self._places = [one.start() for one in _SPELLED.finditer(document.text, self._start, self._end)]

    def at(self, offset: int) -> int:
        """Return where a code point begins. An offset may be the end; a number that was respelled has edges only."""
        if self._same:
            return self._start + offset
        if self._leaf.kind in _UNQUOTED:
            return self._start if offset == 0 else self._end
        return self._places[offset] if offset < len(self._places) else self._end


def edit_leaf(document: Document, leaf: Leaf, change: Change, spelling: Spelling | None = None) -> list[Edit]:
    """Return the edits of the text of a document that change one of its leaves. A number becomes a string."""
    if isinstance(change, str) or leaf.kind in _UNQUOTED:
        return [Edit(start=leaf.start, end=leaf.end, replacement=_spell(changed_text(leaf, change), leaf.kind))]
    known = spelling or Spelling(document, leaf)
    return [
        Edit(
            start=known.at(edit.start),
            end=known.at(edit.end),
            replacement=edit.replacement if leaf.kind is Kind.PIECE else encode(edit.replacement)[1:-1],
        )
        for edit in change
    ]


def edit_leaves(document: Document, changes: Mapping[int, Change]) -> list[Edit]:
    """Return the edits of the text of a document that change the leaves of the given indices.

    Raises:
        UnknownContentError: two keys of one object would become the same.
    """
    _check_keys(document, changes)
    return [edit for at in sorted(changes) for edit in edit_leaf(document, document.leaves[at], changes[at])]


def splice_leaves(document: Document, changes: Mapping[int, Change]) -> str:
    """Return the raw text of a document with the leaves of the given indices changed.

    Raises:
        UnknownContentError: two keys of one object would become the same.
    """
    return splice(document.text, edit_leaves(document, changes))


def changed_text(leaf: Leaf, change: Change) -> str:
    """Return what a leaf says once it is changed."""
    if isinstance(change, str):
        return change
    return splice(plain_number(leaf.text) if leaf.kind is Kind.NUMBER else leaf.text, change)


def _spell(text: str, kind: Kind) -> str:
    if kind is Kind.PIECE:
        return text
    return encode(text)[1:-1] if kind is Kind.ESCAPED else encode(text)


def _check_keys(document: Document, changes: Mapping[int, Change]) -> None:
    changed = {document.leaves[index].path[:-1] for index in changes if document.leaves[index].kind is Kind.KEY}
    if not changed:
        return
    seen: dict[tuple[Path, str], str] = {}
    for index, leaf in enumerate(document.leaves):
        if leaf.kind is not Kind.KEY or leaf.path[:-1] not in changed:
            continue
        name = (leaf.path[:-1], changed_text(leaf, changes.get(index, leaf.text)))
        if seen.setdefault(name, leaf.text) != leaf.text:
            raise UnknownContentError(f"{leaf.label} would get the name of another key of the same object")
