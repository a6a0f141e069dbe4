"""The content blocks of LangChain's messages: which may leave, which call a tool, and which no detector can read.

Deny by default: a block of a type that is not listed is refused before anything is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Leaf, Path
from privguard_adapters.wire.media import Medium

# The blocks that call a tool, and where its arguments stand in them.
_INPUTS = {
    "tool_call": ("args",),
    "tool_call_chunk": ("args",),
    "invalid_tool_call": ("args",),
    "server_tool_call": ("args",),
    "server_tool_call_chunk": ("args",),
    "function_call": ("arguments",),
    "mcp_call": ("arguments",),
    "mcp_approval_request": ("arguments",),
    "tool_search_call": ("arguments",),
    "custom_tool_call": ("input",),
    "local_shell_call": ("action",),
    "shell_call": ("action",),
    "computer_call": ("action",),
    "apply_patch_call": ("operation",),
    "tool_use": ("partial_json", "input"),
    "server_tool_use": ("partial_json", "input"),
    "mcp_tool_use": ("partial_json", "input"),
    "input_json_delta": ("partial_json",),
}
# Where they may stand in a call of a type that is not known.
_ANY_INPUT = ("partial_json", "args", "arguments", "input")
_SAID = """
    text refusal reasoning thinking redacted_thinking reasoning_content input_text output_text tool_result
    web_search_call file_search_call code_interpreter_call mcp_list_tools mcp_approval_response tool_search_output
    custom_tool_call_output shell_call_output local_shell_call_output apply_patch_call_output
    server_tool_result search_result tool_reference web_search_tool_result web_fetch_tool_result
    code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result
    tool_search_tool_result advisor_tool_result mcp_tool_result executable_code code_execution_result
"""
_TEXTS = frozenset(_SAID.split())
_MEDIA = frozenset({"image", "image_url", "input_image", "audio", "input_audio", "file", "input_file"})
# Texts, where they do not say that they are files; and where the text stands.
_DOCUMENTS: Mapping[str, Path] = {"document": ("source", "data"), "text-plain": ("text",)}
# What a reply may cite: these, and files, of which nothing can be read.
DOCUMENTS: Mapping[str, Path] = {**_DOCUMENTS, "file": (), "input_file": ()}
_TEXT_SOURCES = frozenset({"text", "content"})
_POINTERS = ("base64", "url", "file_id")
_NAMED = _MEDIA | _DOCUMENTS.keys() | {"video", "video_url", "media"}  # what a refusal may call by its type
_KNOWN = _TEXTS | _NAMED | {"non_standard"}
_BARE = frozenset({"text", "index", "id"})  # all that a block without a type may hold
_HOLDERS = frozenset({"value", "content"})  # fields that may be a block


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How chat completions have the call of a tool."""

    tool: str  # the field that holds its name and its arguments
    input: str


FUNCTION = Shape(tool="function", input="arguments")
CUSTOM = Shape(tool="custom", input="input")


def inputs_of(block: Mapping[Any, Any]) -> tuple[str, ...]:
    """Return where the arguments may stand in what calls a tool; none in anything else."""
    kind = block.get("type")
    if not isinstance(kind, str) or FUNCTION.tool in block or CUSTOM.tool in block:
        return ()
    if kind in _INPUTS or kind in _KNOWN:
        return _INPUTS.get(kind, ())
    return tuple([place for place in _ANY_INPUT if place in block])


def is_call(kind: object) -> bool:
    """Tell whether blocks of a type call a tool."""
    return isinstance(kind, str) and kind in _INPUTS


def keeps_type(block: Mapping[Any, Any]) -> bool:
    """Tell whether the type of a block that may leave is looked at, since its words may be a medium.

    Raises:
        UnknownContentError: it is of a type that is not known.
    """
    kind = block.get("type")
    if isinstance(kind, str):
        if kind in _MEDIA or kind in _DOCUMENTS:
            return True
        if kind in _TEXTS or kind in _INPUTS:
            return False
    elif kind is None and _BARE.issuperset(block):
        return False
    shown = kind if isinstance(kind, str) and kind in _NAMED else "an unknown type"
    raise UnknownContentError(
        f"a content block is {shown}: only text can be minimized; leave it out, or describe it in text"
    )


def media_of(values: Mapping[Path, Leaf]) -> dict[Path, Medium]:
    """Return the blocks of a request that no detector can read, by their paths, and what a model said aloud."""
    found: dict[Path, Medium] = {}
    for path, leaf in values.items():
        if path[0] != "messages":
            continue
        if path[-1] == "type" and path[2:3] == ("content",) and _is_medium(path[:-1], leaf.text, values):
            found[path[:-1]] = Medium(label=leaf.label, kind=leaf.text)
        elif path[2:] == ("additional_kwargs", "audio", "data"):
            found[path[:-1]] = Medium(label=leaf.label, kind="audio")
    return found


def _is_medium(block: Path, kind: str, values: Mapping[Path, Leaf]) -> bool:
    if not isinstance(block[-1], int) and block[-1] not in _HOLDERS:
        return False
    if kind == "text-plain":
        return any((*block, name) in values for name in _POINTERS)
    if kind == "document":
        source = values.get((*block, "source", "type"))
        return source is None or source.text not in _TEXT_SOURCES
    return kind in _MEDIA
