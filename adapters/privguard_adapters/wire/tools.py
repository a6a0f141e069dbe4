"""The tools that a reply calls: where their arguments stand, what they are called, and what they get of the values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.json_leaves import Document, Kind, Leaf, Path
from privguard.core.profile import Profile
from privguard.core.views import View, tool_view
from privguard_adapters.wire.reply_names import Names, ReplyNames

CALLED = frozenset({"function", "custom", "function_call"})  # the objects whose `name` is that of a tool
_CALLS = frozenset({"tool_calls", "function_call"})
_INPUTS = frozenset({"arguments", "input"})


def tool_at(path: Path) -> Path | None:
    """Return the path of the tool whose arguments stand at a path, in whole or in part; None elsewhere."""
    for depth in range(1, len(path)):
        if path[depth] in _INPUTS and path[depth - 1] in CALLED:
            return path[:depth]
    return None


def is_in_call(path: Path) -> bool:
    """Tell whether a place belongs to the call of a tool, whatever its shape."""
    return not _CALLS.isdisjoint(path)


def is_tool_name(leaf: Leaf) -> bool:
    """Tell whether a leaf is the name of a tool that a reply calls."""
    return leaf.kind is Kind.STRING and leaf.path[-1:] == ("name",) and not CALLED.isdisjoint(leaf.path[-2:-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyShape:
    """Where in the replies of an API its tools stand."""

    tool_at: Callable[[Path], Path | None] = tool_at
    is_in_call: Callable[[Path], bool] = is_in_call
    is_tool_name: Callable[[Leaf], bool] = is_tool_name


CHAT = ReplyShape()


def tool_names(document: Document) -> Mapping[Path, tuple[str, ...]]:
    """Return the names of each tool by the path of its object: all of them, where a reply gives several."""
    names: dict[Path, tuple[str, ...]] = {}
    for leaf in document.leaves:
        if leaf.kind is Kind.STRING and leaf.path[-1:] == ("name",):
            names[leaf.path[:-1]] = (*names.get(leaf.path[:-1], ()), leaf.text)
    return names


@dataclass(slots=True)
class ToolName:
    """The name of a tool, as a stream tells it."""

    whole: str = ""

    def add(self, piece: str) -> None:
        """Note a piece. Some servers repeat the whole name in every event."""
        self.whole = self.whole if self.whole == piece else self.whole + piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the profile gives to the tools that a request offers."""

    profile: Profile
    offered: frozenset[str] = frozenset()  # their names, as they left
    names: ReplyNames = field(default_factory=ReplyNames)
    shape: ReplyShape = CHAT

    def view(self, names: Sequence[str]) -> View:
        """Return what a tool gets that a whole reply calls by these names.

        A name that the request does not offer may be read as that of any tool (`web_search `, `functions.web_search`),
        so it gets no more than a call without a name.
        """
        called = [name for name in names if name]
        known = called if self.offered.issuperset(called) else []
        return tool_view(self.profile, [self.names.tools.get(name, name) for name in known])

    def keys(self, names: Sequence[str]) -> Names:
        """Return what the keys of the arguments of a tool are called that a whole reply calls by these names."""
        return self.names.arguments.get(names[0], {}) if len(names) == 1 else {}

    def keys_of(self, name: ToolName | None) -> Names:
        """Return what the keys of the arguments of a tool are called whose name has arrived in pieces."""
        return self.keys((name.whole,) if name else ())

    def early_keys(self, name: ToolName | None) -> Names | None:
        """Return what they are called where the name may go on; None where that is not certain yet."""
        if not self.names.arguments:
            return {}
        whole = name.whole if name else ""
        now = self.keys((whole,))
        later = [self.keys((each,)) for each in self.offered if each.startswith(whole)]
        return now if all(each == now for each in later) else None

    def view_of(self, name: ToolName | None) -> View:
        """Return what a tool gets whose name has arrived in pieces."""
        return self.view((name.whole,) if name else ())

    def early_view(self, name: ToolName | None) -> View | None:
        """Return what a tool gets whose name may go on; None where that is not certain yet."""
        whole = name.whole if name else ""
        now = self.view_of(name)
        later = [self.view((each,)) for each in self.offered if each.startswith(whole)]
        return now if all(each == now for each in later) else None

    def begins_call(self, name: ToolName, piece: str) -> bool:
        """Tell whether a piece of a name that comes after arguments is the name of another call.

        Args:
            name: what came before.
            piece: what comes now.
        """
        if not name.whole or piece in ("", name.whole):
            return False
        if any(each.startswith(name.whole + piece) for each in self.offered):
            return False
        return name.whole in self.offered or piece in self.offered
