"""Messages of LangChain as the mappings that the wire reads, and messages made of what comes back."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    BaseMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk

from privguard.core.errors import UnknownContentError

Fields: TypeAlias = dict[str, Any]
Piece = TypeVar("Piece", bound=ChatGeneration)

_ROLES = {
    HumanMessage: "user",
    AIMessage: "assistant",
    SystemMessage: "system",
    ToolMessage: "tool",
    FunctionMessage: "function",
}
_STATES = frozenset({"success", "error"})
# Ids that a provider made; those of LangChain, and of the application, say nothing to it.
_PROVIDER_ID = re.compile(r"(?!lc_|lc-|run-)[a-z]{2,12}[_-][A-Za-z0-9_-]{8,128}")
_WORD = re.compile(r"[a-z0-9_/.-]{1,40}")
_LOGPROBS = "logprobs"
PARSED = "parsed"
_ENDS = ("finish_reason", "stop_reason", "done_reason", "stopReason")


def to_be_sent(message: BaseMessage) -> BaseMessage:
    """Return a whole message for what may be a piece of one, or the sum of pieces.

    Raises:
        UnknownContentError: its class is none of LangChain's own.
    """
    whole = message_chunk_to_message(message) if isinstance(message, BaseMessageChunk) else message
    kind = type(whole)
    if kind not in (*_ROLES, ChatMessage) or whole.type != kind.model_fields["type"].default:
        raise UnknownContentError("a message is of a class that is none of LangChain's own; nothing was sent")
    if isinstance(whole, ToolMessage) and whole.status not in _STATES:
        raise UnknownContentError("the status of a tool's message is none of LangChain's own; nothing was sent")
    return whole


def fields_of(message: BaseMessage) -> Fields:
    """Return the fields of a message that may be sent."""
    role = message.role if isinstance(message, ChatMessage) else _ROLES[type(message)]
    fields: Fields = {
        "role": role,
        "content": message.content,
        "name": message.name,
        "id": message.id if message.id and _PROVIDER_ID.fullmatch(message.id) else None,
        "additional_kwargs": _without(message.additional_kwargs, PARSED),
        "response_metadata": _sent_metadata(message.response_metadata),
        "extra": dict(message.model_extra or {}),
    }
    if isinstance(message, AIMessage):
        fields |= {"tool_calls": message.tool_calls, "invalid_tool_calls": message.invalid_tool_calls}
    if isinstance(message, ToolMessage):
        fields["tool_call_id"] = message.tool_call_id
    return fields


def message_of(given: BaseMessage | None, fields: Mapping[str, Any]) -> BaseMessage:
    """Return a copy of a message with other fields, without what is not for the model; None: the note."""
    if given is None:
        return SystemMessage(content=fields["content"])
    update = {key: item for key, item in fields.items() if key not in ("role", "extra")}
    if isinstance(given, ChatMessage):
        update["role"] = fields["role"]
    if isinstance(given, AIMessage):
        update["usage_metadata"] = None
    if isinstance(given, ToolMessage):
        update["artifact"] = None
    copied = given.model_copy(update=update)
    object.__setattr__(copied, "__pydantic_extra__", dict(fields["extra"]))
    return copied


def reply_fields(generation: ChatGeneration) -> tuple[Fields, Fields, bool]:
    """Return the fields of a reply, what else came with it, and whether log probabilities did."""
    message = generation.message
    fields: Fields = {"content": message.content, "additional_kwargs": message.additional_kwargs}
    if isinstance(message, AIMessageChunk):
        fields["tool_call_chunks"] = message.tool_call_chunks
    elif isinstance(message, AIMessage):
        fields |= {"tool_calls": message.tool_calls, "invalid_tool_calls": message.invalid_tool_calls}
    came = generation.generation_info or {}
    info = {"generation": _without(came, _LOGPROBS), "metadata": _without(message.response_metadata, _LOGPROBS)}
    return fields, info, bool(came.get(_LOGPROBS) or message.response_metadata.get(_LOGPROBS))


def rebuilt(generation: Piece, fields: Mapping[str, Any], info: Fields, *, keeps_logprobs: bool) -> Piece:
    """Return a reply, or a piece of one, with other fields."""
    message = generation.message
    came = _with_logprobs(generation.generation_info or {}, info["generation"], keeps_logprobs=keeps_logprobs)
    metadata = _with_logprobs(message.response_metadata, info["metadata"], keeps_logprobs=keeps_logprobs)
    update = {**fields, "response_metadata": metadata}
    if isinstance(message, AIMessageChunk):
        kept = {name: getattr(message, name) for name in ("id", "name", "usage_metadata", "chunk_position")}
        # Made anew, since the calls that are read from the pieces are the constructor's.
        made: BaseMessage = type(message)(**(message.model_extra or {}), **kept, **update)
    else:
        made = message.model_copy(update=update)
    return type(generation)(message=made, generation_info=came or None)


def is_last(chunk: ChatGenerationChunk) -> bool:
    """Tell whether a piece says that the reply ends."""
    if getattr(chunk.message, "chunk_position", None) == "last":
        return True
    places = (chunk.generation_info or {}, chunk.message.response_metadata)
    return any(place.get(name) for place in places for name in _ENDS)


def extra_chunk(last: ChatGenerationChunk, fields: Mapping[str, Any]) -> ChatGenerationChunk:
    """Return a piece that carries what was held back."""
    metadata = last.message.response_metadata
    kept = {name: metadata[name] for name in ("model_provider", "output_version") if name in metadata}
    made = AIMessageChunk(**fields, id=last.message.id, response_metadata=kept)
    return ChatGenerationChunk(message=made)


def _sent_metadata(metadata: Mapping[str, Any]) -> Fields:
    kept = {name: metadata.get(name) for name in ("model_provider", "output_version")}
    words = {name: word for name, word in kept.items() if isinstance(word, str) and _WORD.fullmatch(word)}
    made = metadata.get("id")
    return words | ({"id": made} if isinstance(made, str) and _PROVIDER_ID.fullmatch(made) else {})


def _with_logprobs(came: Mapping[str, Any], new: Mapping[str, Any], *, keeps_logprobs: bool) -> Fields:
    if _LOGPROBS not in came:
        return dict(new)
    return {**new, _LOGPROBS: came[_LOGPROBS] if keeps_logprobs else None}


def _without(values: Mapping[str, Any], name: str) -> Fields:
    return {key: item for key, item in values.items() if key != name}
