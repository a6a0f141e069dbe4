"""Read the segments out of a request body and write them back: one reader for every codec, driven by its layout."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import PlanError, UnknownContentError
from privguard.core.json_leaves import Document, Kind, Leaf, Path, decode, parse, plain_number
from privguard.core.leaf_edits import Change
from privguard.core.nested_texts import Found, NestedTexts, Node, Place, Written, write
from privguard.core.segments import Channel, Role, Segment
from privguard.core.targets import without_release
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import (
    FIELD_NAMES,
    Use,
    bare_name,
    is_known_word,
    is_long_number,
    is_token,
)
from privguard_adapters.wire.identifiers import Identifiers, Renamed, edits_of, has_words, rename
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import Medium, address_of, carried, is_binary, is_data_url
from privguard_adapters.wire.naming import Naming

# Data about the request: no running text, and its keys are the caller's.
_BESIDE = frozenset({"metadata", "user", "safety_identifier", "prompt_cache_key"})
# What describes the reply, or is given to be spoken of in it.
_EXPECTED = frozenset({"response_format", "output_config", "text", "prediction", "documents", "web_search_options"})
_EXPECTED_START = "guided_"


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
    places: tuple[Place | None, ...] = ()  # of the segments; None of an identifier, which stands at many
    names: frozenset[Place] = frozenset()  # those that take letters, digits, `_`, `.` and `-` only
    patterns: frozenset[Place] = frozenset()  # those that names must match
    identifiers: Identifiers = field(default_factory=Identifiers, repr=False)
    later: Later = field(default_factory=Later, repr=False)
    media: tuple[Medium, ...] = ()  # what leaves unread, where a profile lets it
    parts: "tuple[Part, ...]" = field(default=(), repr=False)  # requests of their own, whose segments these are


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of several requests that are sent together."""

    name: str = field(repr=False)  # under which its reply comes
    view: RequestView
    extent: tuple[int, int]  # of its text in that of the whole request


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
        json_reply=_text(values, *layout.output_type) in ("json_object", "json_schema"),
        choices=int(count) if (count := _text(values, "n")).isascii() and count.isdigit() else 1,
        offered=layout.declaring.offered(values),
        raw=raw,
        nodes=tuple(reader.nested.nodes),
        places=tuple(reader.places),
        names=frozenset(reader.names),
        patterns=frozenset(reader.patterns),
        identifiers=reader.named.identifiers(),
        later=layout.later(values),
        media=tuple(reader.media.values()),
    )


def write_body(view: RequestView, outgoing: Sequence[Segment]) -> bytes:
    """Put minimized segments in the place of the ones that were read. What did not change keeps its bytes.

    Raises:
        PlanError: the segments are not those of the view.
        UnknownContentError: a name cannot be written where it stands, or two keys would become one.
    """
    edits = changes_of(view, outgoing)
    return write(view.nodes, edits).encode("utf-8") if edits else view.raw


def changes_of(view: RequestView, outgoing: Sequence[Segment]) -> dict[Place, Change]:
    """Return what minimized segments change, by its place.

    Raises:
        PlanError: the segments are not those of the view.
        UnknownContentError: a name cannot be written where it stands.
    """
    if [segment.path for segment in outgoing] != [segment.path for segment in view.segments]:
        raise PlanError("the minimized segments are not those of the request; nothing was sent")
    edits: dict[Place, Change] = {
        place: _change(view, place, old, new)
        for place, old, new in zip(view.places, view.segments, outgoing, strict=True)
        if new.text != old.text and place is not None
    }
    return edits | edits_of(view.identifiers, rename(view.identifiers, outgoing))


def name_checks(renamed: Renamed) -> tuple[Check, ...]:
    """Return what leaves as it is of the names of functions and schemas, which the developer chose."""
    return tuple([Check(label=label, text=rest, chosen=True) for label, rest in renamed.rests.items() if rest])


def part_checks(view: RequestView, outgoing: Sequence[Segment]) -> tuple[Check, ...]:
    """Return the same of requests that are sent together."""
    found: list[Check] = []
    for part, minimized in outgoing_of(view, outgoing):
        found += name_checks(rename(part.view.identifiers, minimized))
    return tuple(found)


def outgoing_of(view: RequestView, outgoing: Sequence[Segment]) -> Iterator[tuple[Part, Sequence[Segment]]]:
    """Yield the requests that are sent together, and the minimized segments of each."""
    start = 0
    for part in view.parts:
        end = start + len(part.view.segments)
        yield part, outgoing[start:end]
        start = end


def _change(view: RequestView, place: Place, old: Segment, new: Segment) -> Change:
    if place in view.patterns:
        raise UnknownContentError(
            f"{new.path} is a pattern of names and holds something sensitive, and no other would match the same; "
            "change it"
        )
    if place not in view.names:
        return new.change_of(old.text)
    name = bare_name(new.text)
    if name is None:
        raise UnknownContentError(
            f"{new.path} holds something sensitive, and its replacement is no valid name there; rename it"
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
        self.nested = NestedTexts(FIELD_NAMES)
        self.places: list[Place | None] = []
        self.names: set[Place] = set()
        self.patterns: set[Place] = set()
        self.named = Naming(layout.declaring)
        self.media = layout.media(values)

    def read(self, document: Document) -> None:
        node = self.nested.add(document)
        roles = [self._layout.role(leaf.path, self._values) for leaf in document.leaves]
        uses = [self._layout.use(leaf, role) for leaf, role in zip(document.leaves, roles, strict=True)]
        self.named.declare(document.leaves, uses, self._values)
        for index, (leaf, role, use) in enumerate(zip(document.leaves, roles, uses, strict=True)):
            self._note(Place(node, index), leaf, use, role)

    def _note(self, place: Place, leaf: Leaf, use: Use, role: Role) -> None:
        fixed_word = leaf.kind is Kind.KEY and leaf.text in FIELD_NAMES
        if use is Use.OPTION or leaf.kind is Kind.LITERAL or fixed_word or not leaf.text.strip():
            return
        medium = carried(leaf, self.media) if self.media else None
        apart = (
            self._layout.apart(leaf) if medium is None else Check(label=leaf.label, text=address_of(medium), opens=True)
        )
        if apart is not None:
            self.checks.append(apart)
        elif use is Use.TOKEN:
            self._check_token(leaf)
        elif use is Use.IDENTIFIER or use is Use.REFERENCE:
            self._read_names(place, leaf, use, role)
        elif use is Use.FIXED:
            if is_long_number(leaf.text):
                self.checks.append(Check(label=leaf.label, text=plain_number(leaf.text)))
        elif use is not Use.WORD or not is_known_word(leaf.text):
            if is_binary(leaf):
                raise UnknownContentError(f"{leaf.label} holds binary data, which cannot be minimized; leave it out")
            self._read_content(place, leaf, use, role)

    def _read_names(self, place: Place, leaf: Leaf, use: Use, role: Role) -> None:
        is_free = leaf.pattern in self._layout.identifiers or role is Role.TOOL  # in no schema
        if is_free or use is Use.REFERENCE:
            _check_syntax(leaf)
        for name in self.named.note(place, leaf, use, len(self.segments), is_free=is_free):
            self.places.append(None)
            self.segments.append(
                Segment(
                    path=leaf.label,
                    role=role,
                    channel=Channel.TEXT,
                    text=name,
                    beside=has_words(name),
                    chosen=True,
                    expected=leaf.path[0] in _EXPECTED,
                )
            )

    def _check_token(self, leaf: Leaf) -> None:
        _check_syntax(leaf)
        if not is_known_word(leaf.text):
            text = without_release(leaf.text) if leaf.path == ("model",) else leaf.text
            self.checks.append(Check(label=leaf.label, text=text, chosen=leaf.path == ("model",)))

    def _read_content(self, place: Place, leaf: Leaf, use: Use, role: Role) -> None:
        channel = Channel.SCHEMA if use is Use.SCHEMA else Channel.TEXT
        if use is Use.NAME or use is Use.PATTERN:
            (self.names if use is Use.NAME else self.patterns).add(place)
            self._add(Found(place, leaf.label, leaf.text, leaf.kind), leaf, role, channel)
            return
        for found in self.nested.read(leaf.text, leaf.label, place, leaf.kind):
            if is_data_url(found.text):
                raise UnknownContentError(f"{found.label} holds binary data, which cannot be minimized; leave it out")
            if found.place and found.kind is Kind.KEY and role is Role.ASSISTANT and self.named.declares(found.text):
                self.named.repeat(found.place, found.text)
            else:
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


def _check_syntax(leaf: Leaf) -> None:
    if not is_token(leaf.text):
        raise UnknownContentError(
            f"{leaf.label} holds {len(leaf.text)} characters that are no identifier; there privguard sends only "
            "letters, digits and . _ - : / @"
        )


def _callers_key(leaf: Leaf) -> str:
    """Return the key that the caller gave a text, "" where it is a key itself or a field of the API holds it."""
    if leaf.kind is Kind.KEY:
        return ""
    key = next((step for step in reversed(leaf.path) if isinstance(step, str)), "")
    return key if key not in FIELD_NAMES or (leaf.path[0] == "metadata" and len(leaf.path) > 1) else ""
