"""Collect the names that a request declares and repeats, while it is read."""

from collections.abc import Mapping, Sequence

from privguard.core.json_leaves import Leaf, Path
from privguard.core.nested_texts import Place
from privguard_adapters.wire.fields import Use
from privguard_adapters.wire.identifiers import Identifiers, is_name, names_in

_OWNERS = {"tools": 3, "functions": 2}  # how long the path of a tool is
_OUTPUT = ("response_format", "json_schema", "schema")
_DECLARING = frozenset({*_OWNERS, _OUTPUT[0]})


class Naming:
    """The names of one request. What is declared is known before anything that repeats it."""

    def __init__(self) -> None:
        self._declared: dict[str, None] = {}
        self._numbers: dict[str, int] = {}
        self._places: list[tuple[Place, str]] = []
        self._references: list[tuple[Place, str]] = []
        self._labels: dict[str, str] = {}
        self._scopes: dict[str, set[str]] = {}
        self._output: set[str] = set()

    def declare(self, leaves: Sequence[Leaf], uses: Sequence[Use], values: Mapping[Path, Leaf]) -> None:
        """Note what tools and schemas declare."""
        for leaf, use in zip(leaves, uses, strict=True):
            if leaf.path and leaf.path[0] in _DECLARING:
                names = _names(leaf, use)
                self._declared |= dict.fromkeys(names)
                tool = _tool_of(leaf.path, values)
                if tool is not None:
                    self._scopes.setdefault(tool, set()).update(names)
                elif leaf.path[:3] == _OUTPUT:
                    self._output.update(names)

    def declares(self, name: str) -> bool:
        """Tell whether a name is declared."""
        return name in self._declared

    def note(self, place: Place, leaf: Leaf, use: Use, number: int, *, is_free: bool) -> list[str]:
        """Note the names at a place, and return those that become segments there, the first under the given number.

        Args:
            place: where they stand.
            leaf: what stands there.
            use: IDENTIFIER or REFERENCE.
            number: of the next segment.
            is_free: whether it is the name of a function or a schema, and stands in none.
        """
        names = _names(leaf, use)
        if use is Use.REFERENCE:
            self._references.append((place, leaf.text))
        else:
            self._places += [(place, name) for name in names]
        new: list[str] = []
        for name in dict.fromkeys(names):
            if is_free:
                self._labels.setdefault(name, leaf.label)
            # One that is declared is told where it is, whatever came before.
            if name not in self._numbers and (leaf.path[0] in _DECLARING or name not in self._declared):
                self._numbers[name] = number + len(new)
                new.append(name)
        return new

    def repeat(self, place: Place, name: str) -> None:
        """Note a place where a name that is declared stands again."""
        self._places.append((place, name))

    def identifiers(self) -> Identifiers:
        """Return what was collected. What is declared comes first, so that no message before it changes its form."""
        order = [name for name in self._declared if name in self._numbers]
        return Identifiers(
            numbers={name: self._numbers[name] for name in dict.fromkeys((*order, *self._numbers))},
            places=tuple(self._places),
            references=tuple(self._references),
            labels=self._labels,
            scopes={tool: frozenset(names) for tool, names in self._scopes.items()},
            output=frozenset(self._output),
        )


def _names(leaf: Leaf, use: Use) -> list[str]:
    if use is Use.REFERENCE:
        return list(names_in(leaf.text))
    return [leaf.text] if use is Use.IDENTIFIER and is_name(leaf.text) else []


def _tool_of(path: Path, values: Mapping[Path, Leaf]) -> str | None:
    """Return the name of the tool in whose schema a place of a request stands; None elsewhere."""
    owner = path[: _OWNERS.get(str(path[0]), 0)]
    leaf = values.get((*owner, "name")) if owner else None
    return leaf.text if leaf is not None and len(path) > len(owner) + 1 else None
