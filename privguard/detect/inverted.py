"""Whole names in lists that put the surname first: `Roth, Ada; Roth, Tom` names two people, not four."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span

_WORD = r"(?:[^\W\d_](?:\.(?:-?[^\W\d_]\.)*|[\w'\u2019-]{0,40}))"
_PART = rf"(?:[a-z]{{1,3}}[^\S\r\n]){{0,2}}(?![a-z]){_WORD}(?:[^\S\r\n]{_WORD}){{0,2}}"
# Between an edge of the list, or of a line, and the next.
_ENTRY = lazy_pattern(
    rf"(?:(?<=[;:(\n\r])|\A)[^\S\r\n]*(?:[-*\u2022][^\S\r\n]+)?"
    rf"(?P<v>{_PART},[^\S\r\n]{{1,2}}(?P<given>{_PART}))[^\S\r\n]*(?P<end>;|[\n\r]|[.)]?(?=\s|\Z)|,(?=\n)|\Z)"
)


def join_inverted(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join the parts of each whole name in a list of two and more that write surname, comma, given name.

    The given name has to be found as a person's in one of them, and nothing else in any: `Kern, Berlin; Roth, Wien`
    lists people with their towns.

    Args:
        text: the text.
        spans: its spans, by their start; they may lie inside each other.
    """
    found = tuple(spans)
    if "," not in text or not any(span.kind is EntityType.PERSON for span in found):
        return found
    rows = sorted(found, key=lambda span: span.start)
    joined = [span for run in _runs(text) for span in _of_run(run, rows)]
    if not joined:
        return found
    starts = [span.start for span in joined]
    kept = [span for span in found if not _is_within(span, joined, starts)]
    return tuple(sorted([*kept, *joined], key=lambda span: span.start))


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the entries that follow each other, two and more."""
    run: list[re.Match[str]] = []
    for match in _ENTRY.finditer(text):
        if run and (run[-1]["end"][:1] not in {";", "\n", "\r", ","} or text[run[-1].end() : match.start()].strip()):
            if len(run) > 1:
                yield run
            run = []
        run.append(match)
    if len(run) > 1:
        yield run


def _of_run(run: Sequence[re.Match[str]], rows: Sequence[Span]) -> Iterator[Span]:
    starts = [span.start for span in rows]
    held = [rows[bisect_left(starts, each.start("v")) : bisect_left(starts, each.end("v"))] for each in run]
    if any(span.kind is not EntityType.PERSON for row in held for span in row):
        return
    if not any(span.end > each.start("given") for each, row in zip(run, held, strict=True) for span in row):
        return
    for each, row in zip(run, held, strict=True):
        if row and max(span.end for span in row) <= each.end("v"):
            best = max(row, key=lambda span: span.score)
            yield replace(best, start=each.start("v"), end=each.end("v"))


def _is_within(span: Span, joined: Sequence[Span], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, span.start) - 1
    return at >= 0 and span.end <= joined[at].end


__all__ = ["join_inverted"]
