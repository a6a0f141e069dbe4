"""Read the segments out of a request body and write them back: one reader for every codec, driven by its layout."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, Pattern, decode, parse, plain_number
from privguard.core.nested_texts import Found, NestedTexts, Node, Place, Written, write
from privguard.core.segments import Channel, Role, Segment
from privguard_adapters.wire.fields import (
    FIELD_NAMES,
    ROLES,
    Use,
    bare_name,
    is_known_word,
    is_long_number,
    is_token,
    whole_part,
    without_release,
)
from privguard_adapters.wire.schema import schema_use

_TEXT_PARTS = frozenset({"text", "refusal"})
_MEDIA_PARTS = frozenset({"image_url", "input_audio", "file", "image", "input_image", "input_file", "video_url"})
_PROSE = frozenset({"content", "text", "prompt", "input", "arguments", "refusal", "suffix"})
# Where the developer of the program chooses names, not whoever uses it.
_DEVELOPERS_OWN = frozenset({"model", "tools", "functions", "tool_choice", "function_call", "response_format"})
# Data about the request: no running text, and its keys are the caller's.
_BESIDE = frozenset({"metadata", "user", "safety_identifier", "prompt_cache_key"})
# What describes the reply, or is given to be spoken of in it.
_EXPECTED = frozenset({"response_format", "prediction", "documents", "web_search_options"})
_EXPECTED_START = "guided_"
_TOOL_NAMES = (("function", "name"), ("custom", "name"))
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the structural places of one API are. Everything else is content."""

    tokens: frozenset[Pattern]  # identifiers
    words: frozenset[Pattern] = frozenset()  # strings with values that the provider defines
    options: frozenset[Pattern] = frozenset()  # numbers
    names: frozenset[Pattern] = frozenset()
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
        if leaf.kind is Kind.LITERAL or (pattern in self.options and not is_long_number(whole_part(leaf.text))):
            return Use.OPTION
        return Use.CONTENT if pattern[0] == "metadata" else Use.FIXED

    def _string_use(self, pattern: Pattern) -> Use:
        for places, use in (
            (self.tokens, Use.TOKEN),
            (self.words, Use.WORD),
            (self.names, Use.NAME),
        ):
            if pattern in places:
                return use
        return Use.CONTENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A text that leaves as it is, provided that nothing sensitive is found in it."""

    label: str
    text: str = field(repr=False)
    chosen: bool = False  # whether the developer chose it, as the names of models and tools
    key: str = field(default="", repr=False)  # the name that it stands under, where that may tell what it is


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """A request as the guard sees it, with everything that is needed to write it back."""

    target: str
    stream: bool
    segments: tuple[Segment, ...]
    checks: tuple[Check, ...]
    json_reply: bool = False  # the caller asked for JSON: values in the reply are escaped for it
    choices: int = 1  # that the caller asked for
    offered: frozenset[str] = frozenset()  # the names of the tools
    raw: bytes = field(default=b"", repr=False)
    nodes: tuple[Node, ...] = field(default=(), repr=False)
    places: tuple[Place, ...] = ()  # of the segments
    names: frozenset[Place] = frozenset()  # those that take letters, digits, `_`, `.` and `-` only


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
        choices=int(count) if (count := _text(values, "n")).isascii() and count.isdigit() else 1,
        offered=_offered(values),
        raw=raw,
        nodes=tuple(reader.nested.nodes),
        places=tuple(reader.places),
        names=frozenset(reader.names),
    )


def write_body(view: RequestView, outgoing: Sequence[Segment]) -> bytes:
    """Put minimized segments in the place of the ones that were read. What did not change keeps its bytes.

    Raises:
        PlanError: the segments are not those of the view.
        UnknownContentError: a name cannot be written where it stands, or two keys would become one.
    """
    if [segment.path for segment in outgoing] != [segment.path for segment in view.segments]:
        raise PlanError("the minimized segments are not those of the request; nothing was sent")
    edits = {
        place: _as_name(new) if place in view.names else new.change_of(old.text)
        for place, old, new in zip(view.places, view.segments, outgoing, strict=True)
        if new.text != old.text
    }
    return write(view.nodes, edits).encode("utf-8") if edits else view.raw


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


def _offered(values: Mapping[Path, Leaf]) -> frozenset[str]:
    """Return the names of the tools that the request offers."""
    tools = [leaf.text for path, leaf in values.items() if path[0] == "tools" and path[2:] in _TOOL_NAMES]
    functions = [leaf.text for path, leaf in values.items() if path[0] == "functions" and path[2:] == ("name",)]
    return frozenset(tools + functions)


class _Reader:
    """Collects the segments and checks of all documents of a request."""

    def __init__(self, layout: Layout, values: Mapping[Path, Leaf]) -> None:
        self._layout, self._values = layout, values
        self.segments: list[Segment] = []
        self.checks: list[Check] = []
        self.nested = NestedTexts(FIELD_NAMES)
        self.places: list[Place] = []
        self.names: set[Place] = set()

    def read(self, document: Document) -> None:
        node = self.nested.add(document)
        for index, leaf in enumerate(document.leaves):
            role = self._layout.role(leaf.path, self._values)
            self._note(Place(node, index), leaf, self._layout.use(leaf, role), role)

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
            self._read_content(place, leaf, use, role)

    def _check_token(self, leaf: Leaf) -> None:
        if not is_token(leaf.text):
            raise UnknownContentError(
                f"{leaf.label} holds {len(leaf.text)} characters that are no identifier; privguard sends this field as "
                "it is and therefore only letters, digits and . _ - : / @ in it"
            )
        if not is_known_word(leaf.text):
            text = without_release(leaf.text) if leaf.path == ("model",) else leaf.text
            chosen = leaf.path[0] in _DEVELOPERS_OWN or leaf.path[-1] == "name"
            self.checks.append(Check(label=leaf.label, text=text, chosen=chosen))

    def _read_content(self, place: Place, leaf: Leaf, use: Use, role: Role) -> None:
        channel = Channel.SCHEMA if use is Use.SCHEMA else Channel.TEXT
        if use is Use.NAME:
            self.names.add(place)
            self._add(Found(place, leaf.label, leaf.text, leaf.kind), leaf, role, channel)
            return
        for found in self.nested.read(leaf.text, leaf.label, place, leaf.kind):
            if is_data_url(found.text):
                raise UnknownContentError(f"{found.label} holds binary data, which cannot be minimized; leave it out")
            self._add(found, leaf, role, channel, place)

    def _add(self, found: Found, leaf: Leaf, role: Role, channel: Channel, root: Place | None = None) -> None:
        if found.place is None:
            return
        # The text of a string that holds no others is known by itself.
        written = Written(self.nested, root, found.place, leaf.text) if root not in (None, found.place) else None
        self.places.append(found.place)
        self.segments.append(
            Segment(
                path=found.label,
                role=role,
                channel=channel,
                text=found.text,
                written=written,
                key=_callers_key(leaf),
                beside=leaf.path[0] in _BESIDE or leaf.pattern in self._layout.names,
                expected=leaf.path[0] in _EXPECTED or str(leaf.path[0]).startswith(_EXPECTED_START),
            )
        )


def _callers_key(leaf: Leaf) -> str:
    """Return the key that the caller gave a text, "" where it is a key itself or a field of the API holds it."""
    if leaf.kind is Kind.KEY:
        return ""
    key = next((step for step in reversed(leaf.path) if isinstance(step, str)), "")
    return key if key not in FIELD_NAMES or (leaf.path[0] == "metadata" and len(leaf.path) > 1) else ""


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


def is_data_url(text: str) -> bool:
    """Tell whether a text is a medium in the form of a URL."""
    return text[:5].lower() == "data:" and ";base64," in text[:256]


def is_binary(leaf: Leaf) -> bool:
    """Tell whether a string holds a medium rather than words."""
    if is_data_url(leaf.text):
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
