"""Values of a document behind their keys, as a reader sees them.

Each string and number of a JSON document is a text of its own, and `hunter2` alone tells nothing. So a short one of
which not all was found is looked at once more as the document says it: `password: hunter2`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from privguard.core.segments import Segment
from privguard.core.spans import Span

_LONGEST = 120  # code points: a longer value tells what it is, and a longer key is a sentence


def lead_of(segment: Segment, found: Iterable[Span]) -> str:
    """Return what is to be put before a text; "" where it stands under no key or needs none."""
    key = segment.written.key if segment.written else ""
    size = len(segment.text)
    if not key.strip() or max(len(key), size) > _LONGEST:
        return ""
    return "" if any(span.start == 0 and span.end == size for span in found) else f"{key}: "


def behind(lead: str, found: Iterable[Span]) -> Iterator[Span]:
    """Yield what was found behind a lead, at the offsets of the text without it."""
    for span in found:
        if span.end > len(lead):
            yield replace(span, start=max(0, span.start - len(lead)), end=span.end - len(lead))
