"""Units: where a text that is still growing may be cut, so that each piece can be judged with its neighbours.

A unit ends behind a sentence or a line, at white space where neither comes, and in the midst of letters only where no
white space comes either. A block of key material is one unit. Where a unit ends depends on the text from its own start
on, and never on how much more of it has arrived: whoever asks early is told to wait.
"""

from privguard.core.patterns import lazy_pattern

MIN_UNIT = 120  # code points: shorter sentences and lines are put together
MAX_UNIT = 480  # from here on a unit ends at white space
MAX_RUN = 4096  # from here on it ends anywhere
MAX_BLOCK = 16384  # the longest block of key material that is kept together

_END = lazy_pattern(r"\n|[.!?\u2026]++[\"'\u2019\u201d\u00bb)\]*_`]*+\s|[\u3002\uff01\uff1f]")
_SPACE = lazy_pattern(r"\s")
_BLOCK = "-----BEGIN"
_BLOCK_END = lazy_pattern(r"-----END[^\n-]{0,64}-----")


def unit_end(text: str, start: int, *, final: bool) -> int | None:
    """Return where the unit ends that begins at `start`; None where that is not certain yet.

    Args:
        text: what has arrived.
        start: where the unit begins; what stands before it does not matter.
        final: whether nothing more comes.
    """
    end = _line_end(text, start, final=final)
    return None if end is None else _block_end(text, start, end, final=final)


def _line_end(text: str, start: int, *, final: bool) -> int | None:
    least, most = start + MIN_UNIT, start + MAX_UNIT
    sentence = _END.search(text, least - 1, most)
    if sentence is not None:
        return sentence.end()
    if len(text) < most:
        return len(text) if final else None
    spaces = [space.end() for space in _SPACE.finditer(text, least, most)]
    if spaces:
        return spaces[-1]
    space = _SPACE.search(text, most, start + MAX_RUN)
    if space is not None:
        return space.end()
    if len(text) >= start + MAX_RUN:
        return start + MAX_RUN
    return len(text) if final else None


def _block_end(text: str, start: int, end: int, *, final: bool) -> int | None:
    """Return the end of a unit, moved behind the blocks that begin in it."""
    at = start
    while (begin := text.find(_BLOCK, at, end)) >= 0:
        limit = begin + MAX_BLOCK
        closed = _BLOCK_END.search(text, begin, limit)
        if closed is None and len(text) < limit and not final:
            return None
        at = closed.end() if closed is not None else min(limit, len(text))
        end = max(end, at)
    return end
