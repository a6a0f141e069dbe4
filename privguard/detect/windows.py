"""Cut long texts into overlapping pieces at natural boundaries, so that no model ever sees a text cut off."""

from collections.abc import Iterator

from privguard.core.patterns import lazy_pattern

_BREAKS = tuple(map(lazy_pattern, (r"\n\s*\n", r"\n", r"[.!?。\uff01\uff1f]['\")\]]?\s", r"[;,]\s", r"\s")))


def cut(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Yield half-open intervals of at most `size` code points that cover `text` in order.

    Neighbours share up to `overlap` code points. A piece ends after a paragraph, a line, a sentence, a clause or a
    word, whichever is found first in its last half; only a longer unbroken token is cut within.
    """
    start = 0
    while len(text) - start > size:
        end = _last_break(text, start + size // 2, start + size)
        yield start, end
        start = max(_last_break(text, max(start + 1, end - overlap), end - overlap // 2) if overlap else end, start + 1)
    if start < len(text) or not text:
        yield start, len(text)


def _last_break(text: str, low: int, high: int) -> int:
    for pattern in _BREAKS:
        last = 0
        for match in pattern.finditer(text, low, high):
            last = match.end()
        if last > low:
            return last
    return high
