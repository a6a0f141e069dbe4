"""Whole names of hosts: a network that reads words finds `srv-07` of `srv-07.kernberg.example`, and the rest stays."""

from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span

_KINDS = frozenset({EntityType.DEVICE_ID, EntityType.URL})
_SIGN = lazy_pattern(r"[A-Za-z0-9.-]")
_HOST = lazy_pattern(r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_LONGEST = 120  # code points on either side of a span that a name may reach
_TOP = lazy_pattern(r"\.[A-Za-z]{2,24}\Z")


def whole_hosts(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Stretch machines and links that are a part of the name of a host to the whole of it."""
    for span in spans:
        yield span.resized(*_host(text, span)) if span.kind in _KINDS else span


def _host(text: str, span: Span) -> tuple[int, int]:
    start, end = span.start, span.end
    low, high = max(0, start - _LONGEST), min(len(text), end + _LONGEST)
    while start > low and _SIGN.match(text, start - 1):
        start -= 1
    while end < high and _SIGN.match(text, end):
        end += 1
    while start < span.start and text[start] in ".-":
        start += 1
    while end > span.end and text[end - 1] in ".-":
        end -= 1
    is_host = _HOST.fullmatch(text, start, end) and _TOP.search(text[start:end]) and text[start - 1 : start] != "@"
    return (start, end) if is_host else (span.start, span.end)
