"""Where the structural places of an API are, and who speaks where."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from privguard.core.json_leaves import Kind, Leaf, Path, Pattern
from privguard.core.segments import Role
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import ROLES, Use, is_long_number, whole_part
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.media import Medium
from privguard_adapters.wire.naming import CHAT_DECLARING, Declaring
from privguard_adapters.wire.schema import schema_use


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the structural places of one API are. Everything else is content."""

    tokens: frozenset[Pattern]  # ids and the like
    identifiers: frozenset[Pattern] = frozenset()  # names of functions and schemas
    words: frozenset[Pattern] = frozenset()  # strings with values that the provider defines
    options: frozenset[Pattern] = frozenset()  # numbers
    names: frozenset[Pattern] = frozenset()
    schemas: frozenset[Pattern] = frozenset()  # their roots
    declaring: Declaring = CHAT_DECLARING
    output_type: tuple[str, ...] = ("response_format", "type")  # where the request says that it wants JSON
    inspect: Callable[[Mapping[Path, Leaf]], None] = field(default=lambda _values: None)
    role: Callable[[Path, Mapping[Path, Leaf]], Role] = field(default=lambda _path, _values: Role.OTHER)
    media: Callable[[Mapping[Path, Leaf]], Mapping[Path, Medium]] = field(default=lambda _values: {})
    apart: Callable[[Leaf], Check | None] = field(default=lambda _leaf: None)  # of what the API looks at by itself
    later: Callable[[Mapping[Path, Leaf]], Later] = field(default=lambda _values: Later())

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
            # The name of a tool's message is that of the function.
            return Use.IDENTIFIER if use is Use.NAME and role is Role.TOOL else use
        if leaf.kind is Kind.LITERAL or (pattern in self.options and not is_long_number(whole_part(leaf.text))):
            return Use.OPTION
        return Use.CONTENT if pattern[0] == "metadata" else Use.FIXED

    def _string_use(self, pattern: Pattern) -> Use:
        for places, use in (
            (self.tokens, Use.TOKEN),
            (self.identifiers, Use.IDENTIFIER),
            (self.words, Use.WORD),
            (self.names, Use.NAME),
        ):
            if pattern in places:
                return use
        return Use.CONTENT


def message_role(path: Path, values: Mapping[Path, Leaf]) -> Role:
    """Return who speaks at a place below `messages`."""
    if len(path) < 2 or path[0] != "messages":
        return Role.OTHER
    leaf = values.get((*path[:2], "role"))
    return ROLES.get(leaf.text, Role.OTHER) if leaf is not None else Role.OTHER
