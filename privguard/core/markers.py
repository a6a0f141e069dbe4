"""The form of a marker: `[REDACTED PERSON]`, what stands in a reply for a value that the model brought by itself.

No id and no separator stands in it, so R reads none, and nobody can put a value back. A second marker of a type may
have a number where two must differ: `[REDACTED PERSON 2]`.
"""

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern

_WORD = "REDACTED"
_KINDS = "|".join(kind.value.replace("_", " ") for kind in sorted(EntityType, key=lambda kind: -len(kind.value)))
MARKER = lazy_pattern(rf"\[{_WORD} (?:{_KINDS})(?: [1-9][0-9]{{0,5}})?\]")


def write_marker(kind: EntityType, number: int = 1) -> str:
    """Write the marker of a value of some type; `number` tells it from others, 1 writes none."""
    name = kind.value.replace("_", " ")
    return f"[{_WORD} {name}]" if number == 1 else f"[{_WORD} {name} {number}]"
