"""The calls of LangChain's models as JSON documents: requests, whole replies, and the events of a stream.

The documents have the shape of chat completions. A message is the mapping of its fields: `role`, `content`, `name`,
`tool_calls`, `invalid_tool_calls`, `tool_call_id`, `id`, `additional_kwargs`, and of pieces of a stream
`tool_call_chunks`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.anthropic_messages import SIGNED_TEXTS
from privguard_adapters.wire.langchain_blocks import CUSTOM, FUNCTION
from privguard_adapters.wire.langchain_values import Json, Value, Values

Fields: TypeAlias = Mapping[str, Any]  # of a message

_PLAIN = ("role", "name", "tool_call_id", "id")
_NESTED = ("tool_call_chunks", "response_metadata", "additional_kwargs", "extra")
_SETTINGS = "settings"
_CALLS = {"tool_call_chunks": "tool_calls"}  # in an event
_PIECES = {"tool_calls": "tool_call_chunks"}
_OF_FUNCTION = ("name", "description", "input_schema")
_SCHEMAS = {"input_schema": "parameters"}
_OURS = frozenset({"model", "messages", _SETTINGS, "input"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What one call of a chat model sends."""

    target: str
    messages: Sequence[Fields] = field(repr=False)
    options: Mapping[str, Value] = field(default_factory=dict, repr=False)
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)  # the model's own, by their names

    def body(self) -> bytes:
        """Write the document.

        Raises:
            UnknownContentError: it holds what cannot be read.
        """
        _check_names(self.options)
        shown = {name: _show_option(name, value) for name, value in self.options.items()}
        messages = [_show_message(each, Values(sent=True)) for each in self.messages]
        return dump({"model": self.target, "messages": messages, **shown, _SETTINGS: self.settings}, sent=True)

    def written(self, body: bytes) -> "ChatRequest":
        """Return the request that a document has become; it may have one message more, in front."""
        new = load(body)
        back: list[Json] = new["messages"]
        added = back[: len(back) - len(self.messages)]
        pairs = zip(self.messages, back[len(added) :], strict=True)
        messages = [*added, *[_weave_message(given, item, Values(sent=True)) for given, item in pairs]]
        options = {name: _weave_option(name, value, new[name]) for name, value in self.options.items()}
        return ChatRequest(target=self.target, messages=messages, options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequest:
    """What one call of embeddings or of a retriever sends: a text or texts, and options."""

    target: str
    texts: Value = field(repr=False)
    options: Mapping[str, Value] = field(default_factory=dict, repr=False)
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    def body(self) -> bytes:
        """Write the document.

        Raises:
            UnknownContentError: it holds what cannot be read.
        """
        _check_names(self.options)
        values = Values(sent=True, calls=False)
        shown = {name: values.show(value) for name, value in self.options.items()}
        document = {"model": self.target, "input": values.show(self.texts), **shown, _SETTINGS: self.settings}
        return dump(document, sent=True)

    def written(self, body: bytes) -> "InputRequest":
        """Return the request that a document has become."""
        new = load(body)
        values = Values(sent=True, calls=False)
        options = {name: values.weave(value, new[name]) for name, value in self.options.items()}
        return InputRequest(target=self.target, texts=values.weave(self.texts, new["input"]), options=options)


def _check_names(options: Mapping[str, Value]) -> None:
    body = options.get("extra_body")
    more = body if isinstance(body, Mapping) else ()
    if not _OURS.isdisjoint((*options, *more)) or not set(options).isdisjoint(more):
        raise UnknownContentError("an option is named like a part of the request itself; nothing was sent")


def dump(document: Json, *, sent: bool = False) -> bytes:
    """Write a document; one that is sent holds no NaN."""
    try:
        return json.dumps(document, allow_nan=not sent).encode()
    except ValueError:
        pass
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise UnknownContentError("a number of the request is not finite, or its values are nested in themselves")


def load(text: str | bytes) -> Json:
    """Read a document that comes back."""
    return json.loads(text, strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCodec:
    """Whole replies as choices, and back."""

    thinks: bool = False  # whether what the model thought is looked at

    def show(self, message: Fields, info: Value, *, logprobs: bool, index: int) -> Json:
        """Show one choice.

        Args:
            message: its fields.
            info: what else came with it.
            logprobs: whether log probabilities came with it; they are gone where its text changes.
            index: its number.
        """
        note_thoughts(message["content"])
        shown = {"role": "assistant", **_show_message(message, self._values())}
        choice = {"index": index, "message": shown, "info": Values(sent=False, calls=False).show(info)}
        return {**choice, "logprobs": {}} if logprobs else choice

    def weave(self, message: Fields, info: Value, new: Json) -> tuple[dict[str, Value], Value, bool]:
        """Return the fields and the rest of a choice that was restored, and whether it keeps its log probabilities."""
        woven = _weave_message(message, new["message"], self._values())
        rest = Values(sent=False, calls=False).weave(info, new["info"])
        return woven, rest, new.get("logprobs", {}) is not None

    def _values(self) -> Values:
        return Values(sent=False, thinks=self.thinks)


class ChunkCodec:
    """The messages of one stream as events, and back."""

    def __init__(self, *, thinks: bool = False) -> None:
        """Start before the first.

        Args:
            thinks: whether what the model thinks is looked at.
        """
        self._thinks = thinks
        self._indices: dict[str, int] = {}
        self._inputs: dict[str, str] = {}  # where arguments stand, by the types of calls
        self._thoughts: dict[Value, str] = {}  # by the index of their block

    def show(self, message: Fields, info: Value, *, logprobs: bool, is_last: bool) -> Json:
        """Show one message of the stream as an event."""
        self._note_thoughts(message["content"])
        values = self._values()
        shown = _show_message(message, values)
        delta = {_CALLS.get(key, key): item for key, item in shown.items() if key not in _PLAIN}
        whole = {"info": Values(sent=False, calls=False).show(info), "tool_calls": values.whole}
        choice = {"index": 0, "delta": delta, "whole": whole, "finish_reason": "stop" if is_last else None}
        return {"choices": [{**choice, "logprobs": {}} if logprobs else choice]}

    def weave(self, message: Fields, info: Value, new: Json) -> tuple[dict[str, Value], Value, bool]:
        """Return the fields of a message and its rest, restored, and whether it keeps its log probabilities."""
        choice = new["choices"][0]
        delta = {_PIECES.get(key, key): item for key, item in choice["delta"].items()}
        woven = _weave_message(message, delta, self._values(), iter(choice["whole"]["tool_calls"]))
        rest = Values(sent=False, calls=False).weave(info, choice["whole"]["info"])
        return woven, rest, choice.get("logprobs", {}) is not None

    def tail(self, new: Json) -> dict[str, Value]:
        """Return the fields of a message that carries what was held back of a text."""
        delta = new["choices"][0]["delta"]
        names = {number: name for name, number in self._indices.items()}
        fields: dict[str, Value] = {"content": "", **{_PIECES.get(key, key): item for key, item in delta.items()}}
        if isinstance(fields["content"], list):
            fields["content"] = [self._piece(block, names) for block in fields["content"]]
        if "tool_call_chunks" in fields:
            empty = {"name": None, "args": None, "id": None, "index": None, "type": "tool_call_chunk"}
            fields["tool_call_chunks"] = [empty | self._piece(call, names) for call in fields["tool_call_chunks"]]
        return fields

    def _piece(self, block: Json, names: Mapping[int, str]) -> Value:
        """Write what carries a text alone as LangChain has it."""
        if not isinstance(block, dict):
            return block
        tools = {FUNCTION.tool: FUNCTION.input, CUSTOM.tool: CUSTOM.input}
        out: dict[str, Value] = {key: names.get(item, item) if key == "index" else item for key, item in block.items()}
        for tool, place in tools.items():
            for key, item in out.pop(tool, {}).items():
                out[self._inputs.get(str(block.get("type")), "args") if key == place else key] = item
        return out

    def _note_thoughts(self, content: Value) -> None:
        for block in _thoughts(content):
            index = str(block.get("index"))
            self._thoughts[index] = self._thoughts.get(index, "") + str(block.get("thinking") or "")
            SIGNED_TEXTS.note(self._thoughts[index], str(block.get("signature") or ""))

    def _values(self) -> Values:
        return Values(sent=False, thinks=self._thinks, streamed=True, indices=self._indices, inputs=self._inputs)


def note_thoughts(content: Value) -> None:
    """Note what the model thought, by its signature: it may leave as it came."""
    for block in _thoughts(content):
        SIGNED_TEXTS.note(str(block.get("thinking") or ""), str(block.get("signature") or ""))


def _thoughts(content: Value) -> list[Mapping[str, Value]]:
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, Mapping) and block.get("type") == "thinking"]


def _show_option(name: str, value: Value) -> Json:
    shown = Values(sent=True, calls=False).show(value)
    if name == "tools" and isinstance(shown, list):
        return [_as_function(tool) for tool in shown]
    return _as_function(shown) if name == "tool_choice" else shown


def _weave_option(name: str, value: Value, new: Json) -> Value:
    if name == "tools" and isinstance(new, list):
        new = [_as_tool(given, tool) for given, tool in zip(value, new, strict=True)]
    elif name == "tool_choice":
        new = _as_tool(value, new)
    return Values(sent=True, calls=False).weave(value, new)


def _as_function(tool: Json) -> Json:
    """Show a tool, or the choice of one, whose name stands beside its schema, as chat completions have it."""
    if not isinstance(tool, dict) or "name" not in tool or "function" in tool:
        return tool
    function = {_SCHEMAS.get(key, key): tool[key] for key in _OF_FUNCTION if key in tool}
    return {**{key: item for key, item in tool.items() if key not in _OF_FUNCTION}, "function": function}


def _as_tool(given: Value, new: Json) -> Json:
    if not isinstance(given, Mapping) or not isinstance(new, dict) or "name" not in given or "function" in given:
        return new
    function = new["function"]
    return {key: function[_SCHEMAS.get(key, key)] if key in _OF_FUNCTION else new[key] for key in given}


def _show_message(message: Fields, values: Values) -> dict[str, Json]:
    shown = {key: values.show(message[key]) for key in _PLAIN if message.get(key) is not None}
    shown["content"] = values.content(message["content"])
    for key in _NESTED:
        if message.get(key):
            shown[key] = values.show(message[key])
    calls = _calls(message)
    return {**shown, "tool_calls": values.show(calls)} if calls else shown


def _weave_message(
    message: Fields, new: Mapping[str, Json], values: Values, whole: Iterator[Json] | None = None
) -> dict[str, Value]:
    woven = dict(message)
    whole = iter(()) if whole is None else whole
    for key in (*_PLAIN, "content", *_NESTED):
        if key in new and key in message:
            woven[key] = values.weave(message[key], new[key], whole)
    if "tool_calls" in new:
        calls = values.weave(_calls(message), new["tool_calls"], whole)
        valid = len(message.get("tool_calls", ()))
        woven |= {"tool_calls": calls[:valid], "invalid_tool_calls": calls[valid:]}
    return woven


def _calls(message: Fields) -> list[Value]:
    """Return the calls of a message, those that could not be parsed behind the others."""
    return [
        call if "type" in call else {**call, "type": kind}
        for key, kind in (("tool_calls", "tool_call"), ("invalid_tool_calls", "invalid_tool_call"))
        for call in message.get(key) or ()
    ]
