"""Where a URL is open: R must not write a value into a link that carries it away.

The context is computed over what was *emitted*, restored values included: a value that is itself the start of a URL
must not be followed by another one. The state is bounded, however long the URL.
"""

import heapq
import re
from collections.abc import Iterator

# A colon counts together with what follows it, two slashes with what stands before them. Four patterns with a literal
# first letter run at the speed of memchr; one pattern with four alternatives is fifty times slower.
_MARKS = (re.compile(r":(?=\S)"), re.compile("//"), re.compile(r"\\\\"), re.compile(r"\.(?<=[wW]{3}\.)"))
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:\Z")
# Browsers read `https:host` and `https:/host` as `https://host`.
_WEB_SCHEMES = frozenset({"http", "https", "ftp", "ftps", "ws", "wss", "file"})
_WORD_BEGIN = re.compile(r"(?:\A|[\s\"'`(<>=,|{}\[\]])\Z")
_DESTINATION_BEGIN = re.compile(r"[\"'(<=]\s*\Z")
_QUOTED_ATTRIBUTE = re.compile(r"=\s*([\"'])\s*\Z")
_ANGLE_DESTINATION = re.compile(r"\](?:\(|:)\s*<\s*\Z")
_TOKEN_END = re.compile(r"[\s<>\"`]")
_ANGLE_END = re.compile(r"[>\r\n]")
_QUOTE_END = {'"': re.compile('"'), "'": re.compile("'")}
_AUTHORITY = re.compile(r"[/\\]*([^/\\?#]*)[/\\?#]")
_PORT = re.compile(r":\d*\Z")
_LOOK_BACK = 64  # code points: longer than any scheme with the attribute before it
_LONGEST_MARK = 2
_KEPT = 300  # code points of an open URL: longer than any host


class UrlContext:
    """Follow the emitted text and know whether it ends inside a URL."""

    __slots__ = ("_end", "_hosts", "_tail", "_url")

    def __init__(self, allowed_hosts: tuple[str, ...] = ()) -> None:
        self._hosts = tuple(host.casefold() for host in allowed_hosts)
        self._tail = ""  # the last emitted code points while no URL is open
        self._end: re.Pattern[str] | None = None  # what ends the open URL
        self._url = ""  # the open URL from its authority on, as much as holds a host

    def advance(self, text: str) -> None:
        """Take note of emitted text."""
        fresh = len(self._tail)  # earlier code points have been judged already, and serve as context only
        floor = 0  # where the context begins: behind the last URL
        text = self._tail + text
        position = fresh
        while True:
            if self._end is not None:
                ended = self._end.search(text, position)
                if ended is None:
                    self._url = (self._url + text[position : position + _KEPT])[:_KEPT]
                    self._tail = ""
                    return
                self._end, self._url = None, ""
                fresh = floor = ended.start()
            authority = self._open_next(text, fresh, floor)
            if authority is None:
                self._tail = text[max(floor, len(text) - _LOOK_BACK) :]
                return
            position = max(authority, fresh)

    def _open_next(self, text: str, fresh: int, floor: int) -> int | None:
        """Open the next URL whose mark is not complete before `fresh`; return where its authority starts."""
        for mark in _marks(text, max(floor, fresh - _LONGEST_MARK)):
            if mark.end() + (mark[0] == ":") <= fresh:
                continue
            begin = _begin_of_url(text, mark, floor)
            if begin is None:
                continue
            before = text[max(floor, begin - _LOOK_BACK) : begin]
            quoted = _QUOTED_ATTRIBUTE.search(before)
            if quoted:
                self._end = _QUOTE_END[quoted[1]]
            else:
                self._end = _ANGLE_END if _ANGLE_DESTINATION.search(before) else _TOKEN_END
            return mark.end() if mark[0] in ":." else mark.start()
        return None

    @property
    def refuses(self) -> bool:
        """Tell whether a value must not be written here: inside a URL whose host is not allowed."""
        if self._end is None:
            return False
        authority = _AUTHORITY.match(self._url) if self._hosts else None
        if authority is None:
            return True  # no host is allowed, or it is not complete and the value would become part of it
        host = _PORT.sub("", authority[1].rpartition("@")[2].casefold()).rstrip(".")
        return not any(_covers(allowed, host) for allowed in self._hosts)


def _marks(text: str, start: int) -> Iterator[re.Match[str]]:
    """Iterate over everything that may begin a URL, in order."""
    if ":" in text or "//" in text or "\\\\" in text or "w." in text or "W." in text:
        return heapq.merge(*(pattern.finditer(text, start) for pattern in _MARKS), key=re.Match.start)
    return iter(())


def _begin_of_url(text: str, found: re.Match[str], floor: int) -> int | None:
    """Return where the URL begins that a mark belongs to, None where it belongs to none."""
    mark, start = found[0], found.start()
    if mark == ".":
        begin = start - 3
        return None if begin > floor and text[begin - 1].isalnum() else begin
    scheme = _SCHEME.search(text, max(floor, start - 32), start + (mark == ":"))
    if mark == ":":
        return scheme.start() if scheme and scheme[0][:-1].casefold() in _WEB_SCHEMES else None
    if scheme:
        return scheme.start()
    begins = _WORD_BEGIN if mark == "//" else _DESTINATION_BEGIN
    return start if begins.search(text[max(floor, start - _LOOK_BACK) : start]) else None


def _covers(allowed: str, host: str) -> bool:
    """Tell whether an allow-list entry (`host`, `.suffix` or `*.suffix`) covers a host."""
    suffix = allowed.removeprefix("*")
    return host.endswith(suffix) and len(host) > len(suffix) if suffix.startswith(".") else host == allowed
