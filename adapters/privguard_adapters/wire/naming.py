"""Collect the names that a request declares and repeats, while it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from privguard.core.json_leaves import Leaf, Path, Pattern
from privguard.core.nested_texts import Place
from privguard.core.remembered import remembered
from privguard_adapters.wire.fields import Use, patterns
from privguard_adapters.wire.identifiers import Identifiers, is_name, names_in


@dataclass(frozen=True, kw_only=True)
class Declaring:
    """Where a request of one API declares its tools, and the schema of its structured output."""

    tools: frozenset[Pattern]  # the names of the tools; the schema of each stands beside its name
    output: Pattern  # the schema

    kinds: frozenset[Pattern] = frozenset()  # the types of tools that may have no name of their own

    def declares(self, leaf: Leaf) -> bool:
        """Tell whether a leaf stands where names are declared: beside the name of a tool, or in what is wanted."""
        if not leaf.path or leaf.path[0] not in self._roots:
            return False
        pattern = leaf.pattern
        return any(pattern[: len(each)] == each for each in self._places)

    @remembered
    def _places(self) -> tuple[Pattern, ...]:
        """Return what the paths of declarations begin with, the longest first."""
        return tuple(sorted((pattern[:-1] for pattern in (*self.tools, self.output)), key=len, reverse=True))

    @remembered
    def _tools(self) -> tuple[Pattern, ...]:
        return tuple(sorted(self.tools, key=len, reverse=True))

    @remembered
    def _roots(self) -> frozenset[object]:
        return frozenset({place[0] for place in self._places})

    def offered(self, values: Mapping[Path, Leaf]) -> frozenset[str]:
        """Return the names of the tools that a request offers, and the types of those that have none."""
        names = [leaf.text for leaf in values.values() if leaf.path[0] in self._roots and leaf.pattern in self.tools]
        kinds = [
            leaf.text
            for path, leaf in values.items()
            if leaf.pattern in self.kinds and (*path[:-1], "name") not in values
        ]
        return frozenset([*names, *kinds])

    def tool_of(self, leaf: Leaf, values: Mapping[Path, Leaf]) -> str | None:
        """Return the name of the tool in whose schema a leaf of a request stands; None elsewhere."""
        for pattern in self._tools:
            depth = len(pattern) - 1
            if leaf.pattern[:depth] == pattern[:-1] and len(leaf.path) > depth + 1:
                name = values.get((*leaf.path[:depth], "name"))
                if name is not None:
                    return name.text
        return None


CHAT_DECLARING = Declaring(
    tools=patterns("tools.*.function.name tools.*.custom.name functions.*.name"),
    output=("response_format", "json_schema", "schema"),
)


class Naming:
    """The names of one request. What is declared is known before anything that repeats it."""

    def __init__(self, declaring: Declaring = CHAT_DECLARING) -> None:
        self._declaring = declaring
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
            if self._declaring.declares(leaf):
                names = _names(leaf, use)
                self._declared |= dict.fromkeys(names)
                tool = self._declaring.tool_of(leaf, values)
                if tool is not None:
                    self._scopes.setdefault(tool, set()).update(names)
                elif leaf.pattern[: len(self._declaring.output) - 1] == self._declaring.output[:-1]:
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
            if name not in self._numbers and (name not in self._declared or self._declaring.declares(leaf)):
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
