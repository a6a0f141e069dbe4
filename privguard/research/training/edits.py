"""Texts with labelled spans, and changes to them that keep each span on its value."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """Half-open `[start, end)` of a text with its label; `index` is its place before any change."""

    start: int
    end: int
    label: str
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Put `text` where `[start, end)`, never empty, stood. An edit lies in one span or outside of all."""

    start: int
    end: int
    text: str


Augmented = tuple[str, tuple[LabelledSpan, ...]]


def apply_edits(text: str, spans: Sequence[LabelledSpan], edits: Sequence[Edit]) -> Augmented:
    """Apply disjoint edits in order of their places and move the spans along."""
    parts: list[str] = []
    done = 0
    for edit in edits:
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    parts.append(text[done:])
    ends = [edit.end for edit in edits]
    shifts = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in edits)]

    def moved(place: int) -> int:
        return place + shifts[bisect_right(ends, place)]

    kept = tuple(replace(span, start=moved(span.start), end=moved(span.end)) for span in spans)
    return "".join(parts), kept


def map_signs(text: str, spans: Sequence[LabelledSpan], signs: Sequence[str]) -> Augmented:
    """Replace each code point by the text at its place in `signs`; a span that would vanish keeps its value."""
    edits = [
        Edit(start=place, end=place + 1, text=new)
        for place, (old, new) in enumerate(zip(text, signs, strict=True))
        if old != new
    ]
    vanishing = [span for span in spans if not any(signs[span.start : span.end])]
    if vanishing:
        edits = [edit for edit in edits if not any(s.start <= edit.start < s.end for s in vanishing)]
    return apply_edits(text, spans, edits)


def inside(spans: Sequence[LabelledSpan], length: int) -> list[bool]:
    """Tell for each place of a text whether a span covers it."""
    covered = [False] * length
    for span in spans:
        covered[span.start : span.end] = [True] * (span.end - span.start)
    return covered
