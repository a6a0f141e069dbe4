r"""Line breaks that are written out: in a log line or in the repr of a program, `\n` stands before a value.

For a reader, the `n` is no letter of what follows. So such a text is looked at twice, the second time with these
escapes as white space of the same length, and the offsets stay.
"""

from collections.abc import Sequence
from dataclasses import replace

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span

_WRITTEN_BREAK = lazy_pattern(r"\\[nrt]")


def soften(text: str) -> str:
    """Return the text with every written line break and tab as two spaces; the same object where there is none."""
    return _WRITTEN_BREAK.sub("  ", text) if "\\" in text else text


def unite(text: str, plain: Sequence[Span], softened: Sequence[Span]) -> tuple[Span, ...]:
    """Return what was found in a text and in its softened form.

    A span of the plain text ends before the backslash of an escape, unless it is a secret. One that begins with the
    letter of an escape, and is found without it as well, is left out.
    """
    found = {(span.kind, span.end): span.start for span in softened}
    kept = [
        span
        for span in (_before_break(text, each) for each in plain)
        if not (_WRITTEN_BREAK.match(text, span.start - 1) and found.get((span.kind, span.end), -1) > span.start)
    ]
    return (*kept, *softened)


def _before_break(text: str, span: Span) -> Span:
    cut = span.end - 1
    is_cut = span.kind is not EntityType.SECRET and cut > span.start and _WRITTEN_BREAK.match(text, cut) is not None
    return replace(span, end=cut) if is_cut else span
