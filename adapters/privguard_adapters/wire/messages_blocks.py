"""The content blocks of the Messages API, in a request: which of them may leave, and who speaks in them.

Deny by default: a block or a source of a type that is not listed is refused, and so is what the provider keeps of a
conversation: what is spoken of in the reply then, this request has no values of.
"""

from collections.abc import Mapping

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, Leaf, Path
from privguard.core.segments import Role
from privguard_adapters.wire.block_names import OF_CALLERS, OF_MODELS, WITHIN
from privguard_adapters.wire.layout import message_role
from privguard_adapters.wire.media import Medium

BLOCKS = frozenset((OF_MODELS + OF_CALLERS).split())
_CONTENTS = BLOCKS | frozenset(WITHIN.split())  # what may stand in a block
SOURCES = frozenset({"text", "content"})
_FILES = frozenset({"base64", "url", "file"})  # sources that no detector can read
_MEDIA = frozenset({"image", "document"})  # blocks that may have one
_KNOWN = _FILES | _MEDIA | {"container_upload"}
_KEPT = {
    "thread": "a conversation that the provider keeps is not supported yet; send the messages themselves",
    "compaction": "what is left of a conversation then cannot be read; send the messages themselves",
}


def role_at(path: Path, values: Mapping[Path, Leaf]) -> Role:
    """Return who speaks at a place of a request."""
    if path[0] == "system":
        return Role.SYSTEM
    role = message_role(path, values)
    if role is Role.USER and len(path) > 4:
        kind = values.get((*path[:4], "type"))
        return Role.TOOL if kind is not None and kind.text == "tool_result" else role
    return role


def check_blocks(values: Mapping[Path, Leaf]) -> None:
    """Refuse what cannot be minimized.

    Raises:
        UnknownContentError: the request holds such a block, source or field.
    """
    for path, leaf in values.items():
        if path[0] in _KEPT and leaf.kind is not Kind.LITERAL:
            raise UnknownContentError(f"{leaf.label}: {_KEPT[str(path[0])]}")
        if path[:2] == ("context_management", "edits") and path[-1] == "type" and leaf.text.startswith("compact"):
            raise UnknownContentError(f"{leaf.label}: {_KEPT['compaction']}")
        _check_type(path, leaf, values)


def media_of(values: Mapping[Path, Leaf]) -> dict[Path, Medium]:
    """Return the blocks that no detector can read, by their paths: images, and documents that are files."""
    return {
        path[:-1]: Medium(label=leaf.label, kind=leaf.text)
        for path, leaf in values.items()
        if _allowed(path) in (BLOCKS, _CONTENTS) and _is_medium(path[:-1], values)
    }


def _is_medium(block: Path, values: Mapping[Path, Leaf]) -> bool:
    kind, source = values.get((*block, "type")), values.get((*block, "source", "type"))
    if kind is None or kind.text not in _MEDIA:
        return False
    return kind.text == "image" or (source is not None and source.text in _FILES)


def _check_type(path: Path, leaf: Leaf, values: Mapping[Path, Leaf]) -> None:
    allowed = _allowed(path)
    if allowed is None or leaf.text in allowed:
        return
    if leaf.text == "container_upload" and message_role(path, values) is Role.ASSISTANT:
        return  # a file that the provider's tools have made
    if _is_medium(path[:-2] if allowed is SOURCES else path[:-1], values):
        return  # the profile says whether it leaves
    kind = leaf.text if leaf.text in _KNOWN else "of a type that is not known"
    raise UnknownContentError(
        f"{leaf.label} is {kind}: only text can be minimized; leave the block out, or describe it in text"
    )


def _allowed(path: Path) -> frozenset[str] | None:
    """Return what may stand at a path as the type of a block, or of its source; None where it is no type of these."""
    if path[-1] != "type" or path[0] not in ("messages", "system"):
        return None
    if path[4:5] == ("input",) and len(path) > 5:
        return None  # the arguments of a call: whatever they hold is content
    place = path[1:] if path[0] == "system" else path[2:]
    if place[-2:-1] == ("source",):
        return SOURCES
    if len(place) == (2 if path[0] == "system" else 3) and (path[0] == "system" or place[0] == "content"):
        return BLOCKS
    return _CONTENTS if "content" in (place[-2:-1] + place[-3:-2]) else None
