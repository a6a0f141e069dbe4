"""Read placeholders the way a model sees them: no originals, only what left."""

import re
from dataclasses import dataclass, field

from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET, MAX_HINT, MAX_ID, MIN_ID, is_placeholder_id, write_placeholder

_KINDS = "|".join(sorted((kind.value for kind in EntityType), key=len, reverse=True))
PLACEHOLDER = re.compile(rf"\[({_KINDS})_([{ALPHABET}]{{{MIN_ID},{MAX_ID}}})(?:: ([^\[\]]{{1,{MAX_HINT}}}))?\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One placeholder of a text."""

    kind: EntityType
    placeholder_id: str
    hint: str = field(default="", repr=False)  # the abstract phrase beside it, "" where there is none

    def __str__(self) -> str:
        """Write it the way a model repeats it: without the hint."""
        return write_placeholder(self.kind, self.placeholder_id)


def find_placeholders(text: str) -> tuple[Found, ...]:
    """Return the placeholders of `text`, each id once with its hint, in the order in which they stand."""
    found: dict[str, Found] = {}
    for match in PLACEHOLDER.finditer(text):
        kind, placeholder_id, hint = match.groups()
        if is_placeholder_id(placeholder_id) and not (placeholder_id in found and found[placeholder_id].hint):
            found[placeholder_id] = Found(kind=EntityType(kind), placeholder_id=placeholder_id, hint=hint or "")
    return tuple(found.values())
