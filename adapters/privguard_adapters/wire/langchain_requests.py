"""What LangChain's models, embeddings and retrievers send, as documents of the shape of chat completions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_messages import Fields, dump, load, show_message, weave_message
from privguard_adapters.wire.langchain_values import Json, Value, Values

_SETTINGS = "settings"
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
        messages = [show_message(each, Values(sent=True)) for each in self.messages]
        return dump({"model": self.target, "messages": messages, **shown, _SETTINGS: self.settings}, sent=True)

    def written(self, body: bytes) -> "ChatRequest":
        """Return the request that a document has become; it may have one message more, in front."""
        new = load(body)
        back: list[Json] = new["messages"]
        added = back[: len(back) - len(self.messages)]
        pairs = zip(self.messages, back[len(added) :], strict=True)
        messages = [*added, *[weave_message(given, item, Values(sent=True)) for given, item in pairs]]
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
