"""Where a URL is open: R must not write a value into a link that carries it away.

The context is computed over what was *emitted*, restored values included: a value that is itself the start of a URL
must not be followed by another one. The state is bounded, however long the URL.

A URL begins at a web scheme (`https:`, with or without slashes), at any scheme with `//`, at `www.`, at `//` where a
word begins, and at any two slashes or backslashes where a link destination begins. Where it ends depends on what it
stands in: the quote that opened it, `>` or white space. In doubt it is still open. The text is read as a browser or
a markdown renderer reads it: character references stand for their characters, tabs, line breaks and markdown's
backslashes vanish inside a scheme.

A URL may go on in another one before it ends: the next candidate of a `srcset`, a second link without a space between,
the target of a redirect. Each of them must be allowed, and one that is not spoils all up to the end of the first.
"""

import re
from typing import NamedTuple

from privguard.restore.html_text import ReferenceReader, twin

# Every mark is one character, with look-behind only, so that it is certain as soon as it is read; as a literal first
# letter it is found at the speed of memchr.
# The ends of the schemes below, or white space and backslashes that may run through one.
_COLON = re.compile(r":(?<=(?i:tp|ps|ws|ss|le|pt|ta|[\\\s]\w|\w[\\\s]|[\\\s][\\\s]):)")
_SLASH = re.compile(r"/(?<=[/\\\s]/)")
_BACKSLASH = re.compile(r"\\(?<=[/\\\s(\"']\\)")
_WWW = re.compile(r"\.(?<=[wW]{3}\.)")
_TABS_AND_BREAKS = re.compile(r"[\t\r\n]+")
_OTHER_WHITE = re.compile(r"\n?[\0-\x08\x0b\x0c\x0e-\x20][\0-\x20]*")
_QUOTE = f"[\"'`{twin(chr(34))}{twin(chr(39))}{twin('`')}]"
_LESS = f"[<{twin('<')}]"
STRING_BEGIN = "\ue000"  # stands in front of the content of a JSON string

_WEB_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])(?:https?|ftps?|wss?|file)\Z", re.IGNORECASE)
_ACTIVE_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])(?:javascript|vbscript|data)\Z", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:\Z")
_WORD_BEGIN = re.compile(rf"(?:\A|{_QUOTE}|{_LESS}|[\s(>=,|{{}}\[\]{STRING_BEGIN}]|\]:)\Z")
_DESTINATION_BEGIN = re.compile(rf"(?:{_QUOTE}|{_LESS}|[(={STRING_BEGIN}]|\]:) ?\Z")
_ATTRIBUTE_BEGIN = re.compile(rf"(?:= ?{_QUOTE}?|\]\(|\]:|{_LESS}) ?\Z")
_CSS_BEGIN = re.compile(rf"url\( ?{_QUOTE}?\Z", re.IGNORECASE)

# What a URL stands in, the strictest first, and what ends it there. White space other than ASCII ends no URL.
_WHITE = r"\t\n\f\r "
_NEVER = re.compile(r"(?!)")  # only the end of the JSON string
_LINE = re.compile(r"[>\r\n]")
_BARE = re.compile(rf"[{_WHITE}<]")
_REFRESH = r"(?:[0-9]{1,9} ?[;,] ?(?:url ?= ?)?)?"
_IN_STRING = re.compile(rf"{STRING_BEGIN} ?\Z")
_IN_QUOTES = re.compile(rf"[=(:,\[{{] ?({_QUOTE}) ?{_REFRESH}\Z", re.IGNORECASE)
_IN_ANGLES = re.compile(rf"\](?:\(|:) ?{_LESS} ?\Z")
_DIRECTLY_IN = (
    (re.compile(f"({_QUOTE})\\Z"), None),
    (re.compile(rf"{_LESS}\Z"), re.compile(rf"[{_WHITE}<>{twin('<')}{twin('>')}]")),
    (re.compile(r"= ?\Z"), re.compile(rf"[{_WHITE}>]")),
    (re.compile(r"(?:\(|\]:) ?\Z"), re.compile(rf"[{_WHITE}]")),
)
_SLASHES = "/\\"
_BEFORE_HOST = "/\\\t\n\r "
_QUOTES = "\"'`"
_QUOTE_END = {form: re.compile(form) for quote in _QUOTES for form in (quote, twin(quote))}
_QUOTE_OR_WHITE = {form: re.compile(rf"[{_WHITE}{form}]") for form in _QUOTE_END}

_AUTHORITY = re.compile(r"//([^/\\?#]*)[/?#]")
_PORT = re.compile(r":[0-9]*\Z")
_HOST = re.compile(r"[a-z0-9._-]+\Z")
_LOOK_BACK = 96  # code points, white space collapsed: longer than any scheme with the attribute before it
_WINDOW = 160  # code points that are looked at first
_REACH = 24  # code points: `javascript` with a line break behind each letter
_KEPT = 300  # code points of an open URL: longer than any host
_SLACK = 2048  # code points that are kept before the tail is cut
_BLOCK = 1 << 16  # code points that are looked at together


class _Opened(NamedTuple):
    end: re.Pattern[str]  # what ends the URL
    url: str  # how it begins, from its authority on


class UrlContext:
    """Follow the emitted text and know whether it ends inside a URL."""

    __slots__ = ("_end", "_hosts", "_references", "_spoilt", "_tail", "_url")

    def __init__(self, allowed_hosts: tuple[str, ...] = ()) -> None:
        self._hosts = tuple(host.casefold() for host in allowed_hosts)
        self._references = ReferenceReader()
        self._tail = ""  # the last emitted code points, where something may begin behind them that counts
        self._end: re.Pattern[str] | None = None  # what ends the open URL
        self._url = ""  # the last URL that began, from its authority on, as much as holds a host
        self._spoilt = False  # whether one of those before it, since the first that is open, is not allowed

    def restart(self, *, in_string: bool) -> None:
        """Forget what was emitted: a JSON string begins or ends here."""
        self._references = ReferenceReader()
        self._close()
        self._tail = STRING_BEGIN if in_string else ""

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
                ended = self._end.search(text, position)
                end = ended.start() if ended else len(text)
                if self._hosts:
                    self._read_url(text, position, end, floor)
                if ended is None:
                    self._tail = _tail(text, floor) if self._hosts else ""
                    return
                self._close()
                floor = end
            for mark in marks:
                opened = _open(text, mark, floor) if mark >= floor else None
                if opened is not None:
                    self._end, self._url = opened
                    position = mark + 1
                    break
            else:
                self._tail = _tail(text, floor)
                return

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
        self._end, self._url, self._spoilt = None, "", False


def _may_open(text: str) -> bool:
    """Tell fast whether anything stands in a text that may begin a URL."""
    return ":" in text or "/" in text or "\\" in text or "." in text[:3] or _WWW.search(text) is not None


def _marks(text: str, start: int, end: int) -> list[int]:
    """Return where something stands that may begin a URL, in order."""
    patterns = [_WWW]
    if ":" in text:
        patterns.append(_COLON)
    if "/" in text:
        patterns.append(_SLASH)
    if "\\" in text:
        patterns.append(_BACKSLASH)
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
            seen = _OTHER_WHITE.sub(" ", _TABS_AND_BREAKS.sub("\n", seen))
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
        return None if before[:host][-1:].isalnum() else _Opened(_end_of(before[:host]), "//www.")
    return _open_at_slashes(before, sign)


def _goes_on(text: str, mark: int, floor: int) -> bool:
    """Tell whether a slash is the third of a row: it opens nothing that the second did not. This bounds floods."""
    if text[mark - 1 : mark] == text[mark]:
        return text[mark - 2 : mark - 1] == text[mark]
    row = _TABS_AND_BREAKS.sub("", text[max(floor, mark - 16) : mark])[-2:]
    return len(row) == 2 and row[0] in _SLASHES and row[1] in _SLASHES


def _open_at_scheme(before: str) -> _Opened | None:
    for seen in (before, before.replace("\n", "")) if "\n" in before[-_REACH:] else (before,):
        plain = seen.replace("\\", "")
        scheme = _WEB_SCHEME.search(plain, max(0, len(plain) - _REACH))
        if scheme is not None:
            return _Opened(_end_of(plain[: scheme.start()], _flat(before, scheme[0])), "")
        scheme = _ACTIVE_SCHEME.search(plain, max(0, len(plain) - _REACH))
        if scheme is not None and _ATTRIBUTE_BEGIN.search(plain, 0, scheme.start()):
            return _Opened(_end_of(plain[: scheme.start()]), "")
    return None


def _open_at_slashes(before: str, sign: str) -> _Opened | None:
    if sign == "\\" and _CSS_BEGIN.search(before):
        return _Opened(_end_of(before), "")  # an escape in a style sheet may stand for anything
    flat = before.replace("\n", "")
    if flat[-1:] not in ("/", "\\"):
        return None
    head, flat = before.rstrip("/\\"), flat.rstrip("/\\")
    for seen in (head, flat):
        plain = seen.replace("\\", "")
        scheme = _ANY_SCHEME.search(plain)
        if scheme is not None:
            return _Opened(_end_of(plain[: scheme.start()], _flat(head, scheme[0])), "//")
    plain_pair = sign == "/" and before.endswith("/")
    if (plain_pair and _WORD_BEGIN.search(head)) or _DESTINATION_BEGIN.search(flat):
        return _Opened(_end_of(head, flat), "//")
    return None


def _flat(before: str, scheme: str) -> str:
    """Return what stands before a scheme that line breaks may run through."""
    plain = before.replace("\n", "").replace("\\", "")
    begun = _ANY_SCHEME.search(plain if plain.endswith(":") else plain + ":")
    return plain[: begun.start()] if begun else plain.removesuffix(scheme)


def _end_of(before: str, flat: str = "") -> re.Pattern[str]:
    """Return what ends a URL behind this text; `flat` is the same text if line breaks do not count."""
    if any(_IN_STRING.search(seen) for seen in (before, flat)):
        return _NEVER
    quoted = _IN_QUOTES.search(before) or _IN_QUOTES.search(flat)
    if quoted:
        return _QUOTE_END[quoted[1]]
    if _IN_ANGLES.search(before) or _IN_ANGLES.search(flat):
        return _LINE
    for begin, end in _DIRECTLY_IN:
        found = begin.search(before)
        if found is not None:
            return end or _QUOTE_OR_WHITE[found[1]]
    return _BARE


def _covers(allowed: str, host: str) -> bool:
    """Tell whether an allow-list entry (`host`, `.suffix` or `*.suffix`) covers a host."""
    suffix = allowed.removeprefix("*")
    if not suffix.startswith("."):
        return host == allowed
    # A browser reads other characters in a host in ways of its own: `evil.example%2f.good.example`.
    return host.endswith(suffix) and len(host) > len(suffix) and _HOST.match(host) is not None
