"""The replies of LangChain's models as documents of the shape of chat completions: whole, and as events of a stream."""

from collections.abc import Mapping
from dataclasses import dataclass

from privguard_adapters.wire.anthropic_messages import SIGNED_TEXTS
from privguard_adapters.wire.langchain_blocks import CUSTOM, FUNCTION
from privguard_adapters.wire.langchain_messages import PLAIN, Fields, show_message, weave_message
from privguard_adapters.wire.langchain_values import Json, Value, Values

_CALLS = {"tool_call_chunks": "tool_calls"}  # in an event
_PIECES = {"tool_calls": "tool_call_chunks"}


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
        shown = {"role": "assistant", **show_message(message, self._values())}
        choice = {"index": index, "message": shown, "info": Values(sent=False, calls=False).show(info)}
        return {**choice, "logprobs": {}} if logprobs else choice

    def weave(self, message: Fields, info: Value, new: Json) -> tuple[dict[str, Value], Value, bool]:
        """Return the fields and the rest of a choice that was restored, and whether it keeps its log probabilities."""
        woven = weave_message(message, new["message"], self._values())
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
        shown = show_message(message, values)
        delta = {_CALLS.get(key, key): item for key, item in shown.items() if key not in PLAIN}
        whole = {"info": Values(sent=False, calls=False).show(info), "tool_calls": values.whole}
        choice = {"index": 0, "delta": delta, "whole": whole, "finish_reason": "stop" if is_last else None}
        return {"choices": [{**choice, "logprobs": {}} if logprobs else choice]}

    def weave(self, message: Fields, info: Value, new: Json) -> tuple[dict[str, Value], Value, bool]:
        """Return the fields of a message and its rest, restored, and whether it keeps its log probabilities."""
        choice = new["choices"][0]
        delta = {_PIECES.get(key, key): item for key, item in choice["delta"].items()}
        woven = weave_message(message, delta, self._values(), iter(choice["whole"]["tool_calls"]))
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
        out: dict[str, Value] = {key: names.get(item, item) if key == "index" else item for key, item in block.items()}
        place = self._inputs.get(str(block["type"])) if "type" in block else "args"
        if place is None:
            return out  # no call, whatever its fields are called
        for shape in (FUNCTION, CUSTOM):
            called = out.get(shape.tool)
            if isinstance(called, dict):
                del out[shape.tool]
                out |= {place if key == shape.input else key: item for key, item in called.items()}
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
