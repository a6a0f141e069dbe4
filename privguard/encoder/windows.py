"""Windows over the tokens of a text, with overlap, so that nothing is ever cut off."""

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Tokens `[start, end)` go through the model together; those of `[keep_start, keep_end)` are read from here."""

    start: int
    end: int
    keep_start: int
    keep_end: int


def split_windows(count: int, *, length: int, overlap: int) -> tuple[Window, ...]:
    """Cover `count` tokens by windows of at most `length` tokens that share at least `overlap` with their neighbours.

    There are as few windows as possible, all equally long and no longer than they must be: what they share is read
    twice. The kept ranges are disjoint, sorted and cover everything; a token is read from the window where it stands
    farther from an edge.
    """
    if not 0 <= overlap < length:
        raise ValueError("the overlap must be at least 0 and less than the length")
    if count <= length:
        return (Window(start=0, end=count, keep_start=0, keep_end=count),) if count else ()
    windows = -(-(count - overlap) // (length - overlap))
    size = -(-(count + (windows - 1) * overlap) // windows)
    starts = [number * (count - size) // (windows - 1) for number in range(windows)]
    cuts = [0, *((later + earlier + size) // 2 for earlier, later in pairwise(starts)), count]
    return tuple(
        Window(start=start, end=start + size, keep_start=cuts[number], keep_end=cuts[number + 1])
        for number, start in enumerate(starts)
    )
