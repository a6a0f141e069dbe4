"""Content by hand: a text, or chat messages as plain dictionaries, to segments and back."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from privguard.core.errors import UnknownContentError
from privguard.core.segments import Channel, Role, Segment

Tree: TypeAlias = "str | int | float | bool | None | Sequence[Tree] | Mapping[str, Tree]"
Message: TypeAlias = Mapping[str, Tree]

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
# Parts whose content is not text: they cannot be minimized, so they do not pass.
_OPAQUE_PARTS = frozenset(
    {"image_url", "input_image", "image", "input_audio", "audio", "file", "input_file", "document"}
)
_STRUCTURAL = frozenset({"role", "type", "id", "tool_call_id"})
_MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class _Leaf:
    """Where a text stands: the keys that lead to it."""

    path: str
    text: str


def text_segments(text: str) -> tuple[Segment, ...]:
    """Return the one segment of a plain text."""
    return (Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text),)


def message_segments(messages: Sequence[Message]) -> tuple[Segment, ...]:
    """Return one segment for every text in the messages, in order.

    Raises:
        UnknownContentError: a message has no known role, or holds a part that is not text.
    """
    segments: list[Segment] = []
    for number, message in enumerate(messages):
        role = _role(message, number)
        segments += (
            Segment(path=leaf.path, role=role, channel=Channel.TEXT, text=leaf.text)
            for leaf in _leaves(message, f"messages[{number}]", 0)
        )
    return tuple(segments)


def rebuild_messages(messages: Sequence[Message], outgoing: Sequence[Segment]) -> list[dict[str, Tree]]:
    """Put minimized segments back where `message_segments` found them."""
    texts = iter([segment.text for segment in outgoing])
    return [cast("dict[str, Tree]", _replaced(message, lambda _: next(texts), "")) for message in messages]


def _role(message: object, number: int) -> Role:
    if not isinstance(message, Mapping):
        raise UnknownContentError(f"messages[{number}] is not a mapping with role and content; nothing was sent")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise UnknownContentError(f"messages[{number}].role is none of {', '.join(_ROLES)}; nothing was sent")
    return _ROLES[role]


def _leaves(node: Tree, path: str, depth: int) -> Iterator[_Leaf]:
    if depth > _MAX_DEPTH:
        raise UnknownContentError(f"the content nests deeper than {_MAX_DEPTH} levels; nothing was sent")
    if isinstance(node, str):
        nested = _nested(node) if path.endswith(".arguments") else None
        if nested is None:
            yield _Leaf(path, node)
        else:
            yield from _leaves(nested, f"{path}.$", depth + 1)
    elif isinstance(node, Mapping):
        kind = node.get("type")
        if isinstance(kind, str) and kind in _OPAQUE_PARTS:
            raise UnknownContentError(f"{path} is a part of type {kind}, which cannot be minimized; leave it out")
        for number, (key, child) in enumerate(node.items()):
            if key not in _STRUCTURAL or not isinstance(child, str):
                yield from _leaves(child, f"{path}.{key if key in _FIELDS else number}", depth + 1)
    elif isinstance(node, Sequence) and not isinstance(node, bytes | bytearray):
        for number, child in enumerate(node):
            yield from _leaves(child, f"{path}[{number}]", depth + 1)
    elif not (node is None or isinstance(node, bool | int | float)):
        raise UnknownContentError(f"{path} is not text, a number, a list or a mapping; nothing was sent")


_FIELDS = frozenset({"content", "text", "name", "tool_calls", "function", "arguments", "refusal", "function_call"})


def _nested(text: str) -> Tree:
    """Return the JSON container that a text holds, else None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return cast("Tree", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _replaced(node: Tree, take: Callable[[str], str], key: str) -> Tree:
    """Copy a tree with every text leaf replaced, in the order of `_leaves`."""
    if isinstance(node, str):
        nested = _nested(node) if key == "arguments" else None
        if nested is None:
            return take(node)
        changed = _replaced(nested, take, "")
        return node if changed == nested else json.dumps(changed, ensure_ascii=False)
    if isinstance(node, Mapping):
        return {
            name: child if name in _STRUCTURAL and isinstance(child, str) else _replaced(child, take, name)
            for name, child in node.items()
        }
    if isinstance(node, Sequence):
        return [_replaced(child, take, "") for child in node]
    return node
