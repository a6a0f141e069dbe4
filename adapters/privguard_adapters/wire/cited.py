"""The documents of a request that a reply may cite, and where a place of one lies in the caller's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.leaf_edits import Change
from privguard.core.nested_texts import gather
from privguard.core.segments import Segment
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import RequestView, changes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingRules(ReplyRules):
    """What the caller's request means for a reply that may cite its documents."""

    documents: tuple[Offsets | None, ...] = ()  # from each as it left to the caller's own


def sent_documents(view: RequestView, outgoing: Sequence[Segment]) -> tuple[Offsets | None, ...]:
    """Return where the places of each document as it left lie in the caller's own; None where it is no plain text.

    Args:
        view: the request as it was read.
        outgoing: its minimized segments.
    """
    document = view.nodes[0].document if view.nodes else None
    found = [] if document is None else _documents(document)
    if document is None or not found:
        return ()
    changes = gather(view.nodes, changes_of(view, outgoing))
    numbers = {leaf.path: number for number, leaf in enumerate(document.leaves) if leaf.kind is Kind.STRING}
    values = document.values()
    return tuple([_sent(values, numbers, changes, path) for path in found])


def _documents(document: Document) -> list[Path]:
    values = document.values()
    found = [
        (start, path)
        for path, (start, _) in document.extents.items()
        if path[:1] == ("messages",) and "input" not in path and _text(values, (*path, "type")) == "document"
    ]
    return [path for _, path in sorted(found)]


def _sent(
    values: Mapping[Path, Leaf], numbers: Mapping[Path, int], changes: Mapping[int, Change], path: Path
) -> Offsets | None:
    data: Path = (*path, "source", "data")
    if _text(values, (*path, "source", "type")) != "text" or data not in numbers:
        return None
    text, change = values[data].text, changes.get(numbers[data], ())
    if not isinstance(change, str):
        return Offsets.undoing(change)
    offsets = Offsets()
    offsets.note(change, text)  # between what they begin and what they end with alike
    return offsets


def _text(values: Mapping[Path, Leaf], path: Path) -> str:
    leaf = values.get(path)
    return leaf.text if leaf is not None else ""
