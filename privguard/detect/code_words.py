"""What stands behind `token =` in a program is mostly no secret, and a number behind `ts` is a clock.

`user=request.user` is code, and `user=tala.kernberg` in a log is somebody: a dotted name is told by its words.
"""

import keyword
import re
from collections.abc import Iterable, Iterator
from functools import cache

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.ordinary import is_name_too
from privguard.detect.word_lists import read_lines

_OTHERS = """
    any array async bool boolean bytes char const dict double export extends final float func function implements int
    integer interface let list long map new nil null number object optional private protected public readonly required
    self set static str string struct super this throw tuple typeof undefined unknown var varchar void
"""
_WORDS = frozenset(word.lower() for word in (*keyword.kwlist, *keyword.softkwlist, *_OTHERS.split()))
_KINDS = frozenset({EntityType.SECRET, EntityType.USERNAME})
_CALL = lazy_pattern(r"[A-Za-z_$]+(?:\.[A-Za-z_$]+)*(?:\([^\n]*\)|\[[^\n]*\])")  # without digits: passwords have them
_ATTRIBUTE = lazy_pattern(r"[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+\Z")
_PIECE = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_COUNT = lazy_pattern(r"[A-Za-z_$.-]+\((?:[ug]?id=\d*|\d+)\)")  # `tala.kernberg(uid=1001)` of a log is no call
# Around an attribute that a program assigns; a line of settings or of a log has none of it.
_SPACED = lazy_pattern(r"\s=\s*\Z|=\s+\Z")
_PASSWORD = lazy_pattern(
    r"(?:pass(?:wor[dt]|wd|phrase|code)?|pwd|pw|kennwort|contrase\u00f1a|senha|mdp)\s*=\s*\Z", re.IGNORECASE
)
_PUNCTUATION = lazy_pattern(r"\s?[,;)\]}(\[]")
_CLOCK = lazy_pattern(r"1[0-9]{9}(?:[0-9]{3}){0,3}\Z")  # seconds to nanoseconds since 1970, from 2001 to 2033
_SECONDS = 10  # digits
_CLOCK_KEY = lazy_pattern(
    r"(?:\b|_)(?:ts|time|timestamp|epoch|date|took|at|since|until|created|updated|modified|expires|iat|exp|nbf)"
    r"(?:_?(?:at|ms|us|ns|s))?[\"']?\s*[:=]\s*\Z",
    re.IGNORECASE,
)
_INSIDE = lazy_pattern(r"[A-Za-z0-9_$.]")
_LONGEST = 120  # code points on either side of a span that belong to an attribute
_VALUE = lazy_pattern(r"=\s*(?:await\s+|new\s+)?(?=[A-Za-z_$])")
_CALL_LENGTH = 120  # code points before a span in which its call is looked for
_ASSIGNED = lazy_pattern(r"=\s*(?:await\s+|new\s+)?\Z")


def without_code(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Leave out secrets and user names that are keywords, or unquoted calls and attributes behind an equals sign."""
    for span in spans:
        if span.kind not in _KINDS or not _is_code(text, span):
            yield span


def without_clocks(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Leave out numbers that count time since 1970: behind a key that says so, or alone and finer than seconds."""
    for span in spans:
        value = text[span.start : span.end]
        alone = len(value) > _SECONDS and value == text.strip()
        if not (_CLOCK.match(value) and (alone or _CLOCK_KEY.search(text, max(0, span.start - 24), span.start))):
            yield span


def _is_code(text: str, span: Span) -> bool:
    if text[span.start : span.end].lower() in _WORDS:
        return True
    start, end = span.start, span.end
    # A part of an attribute is as little a secret as the whole.
    low, high = max(0, start - _LONGEST), min(len(text), end + _LONGEST)
    while start > low and _INSIDE.match(text, start - 1):
        start -= 1
    while end < high and _INSIDE.match(text, end):
        end += 1
    if _ASSIGNED.search(text, max(0, start - 12), start):
        if _CALL.match(text, start):
            return span.kind is not EntityType.USERNAME or not _COUNT.match(text, start)
        return bool(_ATTRIBUTE.match(text[start:end])) and _is_expression(text, start, end, span.kind)
    return _is_argument(text, span)


def _is_expression(text: str, start: int, end: int, kind: EntityType) -> bool:
    """Tell whether a dotted name behind an equals sign is an expression, and no value without quotes."""
    if is_attribute(text[start:end]):
        return True
    if kind is EntityType.USERNAME:
        return False
    if _PUNCTUATION.match(text, end):
        return True
    # A name of neither a thing nor an attribute of programs is rather a password than an expression.
    spaced = _SPACED.search(text, max(0, start - 12), start) is not None
    return spaced and not _PASSWORD.search(text, max(0, start - 24), start)


def is_attribute(name: str) -> bool:
    """Tell whether a dotted name is one of a program by its words: `request.user`, and not `tala.kernberg`."""
    words = [word.lower() for word in _PIECE.findall(name)]
    known = _program_words()
    return bool(words) and (words[0] in known or any(word in known and not is_name_too(word) for word in words))


@cache
def _program_words() -> frozenset[str]:
    return listed(*read_lines("program_words"))


def _is_argument(text: str, span: Span) -> bool:
    """Tell whether a span is a bare argument of a call that is assigned; what stands in quotes is a value."""
    line = text.rfind("\n", 0, span.start) + 1
    assigned = _VALUE.search(text, max(line, span.start - _CALL_LENGTH), span.start)
    if assigned is None or any(quote in text[assigned.end() : span.end] for quote in "\"'`"):
        return False
    call = _CALL.match(text, assigned.end())
    return call is not None and call.end() >= span.end
