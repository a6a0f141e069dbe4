"""Put replacements into a text in a single pass."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from privguard.core.errors import PlanError


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What stands in the place of `[start, end)`, in code points."""

    start: int
    end: int
    replacement: str = field(repr=False)

    def __post_init__(self) -> None:
        """Check the interval once; it is trusted afterwards."""
        if not 0 <= self.start < self.end:
            raise ValueError(f"[{self.start}, {self.end}) is not a span")


def splice(text: str, edits: Sequence[Edit]) -> str:
    """Return `text` with every edit made; what was put in is never looked at again.

    Args:
        text: the original; all offsets refer to it.
        edits: sorted and disjoint.

    Raises:
        PlanError: two edits overlap or are out of order, or one ends behind the text.
    """
    pieces: list[str] = []
    done = 0
    for edit in edits:
        if edit.start < done or edit.end > len(text):
            raise PlanError(f"[{edit.start}, {edit.end}) does not fit into [{done}, {len(text)})")
        pieces += (text[done : edit.start], edit.replacement)
        done = edit.end
    return "".join((*pieces, text[done:])) if edits else text
