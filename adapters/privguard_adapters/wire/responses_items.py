"""The items of the Responses API, in a request: which of them may leave, and who speaks in them.

Deny by default: an item, a part or a tool of a type that is not listed is refused. So are those that hold what cannot
be read (images, files, audio, screenshots), and those that the provider alone can open: what stands in them would come
back in replies that no request has the values of.
"""

from collections.abc import Mapping

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, Leaf, Path
from privguard.core.segments import Role
from privguard_adapters.wire.fields import ROLES
from privguard_adapters.wire.media import MEDIA, Medium, media_in

ROOTS = ("input", "items")  # of a request, and of a conversation

_OWN = {"message": Role.USER, "mcp_approval_response": Role.USER}
_CALLS = """
    function_call custom_tool_call reasoning web_search_call file_search_call code_interpreter_call local_shell_call
    shell_call apply_patch_call tool_search_call mcp_approval_request mcp_call
"""
_ANSWERS = """
    function_call_output custom_tool_call_output local_shell_call_output shell_call_output apply_patch_call_output
"""
_OFFERS = "tool_search_output additional_tools mcp_list_tools"
SPEAKERS = {
    **_OWN,
    **dict.fromkeys(_CALLS.split(), Role.ASSISTANT),
    **dict.fromkeys(_ANSWERS.split(), Role.TOOL),
    **dict.fromkeys(_OFFERS.split(), Role.OTHER),
}
REFUSED_ITEMS = {
    "computer_call": "screenshots cannot be minimized",
    "computer_call_output": "screenshots cannot be minimized",
    "image_generation_call": "images cannot be minimized",
    "item_reference": "its values are not known; send the item itself, or previous_response_id",
    "compaction": "what it stands for cannot be read; send the items themselves, or previous_response_id",
    "compaction_trigger": "what is left of a conversation then cannot be read",
    "configuration_update": "it is not supported yet",
    "program": "it is not supported yet",
    "program_output": "it is not supported yet",
}
PARTS = frozenset({"input_text", "output_text", "text", "refusal", "summary_text", "reasoning_text", "logs"})
REFUSED_PARTS = frozenset({"input_image", "input_file", "input_audio", "image", "computer_screenshot"})
_TOOLS = """
    function custom mcp web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11 file_search
    code_interpreter local_shell shell apply_patch tool_search namespace
"""
TOOLS = frozenset(_TOOLS.split())
REFUSED_TOOLS = frozenset({"computer", "computer_use_preview", "image_generation", "programmatic_tool_calling"})
_VARIABLE = 3  # steps to a variable of a prompt
_OF_PARTS = frozenset({"content", "output", "summary", "outputs"})
_ANSWERED = frozenset({"output", "outputs", "results", "error"})  # of an item that is a call as well
_OF_TOOLS = frozenset(
    [
        (*root, *tools, "type")
        for root in ((), *[(each,) for each in ROOTS])
        for tools in (("tools",), ("tools", "tools"))
    ]
)


def role_at(path: Path, values: Mapping[Path, Leaf]) -> Role:
    """Return who speaks at a place of a request."""
    if path[0] == "instructions":
        return Role.SYSTEM
    if path[:2] == ("prompt", "variables"):
        return Role.USER
    if path[0] not in ROOTS:
        return Role.OTHER
    if len(path) < 2:
        return Role.USER
    kind = values.get((*path[:2], "type"))
    if kind is None or kind.text == "message":
        role = values.get((*path[:2], "role"))
        return ROLES.get(role.text, Role.OTHER) if role is not None else Role.USER
    speaker = SPEAKERS.get(kind.text, Role.OTHER)
    return Role.TOOL if speaker is Role.ASSISTANT and not _ANSWERED.isdisjoint(path[2:3]) else speaker


def check_items(values: Mapping[Path, Leaf]) -> None:
    """Refuse what cannot be minimized.

    Raises:
        UnknownContentError: the request holds such an item, part, tool or field.
    """
    for path, leaf in values.items():
        if path[-1] == "type":
            _check_type(path, leaf)
        elif "logprobs" in path and path[0] in ROOTS:
            raise UnknownContentError(
                f"{leaf.label} holds tokens, in which a value stands in pieces; send the item without its logprobs"
            )
        elif "domain_secrets" in path or "input_image_mask" in path:
            raise UnknownContentError(f"{leaf.label} is not supported yet, so nothing was sent")
    for root in ROOTS:
        _check_kinds(values, root)
    _check_empty(values, "context_management", "the provider would keep what cannot be read")
    _check_empty(values, "image", "images cannot be minimized")


def media_of(values: Mapping[Path, Leaf]) -> Mapping[Path, Medium]:
    """Return the parts that leave unread, where a profile lets them."""
    places = [(root, None, field, None, "type") for root in ROOTS for field in ("content", "output")]
    return media_in(values, *places)


def _check_type(path: Path, leaf: Leaf) -> None:
    shape = tuple([step for step in path if isinstance(step, str)])
    if path[0] in ROOTS and len(path) == 3:
        if leaf.text not in SPEAKERS:
            why = REFUSED_ITEMS.get(leaf.text)
            kind = f"{leaf.text}: {why}" if why else "of an unknown type"
            raise UnknownContentError(f"{leaf.label} is {kind}; nothing was sent")
        return
    is_variable = shape[:2] == ("prompt", "variables") and len(path) > _VARIABLE  # not one that is called so
    if is_variable and leaf.text in MEDIA:
        raise UnknownContentError(Medium(label=leaf.label, kind=leaf.text).refusal())
    is_part = path[0] in ROOTS and len(path) == 5 and not _OF_PARTS.isdisjoint(path[2:3])
    if is_part or is_variable:
        _check_part(leaf)
    elif shape in _OF_TOOLS and isinstance(path[-2], int) and leaf.text not in TOOLS:
        kind = leaf.text if leaf.text in REFUSED_TOOLS else "of an unknown type"
        raise UnknownContentError(f"{leaf.label} is {kind}: such a tool is not supported; nothing was sent")


def _check_part(leaf: Leaf) -> None:
    if leaf.text not in PARTS and leaf.text not in MEDIA:
        kind = leaf.text if leaf.text in REFUSED_PARTS else "an unknown type"
        raise UnknownContentError(
            f"{leaf.label} is {kind}: only text can be minimized; leave the part out, or describe it in text"
        )


def _check_kinds(values: Mapping[Path, Leaf], root: str) -> None:
    """Refuse items that say neither of which type they are nor who speaks: they refer to what is not here."""
    items = {path[:2]: leaf for path, leaf in values.items() if path[0] == root and len(path) > 2}
    for item, leaf in items.items():
        if (*item, "type") not in values and (*item, "role") not in values:
            raise UnknownContentError(
                f"{leaf.label} belongs to an item without a type; {REFUSED_ITEMS['item_reference']}; nothing was sent"
            )


def _check_empty(values: Mapping[Path, Leaf], root: str, why: str) -> None:
    found = next((leaf for path, leaf in values.items() if path[0] == root), None)
    if found is not None and (found.path != (root,) or found.kind is not Kind.LITERAL):
        raise UnknownContentError(f"{root} is refused: {why}; nothing was sent")
