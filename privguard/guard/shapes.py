"""Content by hand: a text, or chat messages as plain dictionaries, to segments and back.

One walk serves both ways: it offers every text to a visitor, which notes it on the way out of the caller's hands and
replaces it on the way back. So the two can never disagree about what is content.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from privguard.core.errors import UnknownContentError
from privguard.core.segments import Channel, Role, Segment

# Typed dictionaries of the SDKs are mappings to `object`; what is not JSON in one is refused while walking.
Message: TypeAlias = Mapping[str, object]
Visit: TypeAlias = Callable[[str, str], str]  # (path, text) -> text

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
_TOKEN = re.compile(r"[A-Za-z0-9_.:-]{1,128}\Z")
_FIELDS = _STRUCTURAL | {
    "content",
    "text",
    "name",
    "tool_calls",
    "function",
    "arguments",
    "refusal",
    "function_call",
}
_MIN_DIGITS = 6  # a number shorter than this identifies nobody
_MAX_DEPTH = 64


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

        def note(path: str, text: str, role: Role = role) -> str:
            segments.append(Segment(path=path, role=role, channel=Channel.TEXT, text=text))
            return text

        _walk(message, f"messages[{number}]", note, 0)
    return tuple(segments)


def rebuild_messages(messages: Sequence[Message], outgoing: Sequence[Segment]) -> list[dict[str, object]]:
    """Put minimized segments back where `message_segments` found them."""
    texts = iter([segment.text for segment in outgoing])
    return [
        cast("dict[str, object]", _walk(message, f"messages[{number}]", lambda _path, _text: next(texts), 0))
        for number, message in enumerate(messages)
    ]


def _role(message: object, number: int) -> Role:
    if not isinstance(message, Mapping):
        raise UnknownContentError(f"messages[{number}] is not a mapping with role and content; nothing was sent")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise UnknownContentError(f"messages[{number}].role is none of {', '.join(_ROLES)}; nothing was sent")
    return _ROLES[role]


def _walk(node: object, path: str, visit: Visit, depth: int) -> object:
    """Return a copy of the tree with every text, long number and foreign key passed through `visit`."""
    if depth > _MAX_DEPTH:
        raise UnknownContentError(f"the content nests deeper than {_MAX_DEPTH} levels; nothing was sent")
    if isinstance(node, str):
        return _walk_text(node, path, visit, depth)
    if isinstance(node, Mapping):
        return _walk_mapping(node, path, visit, depth)
    if isinstance(node, Sequence) and not isinstance(node, bytes | bytearray):
        return [_walk(child, f"{path}[{number}]", visit, depth + 1) for number, child in enumerate(node)]
    if isinstance(node, int | float) and not isinstance(node, bool):
        spelled = repr(node)
        if sum(letter.isdigit() for letter in spelled) < _MIN_DIGITS:
            return node
        changed = visit(path, spelled)
        return node if changed == spelled else changed
    if node is None or isinstance(node, bool):
        return node
    raise UnknownContentError(f"{path} is not text, a number, a list or a mapping; nothing was sent")


def _walk_text(text: str, path: str, visit: Visit, depth: int) -> object:
    nested = _nested(text) if path.endswith(".arguments") else None
    if nested is None:
        return visit(path, text)
    changed = _walk(nested, f"{path}.$", visit, depth + 1)
    return text if changed == nested else json.dumps(changed, ensure_ascii=False)


def _walk_mapping(node: Mapping[str, object], path: str, visit: Visit, depth: int) -> object:
    kind = node.get("type")
    if isinstance(kind, str) and kind in _OPAQUE_PARTS:
        raise UnknownContentError(f"{path} is a part of type {kind}, which cannot be minimized; leave it out")
    changed: dict[str, object] = {}
    for number, (key, child) in enumerate(node.items()):
        if key in _STRUCTURAL and isinstance(child, str) and _TOKEN.match(child):
            changed[key] = child
            continue
        known = key in _FIELDS
        name = key if known else visit(f"{path}.{{{number}}}", key)
        changed[name] = _walk(child, f"{path}.{key if known else number}", visit, depth + 1)
    if len(changed) != len(node):
        raise UnknownContentError(f"two keys of {path} would become one; nothing was sent")
    return changed


def _nested(text: str) -> object:
    """Return the JSON container that a text holds, else None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        nested: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return nested
