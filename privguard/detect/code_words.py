"""What stands behind `token =` in a program is mostly no secret: a keyword, a type, a call, an attribute."""

import keyword
import re
from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.spans import Span

_OTHERS = """
    any array async bool boolean bytes char const dict double export extends final float func function implements int
    integer interface let list long map new nil null number object optional private protected public readonly required
    self set static str string struct super this throw tuple typeof undefined unknown var varchar void
"""
_WORDS = frozenset(word.lower() for word in (*keyword.kwlist, *keyword.softkwlist, *_OTHERS.split()))
_KINDS = frozenset({EntityType.SECRET, EntityType.USERNAME})
_CALL = re.compile(r"[A-Za-z_$]+(?:\.[A-Za-z_$]+)*(?:\([^\n]*\)|\[[^\n]*\])")  # without digits: passwords have them
_ATTRIBUTE = re.compile(r"[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+\Z")
_ASSIGNED = re.compile(r"=\s*(?:await\s+|new\s+)?\Z")


def without_code(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Leave out secrets and user names that are keywords, or unquoted calls and attributes behind an equals sign."""
    for span in spans:
        if span.kind not in _KINDS or not _is_code(text, span):
            yield span


def _is_code(text: str, span: Span) -> bool:
    value = text[span.start : span.end]
    if value.lower() in _WORDS:
        return True
    if not _ASSIGNED.search(text, max(0, span.start - 12), span.start):
        return False
    return bool(_CALL.match(text, span.start) or _ATTRIBUTE.match(value))
