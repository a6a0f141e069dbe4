"""Where in the replies of the Responses API what stands: its items, what the request is repeated in, and what is kept.

A reply is a response, an item of one, a list of items, or an event that holds one of these or a part of an item.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard_adapters.wire.responses_items import SPEAKERS

# What the tools read that the application itself runs, or the provider; by the type of the item.
_INPUTS = {
    "function_call": ("arguments",),
    "custom_tool_call": ("input",),
    "mcp_call": ("arguments",),
    "mcp_approval_request": ("arguments",),
    "tool_search_call": ("arguments",),
    "local_shell_call": ("action",),
    "shell_call": ("action",),
    "apply_patch_call": ("operation",),
    "computer_call": ("action", "actions"),
}
_SERVED = frozenset({"mcp_call", "mcp_approval_request"})  # what the provider runs: who reads it here is the user
_SHOWN = frozenset({*SPEAKERS, "computer_call", "computer_call_output", "image_generation_call", "compaction"})
_SHOWN_TOO = frozenset({"program", "program_output", "configuration_update", "item_reference"})
# Items that the application alone makes, and who speaks in its messages.
_CALLERS_WORDS = """
    function_call_output custom_tool_call_output local_shell_call_output apply_patch_call_output computer_call_output
    mcp_approval_response additional_tools
"""
_CALLERS = frozenset(_CALLERS_WORDS.split())
_CALLERS_ROLES = frozenset({"user", "system", "developer"})
# What a response repeats of its request.
_ECHOED_WORDS = """
    instructions tools tool_choice metadata text prompt user safety_identifier prompt_cache_key
"""
_ECHOED = frozenset(_ECHOED_WORDS.split())
_ROOTS = frozenset({"output", "data", "items"})  # lists of items
# Identifiers, fixed words, binary data, and what must go back to the provider byte for byte.
_KEPT_WORDS = """
    id object model type role status phase service_tier truncation call_id item_id previous_response_id response_id
    encrypted_content fingerprint server_label container_id file_id caller_id approval_request_id created_by
    partial_image_b64 obfuscation first_id last_id effort verbosity code_interpreter_call_id
"""
KEPT = frozenset(_KEPT_WORDS.split())
_SEALED = {"image_generation_call": "result"}  # binary, by the type of the item


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item of a reply."""

    path: Path  # where it stands
    kind: str = ""  # its type, "" where it has none
    name: str = ""  # of its tool, as it left
    is_callers: bool = False  # whether the caller has sent it, and it is repeated here

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the fields that a tool reads."""
        return _INPUTS.get(self.kind, ())

    @property
    def is_served(self) -> bool:
        """Tell whether the provider runs it, with what the model wrote, so that it is only read here."""
        return self.kind in _SERVED

    @property
    def tool(self) -> str:
        """Return what its tool is called: by its name, or by its type where such tools have none."""
        return self.name or self.kind.removesuffix("_call")

    @property
    def is_known(self) -> bool:
        """Tell whether items of this type are known."""
        return self.kind in _SHOWN or self.kind in _SHOWN_TOO

    def is_sealed(self, path: Path) -> bool:
        """Tell whether a field of it is binary."""
        return path[len(self.path) :] == (_SEALED.get(self.kind, ""),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What stands where in one document."""

    values: Mapping[Path, Leaf] = field(repr=False)
    base: Path  # of the response: ("response",) in an event
    is_event: bool = False

    @classmethod
    def of(cls, document: Document) -> "Places":
        """Look at a reply, or at an event."""
        values = document.values()
        kind = values.get(("type",))
        is_event = kind is not None and not _is_item_kind(kind.text)
        return cls(values=values, base=("response",) if is_event else (), is_event=is_event)

    def text(self, *path: str) -> str:
        """Return a string or number, "" where there is none."""
        leaf = self.values.get(path)
        return leaf.text if leaf is not None and leaf.kind in (Kind.STRING, Kind.NUMBER) else ""

    def of_response(self, *path: str) -> str:
        """Return a string of the response."""
        return self.text(*(str(step) for step in self.base), *path)

    def is_echo(self, path: Path) -> bool:
        """Tell whether a place repeats what the request held."""
        rest = path[len(self.base) :] if path[: len(self.base)] == self.base else ()
        if rest[:1] == ("metadata",):
            return True
        return rest[:1] != () and rest[0] in _ECHOED and self._has_response()

    def item_at(self, path: Path) -> Item | None:
        """Return the item that a place belongs to; None where it belongs to none."""
        where = self._item_path(path)
        if where is None:
            return None
        fields = [self.values.get((*where, name)) for name in ("type", "name", "role")]
        kind, name, role = [leaf.text if leaf is not None and leaf.kind is Kind.STRING else "" for leaf in fields]
        kind = kind or ("message" if role else "")
        is_callers = where[:1] in ((), ("data",)) and _is_callers(kind, role)
        return Item(path=where, kind=kind, name=name, is_callers=is_callers)

    def _item_path(self, path: Path) -> Path | None:
        if self.is_event and path[:1] == ("item",) and len(path) > 1:
            return path[:1]
        rest = path[len(self.base) :] if path[: len(self.base)] == self.base else ()
        if len(rest) > 2 and rest[0] in _ROOTS and isinstance(rest[1], int):
            return path[: len(self.base) + 2]
        return () if not self.is_event and _is_item_kind(self.text("type")) else None

    def _has_response(self) -> bool:
        return self.is_event or self.of_response("object").startswith("response")


def _is_item_kind(kind: str) -> bool:
    return kind in _SHOWN or kind in _SHOWN_TOO


def _is_callers(kind: str, role: str) -> bool:
    """Tell whether the application alone makes such items.

    Those that either side makes, such as what a shell wrote, may say what a model had it write.
    """
    return role in _CALLERS_ROLES if kind == "message" else kind in _CALLERS
