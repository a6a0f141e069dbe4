"""Where the pieces of a streamed text stand: which leaves they are, whose they are, and how their places are shown."""

import json
from typing import Any

from privguard.core.json_leaves import Kind, Leaf, Path
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.tools import CALLED, is_in_call

_LONGEST_INDEX = 4  # digits
_SHORTEST = 3  # steps of the path of a delta
# What comes whole in one event, by the API: its strings do not go on in others.
_WHOLE = frozenset(
    {"annotations", "citations", "role", "type", "id", "object", "status", "index", "image_url", "file", "data"}
)
_OF_CALLS = frozenset({"name", "arguments", "input"})
_LONGEST_INT = 640  # digits: what Python reads and writes whatever limit is set


def index_number(spelled: str) -> int | str:
    """Return a number of digits, as it is spelled where it is too long to read or to be an index."""
    return int(spelled) if len(spelled) <= _LONGEST_INDEX and spelled.isascii() else spelled


def read_scalar(raw: str) -> Any:  # noqa: ANN401 - any JSON scalar
    """Read a scalar; an integer that Python refuses to read, of thousands of digits, as the string of them."""
    return json.loads(
        raw, strict=False, parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_INT else digits
    )


def bare_index(raw: str) -> str:
    """Return the index of a choice without quotes: some servers spell it as a string."""
    return raw.strip('"')


def shown_index(raw: str) -> str:
    """Return an index as it may be shown in a path."""
    bare = bare_index(raw)
    return bare if len(bare) <= _LONGEST_INDEX and bare.isascii() and bare.isdigit() else "{0}"


def is_delta(leaf: Leaf) -> bool:
    """Tell whether a leaf is a piece of a text that goes on in other events.

    Whatever stands in a delta is one, unknown fields as well: a server may send any of them in pieces, and a value cut
    over two would pass. Only what the API is known to send whole is none, such as an annotation.
    """
    if leaf.kind is not Kind.STRING or len(leaf.path) < _SHORTEST or leaf.path[0] != "choices":
        return False
    if leaf.path[2] != "delta":
        return leaf.path[2:] == ("text",)
    place = leaf.path[3:]
    if is_in_call(place):
        return is_call_id(leaf.path) or (place[-1] in _OF_CALLS and not CALLED.isdisjoint(place[-2:-1]))
    return place != () and _WHOLE.isdisjoint(place)


def is_call_id(path: Path) -> bool:
    """Tell whether the id of a tool call stands at a path: that of an entry of `tool_calls`."""
    return len(path) > 4 and path[-3] == "tool_calls" and path[-1] == "id" and path[2:4] == ("delta", "tool_calls")


def by_call(leaves: list[Leaf]) -> list[list[Leaf]]:
    """Return the leaves of a choice in groups: those of each tool call, and all others."""
    groups: dict[Path, list[Leaf]] = {}
    for leaf in leaves:
        groups.setdefault(leaf.path[2:5] if leaf.path[3:4] == ("tool_calls",) else (), []).append(leaf)
    return list(groups.values())


def label_of(key: Path) -> str:
    """Return the path of a text as a whole reply would show it."""
    names = ["message" if step == "delta" else step for step in key]
    return "".join(
        [f"[{step}]" if isinstance(step, int) else f".{step if step in FIELD_NAMES else '{0}'}" for step in names]
    )
