"""What is known of a reply while it streams: its choices and their texts, and how the rest of a text goes out."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from privguard.core.json_leaves import Path, in_one_line
from privguard.core.views import View
from privguard_adapters.wire.deltas import read_scalar
from privguard_adapters.wire.exchanging import TextStream
from privguard_adapters.wire.offsets import Offsets
from privguard_adapters.wire.reply_names import Names
from privguard_adapters.wire.sse import write_frame
from privguard_adapters.wire.tools import ToolName, Tools


@dataclass(slots=True, kw_only=True)
class StreamedText:
    """One text of one choice that is being streamed."""

    open: Callable[[View | None, Names], TextStream]
    tool: Path | None = None  # the tool that gets it
    keys: Names = field(default_factory=dict)  # what the keys in it are called, where no tool gets it
    view: View | None = None  # what may stand in it, once there is a stream; None: what the user gets
    stream: TextStream | None = None  # None: it is not known yet what may stand in it, and what came so far is held
    held: list[str] = field(default_factory=list)
    template: Path  # where its delta stands, below the choice
    indices: Mapping[int, str] = field(default_factory=dict)  # raw `index` of the list entries on that path
    types: Mapping[int, str] = field(default_factory=dict)  # likewise, raw `type`, by which clients tell the parts
    offsets: Offsets = field(default_factory=Offsets)

    @property
    def holds(self) -> bool:
        """Tell whether anything of it is held back."""
        return any(self.held) or (self.stream is not None and self.stream.holds)


@dataclass(slots=True, kw_only=True)
class StreamedChoice:
    """One choice of the reply."""

    index: str  # as it is spelled
    texts: dict[Path, StreamedText] = field(default_factory=dict)
    ids: dict[Path, str] = field(default_factory=dict)  # of its tool calls, the last at each place
    names: dict[Path, ToolName] = field(default_factory=dict)  # of the tools that it calls, by their places
    finished: bool = False
    head: dict[str, Any] = field(default_factory=dict)  # of the last chunk
    offsets: dict[Path, Offsets] = field(default_factory=dict)


def flush(choice: StreamedChoice, text: StreamedText, tools: Tools, *, goes_on: bool = False) -> str:
    """Return the rest of a text, which may go on all the same."""
    if text.stream is None:
        name = None if text.tool is None else choice.names.get(text.tool)
        given = (None, text.keys) if text.tool is None else (tools.view_of(name), tools.keys_of(name))
        text.view, text.stream = given[0], text.open(*given)
    certain = text.stream.feed("".join(text.held))
    text.held.clear()
    tail = certain + (text.stream.pause() if goes_on else text.stream.flush())
    text.offsets.note("", tail)
    return tail


def extra_event(choice: StreamedChoice, text: StreamedText, tail: str) -> bytes:
    """Write a chunk that carries the tail of one text alone."""
    value: Any = tail
    for depth in reversed(range(len(text.template))):
        step = text.template[depth]
        if isinstance(step, str):
            value = {step: value}
        elif isinstance(value, dict):
            marks = (("index", text.indices), ("type", text.types))
            value = [{**{name: read_scalar(raw[depth]) for name, raw in marks if depth in raw}, **value}]
        else:
            value = [value]
    entry = {"index": read_scalar(choice.index), **value, "finish_reason": None}
    if "text" in entry:
        entry["logprobs"] = None
    return write_frame(write_json({**choice.head, "choices": [entry]}))


def write_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a value as JSON; half of a surrogate pair, and what readers of lines end one at, leave as escapes."""
    return in_one_line(json.dumps(value, ensure_ascii=False))
