"""A document of a reply, and what is put in the place of what came."""

from privguard.core.json_leaves import Document, Leaf, cut, encode


class EditedDocument:
    """The text of a JSON document with other values; whatever is not edited stays byte for byte."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._edits: dict[tuple[int, int], str] = {}  # by where they stand, what is written there

    @property
    def changed(self) -> bool:
        """Tell whether anything was put in the place of what came."""
        return bool(self._edits)

    def text(self) -> str:
        """Return the document with what was put in."""
        return cut(self._document.text, self._edits)

    def edit(self, leaf: Leaf, new: str) -> None:
        """Put a text in the place of a string; the last one counts."""
        self._edits.pop((leaf.start, leaf.end), None)
        if new != leaf.text:
            self._edits[leaf.start, leaf.end] = encode(new)
