"""Content by hand: a text, or chat messages as plain dictionaries, to segments and back.

One walk serves both ways: it offers every text to a visitor, which notes it on the way out of the caller's hands and
replaces it on the way back. So the two can never disagree about what is content. All but a few fixed words is content,
and a text that holds JSON is read inside of it, as a model would read it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from privguard.core.edits import splice
from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.json_leaves import encode, parse
from privguard.core.leaf_edits import Change
from privguard.core.nested_texts import NestedTexts, Place, Written, gather
from privguard.core.segments import Channel, Role, Segment

# Typed dictionaries of the SDKs are mappings to `object`; what is not JSON in one is refused while walking.
Message: TypeAlias = Mapping[str, object]
Locate: TypeAlias = Callable[[int], int]  # an offset in a text within -> the offset in the string that holds it


class Read(NamedTuple):
    """A text that the walk offers."""

    path: str
    text: str
    written: Written | None  # None: the text is the whole string

    def __repr__(self) -> str:
        return f"Read({self.path}, {len(self.text)})"

    def locate(self, offset: int) -> int:
        """Return where a code point of the text stands in the string that holds it."""
        return offset if self.written is None else self.written.offset(offset)

    def segment(self, role: Role) -> Segment:
        """Return it as a segment of what the caller gave."""
        return Segment(path=self.path, role=role, channel=Channel.TEXT, text=self.text, written=self.written)


Visit: TypeAlias = Callable[[Read], Change]

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
# Parts of a message that hold nothing but text. All others do not pass.
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal", "tool_use", "tool_result"})
_WORDS = {"role": frozenset(_ROLES), "type": _TEXT_PARTS | {"function", "custom"}}
_FIELDS = frozenset(
    {
        "role",
        "type",
        "id",
        "tool_call_id",
        "tool_use_id",
        "content",
        "text",
        "name",
        "tool_calls",
        "function",
        "custom",
        "input",
        "arguments",
        "refusal",
        "function_call",
    }
)
_MIN_DIGITS = 6  # a number shorter than this identifies nobody
_MAX_DEPTH = 64
_ACCEPTED = "privguard.minimize() takes a text, or a list of messages with role and content"


def text_segments(text: str) -> tuple[Segment, ...]:
    """Return the segments of a plain text: one, or one for every text within where it holds JSON."""
    segments: list[Segment] = []

    def note(read: Read) -> Change:
        segments.append(read.segment(Role.USER))
        return read.text

    _walk_text(text, "text", note)
    return tuple(segments)


def rebuild_text(text: str, outgoing: Sequence[Segment]) -> str:
    """Put minimized segments back where `text_segments` found them."""
    texts = iter(outgoing)
    return _walk_text(text, "text", lambda read: next(texts).change_of(read.text))


def message_segments(messages: Sequence[Message]) -> tuple[Segment, ...]:
    """Return one segment for every text in the messages, in order.

    Raises:
        UnknownContentError: these are no messages, one has no known role, or one holds a part that is not text.
    """
    _check_shape(messages)
    segments: list[Segment] = []
    for number, message in enumerate(messages):
        role = _role(message, number)

        def note(read: Read, role: Role = role) -> Change:
            segments.append(read.segment(role))
            return read.text

        _walk(message, f"messages[{number}]", note, 0)
    return tuple(segments)


def rebuild_messages(messages: Sequence[Message], outgoing: Sequence[Segment]) -> list[dict[str, object]]:
    """Put minimized segments back where `message_segments` found them.

    Raises:
        PlanError: the segments are not those of the messages.
        UnknownContentError: two keys of one mapping would become the same.
    """
    texts = iter(outgoing)

    def take(read: Read) -> Change:
        segment = next(texts, None)
        if segment is None or segment.path != read.path:
            raise PlanError("the minimized segments are not those of the messages; nothing was sent")
        return segment.change_of(read.text)

    return [
        cast("dict[str, object]", _walk(message, f"messages[{number}]", take, 0))
        for number, message in enumerate(messages)
    ]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the text of a segment stands in what the caller gave."""

    path: str  # of the string that holds it
    locate: Locate


def origins_of(content: str | Sequence[Message]) -> tuple[Origin, ...]:
    """Return the origin of every segment of `text_segments` or `message_segments`, in their order."""
    origins: list[Origin] = []

    def note(read: Read) -> Change:
        origins.append(Origin(read.path.partition(".$")[0], read.locate))
        return read.text

    if isinstance(content, str):
        _walk_text(content, "text", note)
    else:
        for number, message in enumerate(content):
            _walk(message, f"messages[{number}]", note, 0)
    return tuple(origins)


def _check_shape(messages: object) -> None:
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes | bytearray):
        raise UnknownContentError(f"{_ACCEPTED}, not {type(messages).__name__}; nothing was sent")


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
        return _walk_text(node, path, visit)
    if isinstance(node, Mapping):
        return _walk_mapping(node, path, visit, depth)
    if isinstance(node, Sequence) and not isinstance(node, bytes | bytearray | memoryview):
        return [_walk(child, f"{path}[{number}]", visit, depth + 1) for number, child in enumerate(node)]
    if isinstance(node, int | float) and not isinstance(node, bool):
        spelled = repr(node)
        if sum(letter.isdigit() for letter in spelled) < _MIN_DIGITS:
            return node
        changed = _changed(spelled, visit(Read(path, spelled, None)))
        return node if changed == spelled else changed
    if node is None or isinstance(node, bool):
        return node
    raise UnknownContentError(f"{path} is not text, a number, a list or a mapping; nothing was sent")


def _walk_text(text: str, path: str, visit: Visit) -> str:
    """Pass every text within a text through `visit`, and put those that change back in its place."""
    nested = NestedTexts()
    root = Place(nested.add(parse(encode(text), lenient=True)), 0)
    changes: dict[Place, Change] = {}
    for found in nested.read(text, path, root):
        if found.text[:5].lower() == "data:" and ";base64," in found.text[:256]:
            raise UnknownContentError(f"{found.label} holds binary data, which cannot be minimized; leave it out")
        place = found.place or root
        # A lone surrogate is shown as another character, so such a text is not the string itself.
        written = None if place == root and found.text == text else Written(nested, root, place, text)
        change = visit(Read(found.label, found.text, written))
        if change != found.text:
            changes[place] = change
    return _changed(text, gather(nested.nodes, changes)[root.leaf]) if changes else text


def _changed(text: str, change: Change) -> str:
    return change if isinstance(change, str) else splice(text, change)


def _walk_mapping(node: Mapping[str, object], path: str, visit: Visit, depth: int) -> object:
    changed: dict[str, object] = {}
    for number, (key, child) in enumerate(node.items()):
        if not isinstance(key, str):
            raise UnknownContentError(f"key {number} of {path} is not text; nothing was sent")
        if key == "content":
            _check_parts(child, f"{path}.content")
        known = key in _FIELDS
        name = key if known else _walk_text(key, f"{path}.{{{number}}}", visit)
        word = isinstance(child, str) and child in _WORDS.get(key, ())
        changed[name] = child if word else _walk(child, f"{path}.{key if known else number}", visit, depth + 1)
    if len(changed) != len(node):
        raise UnknownContentError(f"two keys of {path} would become one; nothing was sent")
    return changed


def _check_parts(content: object, path: str) -> None:
    """Refuse a part that may hold anything but text."""
    parts = content if isinstance(content, Sequence) and not isinstance(content, str) else [content]
    for number, part in enumerate(parts):
        if not isinstance(part, Mapping):
            continue
        kind = part.get("type")
        if kind is None and set(part) <= {"type", "text"}:
            continue
        if not isinstance(kind, str) or kind not in _TEXT_PARTS:
            raise UnknownContentError(
                f"{path}[{number}] is not a part of type {', '.join(sorted(_TEXT_PARTS))}: only text can be minimized; "
                "leave it out, or describe it in text"
            )
