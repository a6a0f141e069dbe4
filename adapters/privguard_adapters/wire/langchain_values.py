"""The values in LangChain's messages as JSON of the shape of chat completions, and back.

Whatever calls a tool is shown as `function` with `name` and `arguments`, or as `custom` with `name` and `input` where
these are free text, so that one reader and one R know what stands there. `weave` puts what became of it into a copy of
the value. What is not shown stays as it is: what a model thought, which is signed, and objects that are no JSON in a
reply.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.langchain_blocks import CUSTOM, FUNCTION, Shape, inputs_of, is_call, keeps_type

Value: TypeAlias = Any  # of a message; what of it is JSON is told here
Json: TypeAlias = Any

_INDEX = re.compile(r"[A-Za-z0-9_.:-]{1,64}")  # of a block, where it is a text
_FIRST_INDEX = 1000  # of blocks whose index is a text


class Values:
    """Shows the values of one message, and weaves what became of them into copies, in the same order."""

    def __init__(
        self,
        *,
        sent: bool,
        calls: bool = True,
        thinks: bool = True,
        streamed: bool = False,
        indices: dict[str, int] | None = None,
        inputs: dict[str, str] | None = None,
    ) -> None:
        """Choose how values are shown.

        Args:
            sent: whether they are to be sent: then what cannot be read is refused.
            calls: whether what calls a tool is shown as such; the arguments of one are the caller's own.
            thinks: whether what a model thought is shown; it is signed, and goes back as it came.
            streamed: whether they are pieces of a stream.
            indices: the numbers that stand for indices of blocks that are texts, in all messages of a stream.
            inputs: where arguments stand, by the types of calls, likewise.
        """
        self._sent, self._calls, self._thinks, self._streamed = sent, calls, thinks, streamed
        self._indices = {} if indices is None else indices
        self._inputs = {} if inputs is None else inputs
        self.whole: list[Json] = []  # calls that are complete in one piece of a stream: nothing goes on with them

    def content(self, given: Value) -> Json:
        """Show the content of a message, or of a tool's result.

        Raises:
            UnknownContentError: it is to be sent and holds what is not text.
        """
        return [self._block(block) for block in given] if isinstance(given, list | tuple) else self.show(given)

    def show(self, given: Value) -> Json:
        """Show any value.

        Raises:
            UnknownContentError: it is to be sent and is no JSON.
        """
        if given is None or isinstance(given, bool | int | float):
            return given
        if isinstance(given, str):
            return str(given)
        if isinstance(given, list | tuple):
            return [self.show(item) for item in given]
        if isinstance(given, Mapping):
            return self._show_mapping(given)
        if self._sent:
            raise UnknownContentError(
                "a message or an option holds an object that is no JSON, which cannot be minimized; nothing was sent"
            )
        return None

    def _block(self, block: Value) -> Json:
        if not self._sent or isinstance(block, str):
            return self.show(block)
        if not isinstance(block, Mapping):
            raise UnknownContentError("a content block is neither a text nor an object; nothing was sent")
        if block.get("type") == "non_standard":
            return {key: self._block(item) if key == "value" else self.show(item) for key, item in block.items()}
        fixed = {} if keeps_type(block) or "type" not in block else {"type": None}  # a word that nobody looks at
        return self.show(block) | fixed | self._within(block)

    def _within(self, block: Mapping[Value, Value]) -> dict[str, Json]:
        """Show the blocks that stand in one that may hold some."""
        found: dict[str, Json] = {}
        if block.get("type") == "tool_result" and "content" in block:
            found["content"] = self.content(block["content"])
        source = block.get("source")
        if isinstance(source, Mapping) and "content" in source:
            found["source"] = self.show(source) | {"content": self.content(source["content"])}
        return found

    def _show_mapping(self, given: Mapping[Value, Value]) -> Json:
        place = self._input_of(given)
        rest = _rest(given, place)
        slot = None
        if place is not None and self._is_whole(given, place):
            slot = len(self.whole)
            self.whole.append(None)
        shown = {str(key): self._show_item(given, key, item) for key, item in rest.items()}
        if len(shown) != len(rest):
            if self._sent:
                raise UnknownContentError("two keys of an object are the same as JSON; nothing was sent")
            return None
        if place is None:
            return shown
        call = {**shown, **self._call(given, place)}
        if slot is None:
            return call
        self.whole[slot] = call
        return None

    def _show_item(self, given: Mapping[Value, Value], key: Value, item: Value) -> Json:
        if not self._thinks and key == "thinking" and given.get("type") == "thinking":
            return None
        if key == "type" and self._sent and self._calls and is_call(item):
            return None  # a fixed word
        if self._is_number(key, item):
            return self._indices.setdefault(item, _FIRST_INDEX + len(self._indices))
        return self.show(item)

    def _is_number(self, key: Value, item: Value) -> bool:
        """Tell whether a number stands for a text: the index of a block of a stream."""
        return self._streamed and key == "index" and isinstance(item, str) and _INDEX.fullmatch(item) is not None

    def _call(self, given: Mapping[Value, Value], place: str) -> dict[str, Json]:
        """Show what calls a tool: by its name, and with its arguments."""
        has_input = place in given and not (self._streamed and given[place] == {})
        if self._streamed and (has_input or given["type"] not in self._inputs):
            self._inputs[str(given["type"])] = place
        name = {"name": self.show(given["name"])} if "name" in given else {}
        shape = _shape(given, place)
        return {shape.tool: name | ({shape.input: self._arguments(given[place])} if has_input else {})}

    def _arguments(self, given: Value) -> Json:
        if given is None or isinstance(given, str):
            return given
        return json.dumps(Values(sent=self._sent, calls=False).show(given), ensure_ascii=False)

    def _input_of(self, given: Mapping[Value, Value]) -> str | None:
        """Return where the arguments stand in what calls a tool; None of anything else."""
        places = inputs_of(given) if self._calls else ()
        return next((place for place in places if place in given), next(iter(places), None))

    def _is_whole(self, given: Mapping[Value, Value], place: str) -> bool:
        if not self._streamed:
            return False
        arguments = given.get(place)
        # An empty object stands where pieces are still to come: of what it names.
        return given.get("index") is None or not (arguments is None or arguments == {} or isinstance(arguments, str))

    def weave(self, given: Value, new: Json, whole: Iterator[Json] | None = None) -> Value:
        """Return a copy of a value with what became of what was shown of it.

        Args:
            given: the value.
            new: what became of what was shown.
            whole: what became of the calls that were complete, in their order.

        Raises:
            ValueError: the arguments of a call are no JSON any more.
        """
        whole = iter(()) if whole is None else whole
        if isinstance(given, Mapping):
            place = self._input_of(given)
            if place is not None and self._is_whole(given, place):
                new = next(whole)
            if new is None:
                return given
            if place is None:
                return self._weave_mapping(given, new, whole)
            return self._weave_call(given, new, place, whole)
        if isinstance(given, list | tuple) and isinstance(new, list):
            pairs = zip(given, new, strict=False)
            return [*[self.weave(item, back, whole) for item, back in pairs], *new[len(given) :]]
        return given if new is None or new == given else new

    def _weave_mapping(
        self, given: Mapping[Value, Value], new: Mapping[str, Json], whole: Iterator[Json]
    ) -> dict[Value, Value]:
        if len(new) != len(given):
            return dict(new)  # two keys came back as one
        return {
            key if str(key) == name else name: item if self._is_number(key, item) else self.weave(item, back, whole)
            for (key, item), (name, back) in zip(given.items(), new.items(), strict=True)
        }

    def _weave_call(
        self, given: Mapping[Value, Value], new: Mapping[str, Json], place: str, whole: Iterator[Json]
    ) -> dict[Value, Value]:
        shape = _shape(given, place)
        called = new[shape.tool]
        others = {key: back for key, back in new.items() if key != shape.tool}
        woven = self._weave_mapping(_rest(given, place), others, whole)
        if "name" in given:
            woven["name"] = self.weave(given["name"], called["name"], whole)
        if place in given:
            came = called.get(shape.input, ...)
            woven[place] = given[place] if came is ... else self._weave_arguments(given[place], came)
        order = [key for key in given if key in woven]
        return {key: woven[key] for key in (*order, *[key for key in woven if key not in given])}

    def _weave_arguments(self, given: Value, new: Json) -> Value:
        if new == self._arguments(given):
            return given
        if isinstance(given, str):
            return new
        return Values(sent=self._sent, calls=False).weave(given, json.loads(new, strict=False))


def _shape(given: Mapping[Value, Value], place: str) -> Shape:
    """Return how a call is shown: whether its arguments are JSON, or free text."""
    is_free = given.get("type") == "custom_tool_call" and isinstance(given.get(place), str)
    return CUSTOM if is_free else FUNCTION


def _rest(given: Mapping[Value, Value], place: str | None) -> dict[Value, Value]:
    """Return what is neither the name of a tool nor its arguments."""
    return {key: item for key, item in given.items() if place is None or key not in ("name", place)}
