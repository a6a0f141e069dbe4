"""Where a URL is open: R must not write a value into a link that carries it away.

The context is computed over what was *emitted*, restored values included: a value that is itself the start of a URL
must not be followed by another one. The state is bounded, however long the URL.

A URL begins at a web scheme (`https:`, with or without slashes), at any scheme with `//`, at `www.`, at `//` where a
word begins, and at any two slashes or backslashes where a link destination begins. Where it ends depends on what it
stands in: the quote that opened it, `>` or white space (`url_forms`). In doubt it is still open. The
text is read as a browser or a markdown renderer reads it: character references stand for their characters, tabs, line
breaks and markdown's backslashes vanish inside a scheme.

A URL may go on in another one before it ends: the next candidate of a `srcset`, a second link without a space between,
the target of a redirect. Each of them must be allowed, and one that is not spoils all up to the end of the first.
"""

import re
from typing import NamedTuple

from privguard.core.patterns import lazy_pattern
from privguard.restore import url_forms as forms
from privguard.restore.html_text import ReferenceReader

_SLASHES = "/\\"
_BEFORE_HOST = "/\\\t\n\r "
_AUTHORITY = lazy_pattern(r"//([^/\\?#]*)[/?#]")
_AUTHORITY_END = lazy_pattern(r"[ /\\?#]")  # a space makes it none: such a URL has no host, and nothing fetches it
_PORT = lazy_pattern(r":[0-9]*\Z")
_HOST = lazy_pattern(r"[a-z0-9._-]+\Z")
_LOOK_BACK = 96  # code points, white space collapsed: longer than any scheme with the attribute before it
_WINDOW = 160  # code points that are looked at first
_REACH = 24  # code points: `javascript` with a line break behind each letter
_KEPT = 300  # code points of an open URL: longer than any host
_SLACK = 2048  # code points that are kept before the tail is cut
_BLOCK = 1 << 16  # code points that are looked at together


class _Opened(NamedTuple):
    end: re.Pattern[str]  # what ends the URL
    url: str  # how it begins, from its authority on
    needs_host: bool = False  # whether it is none where a space stands in its authority


class UrlContext:
    """Follow the emitted text and know whether it ends inside a URL."""

    __slots__ = ("_end", "_hosts", "_needs_host", "_references", "_spoilt", "_tail", "_url")

    def __init__(self, allowed_hosts: tuple[str, ...] = ()) -> None:
        self._hosts = tuple(host.casefold() for host in allowed_hosts)
        self._references = ReferenceReader()
        self._tail = ""  # the last emitted code points, where something may begin behind them that counts
        self._end: re.Pattern[str] | None = None  # what ends the open URL
        self._needs_host = False  # whether it may still turn out to be none
        self._url = ""  # the last URL that began, from its authority on, as much as holds a host
        self._spoilt = False  # whether one of those before it, since the first that is open, is not allowed

    def restart(self, *, in_string: bool) -> None:
        """Forget what was emitted: a JSON string begins or ends here."""
        self._references = ReferenceReader()
        self._close()
        self._tail = forms.STRING_BEGIN if in_string else ""

    def advance(self, text: str) -> None:
        """Take note of emitted text."""
        text = self._references.feed(text)
        if self._end is None and not _may_open(text):
            text = self._tail + text
            self._tail = text if len(text) <= _SLACK else _tail(text, 0)
        elif len(text) <= _BLOCK:
            self._advance(text)
        else:
            for start in range(0, len(text), _BLOCK):
                self._advance(text[start : start + _BLOCK])

    def refuses_here(self) -> bool:
        """Tell whether a value must not be written here: inside a URL whose host is not allowed."""
        rest = self._references.flush()
        if rest:
            self._advance(rest)
        return self._end is not None and (self._spoilt or not self._is_allowed())

    def _is_allowed(self) -> bool:
        """Tell whether the host of the last URL is complete and allowed; else a value would become part of it."""
        authority = _AUTHORITY.match(self._url) if self._hosts else None
        if authority is None:
            return False
        host = _PORT.sub("", authority[1].rpartition("@")[2].casefold()).rstrip(".")
        return any(_covers(allowed, host) for allowed in self._hosts)

    def _advance(self, text: str) -> None:
        position = len(self._tail)  # earlier code points have been judged already, and serve as context only
        floor = 0  # where the context begins: behind the last URL
        text = self._tail + text
        marks = iter(_marks(text, position, len(text)))
        while True:
            if self._end is not None:
                ended = self._end_in(text, position)
                end = len(text) if ended is None else ended
                if self._hosts:
                    self._read_url(text, position, end, floor)
                if ended is None:
                    self._tail = _tail(text, floor) if self._hosts else text[-forms.END_CONTEXT :]
                    return
                self._close()
                floor = end
            for mark in marks:
                opened = _open(text, mark, floor) if mark >= floor else None
                if opened is not None:
                    self._end, self._url, self._needs_host = opened
                    position = mark + 1
                    break
            else:
                self._tail = _tail(text, floor)
                return

    def _end_in(self, text: str, position: int) -> int | None:
        """Return where the open URL ends, None where it does not."""
        ended = self._end.search(text, position) if self._end is not None else None
        if self._needs_host:
            behind = _AUTHORITY_END.search(text, position, ended.start() if ended else len(text))
            if behind is not None and behind[0] == " ":
                return behind.start()
            self._needs_host = behind is None
        return ended.start() if ended is not None else None

    def _read_url(self, text: str, start: int, end: int, floor: int) -> None:
        """Read on in the open URL, and find the others that begin in it."""
        for mark in (*_marks(text, start, end), end):
            self._url = (self._url + text[start:mark][:_KEPT])[:_KEPT]
            start = mark
            # What follows a scheme belongs to it, and so does the `www.` behind that.
            if mark == end or self._url.lstrip(_BEFORE_HOST).casefold() in ("", "www"):
                continue
            opened = _open(text, mark, floor)
            if opened is not None:
                self._spoilt = self._spoilt or not self._is_allowed()
                self._url = opened.url
                start = mark + 1

    def _close(self) -> None:
        self._end, self._url, self._spoilt, self._needs_host = None, "", False, False


def _may_open(text: str) -> bool:
    """Tell fast whether anything stands in a text that may begin a URL."""
    return ":" in text or "/" in text or "\\" in text or "." in text[:3] or forms.WWW.search(text) is not None


def _marks(text: str, start: int, end: int) -> list[int]:
    """Return where something stands that may begin a URL, in order."""
    patterns = [forms.WWW]
    if ":" in text:
        patterns.append(forms.COLON)
    if "/" in text:
        patterns.append(forms.SLASH)
    if "\\" in text:
        patterns.append(forms.backslash_in(text))
    found = [mark.start() for pattern in patterns for mark in pattern.finditer(text, start, end)]
    if len(found) > 1:
        found.sort()
    return found


def _tail(text: str, floor: int) -> str:
    """Return the end of a text in which every later look back finds what it would find in the whole."""
    start = max(floor, len(text) - _WINDOW)
    seen = text[start:]
    if start == floor:
        return seen
    # Counting runs some ten times faster than collapsing: is there enough besides white space, and no other control?
    filled = seen if seen.isprintable() else seen.replace("\n", "")
    if len(filled) - filled.count(" ") >= _LOOK_BACK and (filled is seen or filled.isprintable()):
        return seen
    return _look_back(text, len(text), floor)


def _look_back(text: str, end: int, floor: int) -> str:
    """Return the last code points before `end`, each run of white space as one: a line break, or else a space.

    A browser drops tabs and line breaks inside a URL, and other white space at its ends.
    """
    length = _WINDOW
    while True:
        start = max(floor, end - length)
        seen = text[start:end]
        if "  " in seen or not seen.isprintable():
            seen = forms.OTHER_WHITE.sub(" ", forms.TABS_AND_BREAKS.sub("\n", seen))
        if start == floor or len(seen) >= _LOOK_BACK:
            return seen[-_LOOK_BACK:]
        length *= 2


def _open(text: str, mark: int, floor: int) -> _Opened | None:
    """Return the URL that a mark opens, None where it opens none."""
    sign = text[mark]
    if sign in _SLASHES and _goes_on(text, mark, floor):
        return None
    before = _look_back(text, mark, floor)
    if sign == ":":
        return _open_at_scheme(before)
    if sign == ".":
        host = len(before) - 3
        return None if before[:host][-1:].isalnum() else _Opened(forms.end_of(before[:host]), "//www.")
    return _open_at_slashes(before, sign)


def _goes_on(text: str, mark: int, floor: int) -> bool:
    """Tell whether a slash is the third of a row: it opens nothing that the second did not. This bounds floods."""
    sign = text[mark]
    before = text[max(floor, mark - 4) : mark]
    if before.endswith("\\\\"):
        # Behind two backslashes, which are one in a string of a program, begins the second sign that it reads.
        backslashes = len(before) - len(before.rstrip("\\"))
        if backslashes == 3 or (backslashes == 2 and sign == "/"):
            return False
    if before.endswith(sign):
        return text[mark - 2 : mark - 1] == sign
    row = forms.TABS_AND_BREAKS.sub("", text[max(floor, mark - 16) : mark])[-2:]
    return len(row) == 2 and row[0] in _SLASHES and row[1] in _SLASHES


def _open_at_scheme(before: str) -> _Opened | None:
    for seen in (before, before.replace("\n", "")) if "\n" in before[-_REACH:] else (before,):
        plain = seen.replace("\\", "")
        scheme = forms.WEB_SCHEME.search(plain, max(0, len(plain) - _REACH))
        if scheme is not None:
            return _Opened(forms.end_of(plain[: scheme.start()], _flat(before, scheme[0]), before), "")
        scheme = forms.ACTIVE_SCHEME.search(plain, max(0, len(plain) - _REACH))
        if scheme is not None and forms.ATTRIBUTE_BEGIN.search(plain, 0, scheme.start()):
            return _Opened(forms.end_of(plain[: scheme.start()], written=before), "")
    return None


def _open_at_slashes(before: str, sign: str) -> _Opened | None:
    css = forms.css_begin(before) if sign == "\\" else None
    if css is not None:
        return _Opened(forms.end_of(before[: css.end(1)]), "")  # an escape in a style sheet may stand for anything
    flat = before.replace("\n", "")
    if flat[-1:] not in ("/", "\\"):
        return None
    is_plain = sign == "/" and before.endswith("/")
    head, flat = before.rstrip("/\\"), flat.rstrip("/\\")
    for seen in (head, flat):
        plain = seen.replace("\\", "")
        scheme = forms.ANY_SCHEME.search(plain)
        # One letter before backslashes is a drive.
        if scheme is not None and (is_plain or len(scheme[0]) > 2):
            return _Opened(forms.end_of(plain[: scheme.start()], _flat(head, scheme[0]), head), "//")
    if is_plain and forms.WORD_BEGIN.search(head):
        return _begun(head, flat)
    is_literal = sign == before[len(head) :] == "\\" and forms.LITERAL_BEGIN.search(head) is not None
    return _begun(head, flat) if forms.DESTINATION_BEGIN.search(flat) and not is_literal else None


def _begun(head: str, flat: str) -> _Opened:
    """Return a URL that begins with its authority. In a style sheet what looks like a space may be of an escape."""
    return _Opened(forms.end_of(head, flat), "//", needs_host=forms.css_begin(head) is None)


def _flat(before: str, scheme: str) -> str:
    """Return what stands before a scheme that line breaks may run through."""
    plain = before.replace("\n", "").replace("\\", "")
    begun = forms.ANY_SCHEME.search(plain if plain.endswith(":") else plain + ":")
    return plain[: begun.start()] if begun else plain.removesuffix(scheme)


def _covers(allowed: str, host: str) -> bool:
    """Tell whether an allow-list entry (`host`, `.suffix` or `*.suffix`) covers a host."""
    suffix = allowed.removeprefix("*")
    if not suffix.startswith("."):
        return host == allowed
    # A browser reads other characters in a host in ways of its own: `evil.example%2f.good.example`.
    return host.endswith(suffix) and len(host) > len(suffix) and _HOST.match(host) is not None
