"""The small things that all rules share: making spans and looking at the neighbourhood of a match."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from privguard.core.entities import EntityType
from privguard.core.spans import Span


def take(matches: Iterable[re.Match[str]], kind: EntityType, score: float, source: str) -> Iterator[Span]:
    """Yield a span for each match: its group `v` where the pattern has one, the whole match otherwise."""
    for match in matches:
        start, end = match.span("v" if "v" in match.re.groupindex else 0)
        if start < end:
            yield Span(start=start, end=end, kind=kind, score=score, source=source)


def words(*alternatives: str) -> str:
    """Return a regular expression for whole words out of space-separated alternatives; `_` stands for a space."""
    return rf"(?<!\w){any_of(*alternatives)}(?!\w)"


def any_of(*alternatives: str) -> str:
    """Return a regular expression for any of the space-separated alternatives, the longest that fits.

    It is a tree: alternatives that share a beginning share its comparison. With hundreds of words that is many times
    faster than a plain alternation.
    """
    tree: _Tree = {}
    for word in (word for line in alternatives for word in line.split()):
        node = tree
        for letter in word:
            node = node.setdefault(_atom(letter), {})
        node[""] = {}
    return _write(tree)


def listed(*lines: str) -> frozenset[str]:
    """Return the space-separated words of `lines`."""
    return frozenset(word for line in lines for word in line.split())


@cache
def _atom(letter: str) -> str:
    return _GAP if letter == "_" else re.escape(letter)


_GAP = r"\.?[ \u00a0_-]?"  # a space, a hyphen or nothing, after the full stop of an abbreviation
_Tree = dict[str, "_Tree"]


def _write(tree: _Tree) -> str:
    branches = [atom + (_write(tree[atom]) if tree[atom] != {"": {}} else "") for atom in sorted(tree) if atom]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and "" not in tree else "(?:" + "|".join(branches) + ")"
    return body + ("?" if "" in tree else "")


def near(text: str, start: int, end: int, pattern: re.Pattern[str], *, before: int = 50, after: int = 20) -> bool:
    """Tell whether a context word stands in the neighbourhood of a match."""
    return bool(pattern.search(text, max(0, start - before), start) or pattern.search(text, end, end + after))


def luhn(digits: str) -> bool:
    """Tell whether a string of digits ends in its Luhn check digit (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
