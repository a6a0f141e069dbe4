"""Read the segments out of a request body and write them back: one reader for every codec, driven by its layout."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.segments import Channel, Role, Segment
from privguard_adapters.wire.fields import (
    FIELD_NAMES,
    ROLES,
    Use,
    bare_name,
    is_known_word,
    is_long_number,
    is_token,
    plain_number,
    without_release,
)
from privguard_adapters.wire.json_leaves import Document, Kind, Leaf, Path, Pattern, decode, parse, splice
from privguard_adapters.wire.schema import schema_use

_TEXT_PARTS = frozenset({"text", "refusal"})
_MEDIA_PARTS = frozenset({"image_url", "input_audio", "file", "image", "input_image", "input_file", "video_url"})
_PROSE = frozenset({"content", "text", "prompt", "input", "arguments", "refusal", "suffix"})
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")

_MAX_NESTING = 3  # JSON in a string in JSON: deeper documents are read as text


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the structural places of one API are. Everything else is content."""

    tokens: frozenset[Pattern]  # identifiers
    words: frozenset[Pattern] = frozenset()  # strings with values that the provider defines
    options: frozenset[Pattern] = frozenset()  # numbers
    names: frozenset[Pattern] = frozenset()
    documents: frozenset[Pattern] = frozenset()  # JSON in a string
    schemas: frozenset[Pattern] = frozenset()  # their roots
    inspect: Callable[[Mapping[Path, Leaf]], None] = field(default=lambda _values: None)
    role: Callable[[Path, Mapping[Path, Leaf]], Role] = field(default=lambda _path, _values: Role.OTHER)

    def use(self, leaf: Leaf, role: Role) -> Use:
        """Say what a leaf is."""
        pattern = leaf.pattern
        if pattern[:1] == ("logit_bias",):
            return Use.TOKEN if leaf.kind in (Kind.KEY, Kind.STRING) else Use.FIXED
        for length in range(1, len(pattern)):
            if pattern[:length] in self.schemas:
                return schema_use(leaf.path[length:], leaf.kind)
        if leaf.kind is Kind.KEY:
            return Use.CONTENT
        if leaf.kind is Kind.STRING:
            use = self._string_use(pattern)
            # The name of a tool's message is that of the function, which is never renamed.
            return Use.TOKEN if use is Use.NAME and role is Role.TOOL else use
        if leaf.kind is Kind.LITERAL or pattern in self.options:
            return Use.OPTION
        return Use.CONTENT if pattern[0] == "metadata" else Use.FIXED

    def _string_use(self, pattern: Pattern) -> Use:
        for places, use in (
            (self.tokens, Use.TOKEN),
            (self.words, Use.WORD),
            (self.names, Use.NAME),
            (self.documents, Use.JSON),
        ):
            if pattern in places:
                return use
        return Use.CONTENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A text that leaves as it is, provided that nothing sensitive is found in it."""

    label: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A document of the request: the body itself, or one in a string of another document."""

    document: Document
    parent: int = -1  # index of the node that holds it
    leaf: int = -1  # index of the leaf that holds it


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a segment stands."""

    node: int
    leaf: int
    is_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """A request as the guard sees it, with everything that is needed to write it back."""

    target: str
    stream: bool
    segments: tuple[Segment, ...]
    checks: tuple[Check, ...]
    json_reply: bool = False  # the caller asked for JSON: values in the reply are escaped for it
    raw: bytes = field(default=b"", repr=False)
    nodes: tuple[Node, ...] = field(default=(), repr=False)
    places: tuple[Place, ...] = ()


def read_body(raw: bytes, layout: Layout) -> RequestView:
    """Read a request body.

    Raises:
        UnknownContentError: the body is not a JSON object, or holds what cannot be minimized.
    """
    document = parse(decode(raw), FIELD_NAMES)
    if () not in document.extents or not document.text.lstrip(" \t\n\r").startswith("{"):
        raise UnknownContentError("the body is not a JSON object")
    values = document.values()
    layout.inspect(values)
    reader = _Reader(layout, values)
    reader.read(document)
    return RequestView(
        target=_text(values, "model"),
        stream=_text(values, "stream") == "true",
        segments=tuple(reader.segments),
        checks=tuple(reader.checks),
        json_reply=_text(values, "response_format", "type") in ("json_object", "json_schema"),
        raw=raw,
        nodes=tuple(reader.nodes),
        places=tuple(reader.places),
    )


def write_body(view: RequestView, outgoing: Sequence[Segment]) -> bytes:
    """Put minimized segments in the place of the ones that were read. What did not change keeps its bytes.

    Raises:
        PlanError: the segments are not those of the view.
        UnknownContentError: a name cannot be written where it stands, or two keys would become one.
    """
    if [segment.path for segment in outgoing] != [segment.path for segment in view.segments]:
        raise PlanError("the minimized segments are not those of the request; nothing was sent")
    edits: list[dict[int, str]] = [{} for _ in view.nodes]
    for place, old, new in zip(view.places, view.segments, outgoing, strict=True):
        if new.text != old.text:
            edits[place.node][place.leaf] = _as_name(new) if place.is_name else new.text
    if not any(edits):
        return view.raw
    for node, changed in zip(reversed(view.nodes), reversed(edits), strict=True):
        if changed and node.parent >= 0:
            edits[node.parent][node.leaf] = splice(node.document, changed)
    return splice(view.nodes[0].document, edits[0]).encode("utf-8")


def _as_name(segment: Segment) -> str:
    name = bare_name(segment.text)
    if name is None:
        raise UnknownContentError(
            f"{segment.path} holds something sensitive, and its replacement is no valid name there; rename it"
        )
    return name


def _text(values: Mapping[Path, Leaf], *path: str) -> str:
    leaf = values.get(path)
    return leaf.text if leaf is not None else ""


class _Reader:
    """Collects the segments and checks of all documents of a request."""

    def __init__(self, layout: Layout, values: Mapping[Path, Leaf]) -> None:
        self._layout, self._values = layout, values
        self.segments: list[Segment] = []
        self.checks: list[Check] = []
        self.nodes: list[Node] = []
        self.places: list[Place] = []

    def read(self, document: Document) -> None:
        self.nodes.append(Node(document=document))
        for index, leaf in enumerate(document.leaves):
            role = self._layout.role(leaf.path, self._values)
            use = self._layout.use(leaf, role)
            if use is Use.JSON and self._nest(Place(node=0, leaf=index), leaf, role, leaf.label):
                continue
            self._note(Place(node=0, leaf=index, is_name=use is Use.NAME), leaf, use, role)

    def _note(self, place: Place, leaf: Leaf, use: Use, role: Role) -> None:
        fixed_word = leaf.kind is Kind.KEY and leaf.text in FIELD_NAMES
        if use is Use.OPTION or leaf.kind is Kind.LITERAL or fixed_word or not leaf.text.strip():
            return
        if use is Use.TOKEN:
            self._check_token(leaf)
        elif use is Use.FIXED:
            if is_long_number(leaf.text):
                self.checks.append(Check(label=leaf.label, text=plain_number(leaf.text)))
        elif use is not Use.WORD or not is_known_word(leaf.text):
            if is_binary(leaf):
                raise UnknownContentError(f"{leaf.label} holds binary data, which cannot be minimized; leave it out")
            channel = Channel.SCHEMA if use is Use.SCHEMA else Channel.TEXT
            self._add(place, leaf, role, channel)

    def _check_token(self, leaf: Leaf) -> None:
        if not is_token(leaf.text):
            raise UnknownContentError(
                f"{leaf.label} holds {len(leaf.text)} characters that are no identifier; privguard sends this field as "
                "it is and therefore only letters, digits and . _ - : / @ in it"
            )
        if not is_known_word(leaf.text):
            text = without_release(leaf.text) if leaf.path == ("model",) else leaf.text
            self.checks.append(Check(label=leaf.label, text=text))

    def _nest(self, place: Place, leaf: Leaf, role: Role, label: str) -> bool:
        """Read a string as a JSON document of its own; False where it holds none."""
        if leaf.text.lstrip(" \t\n\r")[:1] not in ("{", "["):
            return False
        try:
            document = parse(leaf.text)
        except UnknownContentError:
            return False
        number = len(self.nodes)
        self.nodes.append(Node(document=document, parent=place.node, leaf=place.leaf))
        deep = label.count(".$") + 1 >= _MAX_NESTING
        for index, inner in enumerate(document.leaves):
            inner_place = Place(node=number, leaf=index)
            inner_label = f"{label}.${inner.label}" if inner.label.startswith("[") else f"{label}.$.{inner.label}"
            if inner.kind is Kind.STRING and not deep and self._nest(inner_place, inner, role, inner_label):
                continue
            known = inner.kind is Kind.KEY and inner.text in FIELD_NAMES
            if inner.kind is not Kind.LITERAL and not known and inner.text.strip():
                self._add(inner_place, inner._replace(label=inner_label), role, Channel.TEXT)
        return True

    def _add(self, place: Place, leaf: Leaf, role: Role, channel: Channel) -> None:
        text = plain_number(leaf.text) if leaf.kind is Kind.NUMBER else leaf.text
        self.places.append(place)
        self.segments.append(Segment(path=leaf.label, role=role, channel=channel, text=text))


def message_role(path: Path, values: Mapping[Path, Leaf]) -> Role:
    """Return who speaks at a place below `messages`."""
    if len(path) < 2 or path[0] != "messages":
        return Role.OTHER
    leaf = values.get((*path[:2], "role"))
    return ROLES.get(leaf.text, Role.OTHER) if leaf is not None else Role.OTHER


def check_parts(values: Mapping[Path, Leaf], *roots: str) -> None:
    """Refuse content parts that are not text.

    Args:
        values: the leaves of the body.
        roots: the fields below which `content` may be a list of parts.
    """
    for path, leaf in values.items():
        if path[0] in roots and path[-1] == "type" and path[-3:-2] == ("content",) and leaf.text not in _TEXT_PARTS:
            kind = leaf.text if leaf.text in _MEDIA_PARTS else "an unknown type"
            raise UnknownContentError(
                f"{leaf.label} is {kind}: only text can be minimized; leave the part out, or describe it in text"
            )


def is_binary(leaf: Leaf) -> bool:
    """Tell whether a string holds a medium rather than words."""
    if leaf.text[:5].lower() == "data:" and ";base64," in leaf.text[:256]:
        return True
    return leaf.path[-1] not in _PROSE and len(leaf.text) > 1024 and _BASE64.fullmatch(leaf.text) is not None


def check_no_token_ids(values: Mapping[Path, Leaf], root: str) -> None:
    """Refuse text that the caller has already turned into token ids: it cannot be read.

    Args:
        values: the leaves of the body.
        root: the field that may hold strings or token ids.
    """
    for path, leaf in values.items():
        if path[0] == root and leaf.kind is Kind.NUMBER:
            raise UnknownContentError(f"{root} holds token ids, which cannot be minimized; send the text itself")
