"""The documents of a request that a reply may cite, and where a place of one lies in the caller's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.leaf_edits import Change
from privguard.core.nested_texts import gather
from privguard.core.segments import Segment
from privguard_adapters.wire.identifiers import Renamed
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import RequestView, changes_of
from privguard_adapters.wire.rules import reply_rules

_SOURCE: Path = ("source", "data")
# The types of blocks that are documents, and where the text of one stands that has one.
DOCUMENTS: Mapping[str, Path] = {"document": _SOURCE}
_LONGEST_INDEX = 18  # digits


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingRules(ReplyRules):
    """What the caller's request means for a reply that may cite its documents."""

    documents: tuple[Offsets | None, ...] = ()  # from each as it left to the caller's own

    def cited(self, index: str) -> Offsets | None:
        """Return from a document of the request, as it left, to the caller's own; None where its places do not move."""
        number = int(index) if index.isdigit() and len(index) <= _LONGEST_INDEX else len(self.documents)
        return self.documents[number] if number < len(self.documents) else None


def citing_rules(
    view: RequestView, renamed: Renamed, outgoing: Sequence[Segment], *, kinds: Mapping[str, Path] = DOCUMENTS
) -> ReplyRules:
    """Return the rules for the reply to a request that may be cited.

    Args:
        view: the request as it was read.
        renamed: how its names have left.
        outgoing: its minimized segments.
        kinds: the types of blocks that are documents, as in `DOCUMENTS`.
    """
    plain = reply_rules(view, renamed)
    known = {each.name: getattr(plain, each.name) for each in fields(plain)}
    return CitingRules(**known, documents=sent_documents(view, outgoing, kinds=kinds))


def sent_documents(
    view: RequestView, outgoing: Sequence[Segment], *, kinds: Mapping[str, Path] = DOCUMENTS
) -> tuple[Offsets | None, ...]:
    """Return where the places of each document as it left lie in the caller's own; None where it is no plain text.

    Args:
        view: the request as it was read.
        outgoing: its minimized segments.
        kinds: the types of blocks that are documents, as in `DOCUMENTS`.
    """
    document = view.nodes[0].document if view.nodes else None
    found = [] if document is None else _documents(document, kinds)
    if document is None or not found:
        return ()
    changes = gather(view.nodes, changes_of(view, outgoing))
    numbers = {leaf.path: number for number, leaf in enumerate(document.leaves) if leaf.kind is Kind.STRING}
    values = document.values()
    return tuple([_sent(values, numbers, changes, path) for path in found])


def _documents(document: Document, kinds: Mapping[str, Path]) -> list[Path]:
    """Return where the text of each document would stand, in their order."""
    values = document.values()
    found = [
        (start, (*path, *kinds[kind]))
        for path, (start, _) in document.extents.items()
        if path[:1] == ("messages",) and "input" not in path and (kind := _text(values, (*path, "type"))) in kinds
    ]
    return [path for _, path in sorted(found)]


def _sent(
    values: Mapping[Path, Leaf], numbers: Mapping[Path, int], changes: Mapping[int, Change], path: Path
) -> Offsets | None:
    is_source = path[-len(_SOURCE) :] == _SOURCE
    if path not in numbers or (is_source and _text(values, (*path[:-1], "type")) != "text"):
        return None
    text, change = values[path].text, changes.get(numbers[path], ())
    if not isinstance(change, str):
        return Offsets.undoing(change)
    offsets = Offsets()
    offsets.note(change, text)  # between what they begin and what they end with alike
    return offsets


def _text(values: Mapping[Path, Leaf], path: Path) -> str:
    leaf = values.get(path)
    return leaf.text if leaf is not None else ""
