"""The tools that a reply calls: where their arguments stand, what they are called, and what they get of the values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.json_leaves import Document, Kind, Path
from privguard.core.profile import Profile
from privguard.core.views import View, tool_view, views_of_start
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
    pieces: list[str] = field(default_factory=list)

    def add(self, piece: str) -> None:
        """Note a piece. Some servers repeat the whole name in every event."""
        self.whole = self.whole if self.whole == piece else self.whole + piece
        self.pieces.append(piece)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the profile gives to the tools that a request offers."""

    profile: Profile
    offered: frozenset[str] = frozenset()  # their names, as they left
    names: ReplyNames = field(default_factory=ReplyNames)

    def view(self, names: Sequence[str]) -> View:
        """Return what a tool gets that a whole reply calls by these names."""
        return tool_view(self.profile, [self.names.tools.get(name, name) for name in names])

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
        if name is None:
            return self.view(())
        # A name that no tool has may be read in other ways: by who overwrites it with each piece, say.
        return self.view((name.whole,) if name.whole in self.offered else (name.whole, *name.pieces))

    def early_view(self, name: ToolName | None) -> View | None:
        """Return what a tool gets whose name may go on; None where that is not certain yet."""
        whole = name.whole if name else ""
        now = self.view_of(name)
        if whole in self.offered:
            later = frozenset([self.view((each,)) for each in self.offered if each.startswith(whole)])
        else:
            goes_on = [self.view((each,)) for each in self.names.tools if each.startswith(whole)]
            later = views_of_start(self.profile, whole).union(goes_on)
        return now if later == {now} else None

    def begins_call(self, name: ToolName, piece: str, view: View | None) -> bool:
        """Tell whether a piece of a name that comes after arguments is the name of another call.

        Args:
            name: what came before.
            piece: what comes now.
            view: what the arguments so far get; None where they are still held.
        """
        if not name.whole or piece in ("", name.whole) or name.whole + piece in self.offered:
            return False
        if name.whole in self.offered or piece in self.offered:
            return True
        either = (name.whole + piece, *name.pieces, piece)
        return view is not None and self.view(either) != view
