"""How a URL may begin, in whatever it stands, and what ends it there: the patterns of `restore.urls`.

They are matched against text in which character references are read (`restore.html_text`). What looks back sees a run
of white space as one: a line break, or else a space.
"""

import re

from privguard.core.patterns import lazy_pattern
from privguard.restore.html_text import twin

# Every mark is one character, with look-behind only, so that it is certain as soon as it is read; as a literal first
# letter it is found at the speed of memchr.
# The ends of the schemes below, or white space and backslashes that may run through one.
COLON = lazy_pattern(r":(?<=(?i:tp|ps|ws|ss|le|pt|ta|[\\\s]\w|\w[\\\s]|[\\\s][\\\s]):)")
SLASH = lazy_pattern(r"/(?<=[/\\\s]/)")
_TWINS = "".join(map(twin, "\"'` \f\v"))
_NEAR = rf"[/\\\s(\"'{_TWINS}]"
_BACKSLASH = lazy_pattern(rf"\\(?<={_NEAR}\\)")
# A style sheet may write any letter of a scheme as an escape.
_CSS_BACKSLASH = lazy_pattern(
    r"\\(?:" + "|".join(rf"(?<={_NEAR}{'[A-Za-z]' * letters}\\)" for letters in range(6)) + ")"
)
_CSS_NAMES = ("url(", "src(", "image", "@import")
WWW = lazy_pattern(r"\.(?<=[wW]{3}\.)")
TABS_AND_BREAKS = lazy_pattern(r"[\t\r\n]+")
_BLANKS = rf"\0-\x08\x0b\x0c\x0e-\x20{twin(' ')}{twin(chr(11))}{twin(chr(12))}"
OTHER_WHITE = lazy_pattern(rf"\n?[{_BLANKS}][\t\n\r{_BLANKS}]*")
_QUOTE = f"[\"'`{twin(chr(34))}{twin(chr(39))}{twin('`')}]"
_LESS = f"[<{twin('<')}]"
STRING_BEGIN = "\ue000"  # stands in front of the content of a JSON string

WEB_SCHEME = lazy_pattern(r"(?<![A-Za-z0-9+.-])(?:https?|ftps?|wss?|file)\Z", re.IGNORECASE)
ACTIVE_SCHEME = lazy_pattern(r"(?<![A-Za-z0-9+.-])(?:javascript|vbscript|data)\Z", re.IGNORECASE)
ANY_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:\Z")
# What stands before the URL of a refresh (`<meta content="0;url=…">`): seconds, a sign or white space, a quote.
_BEHIND_SECONDS = rf"(?:\s?[;,]\s?|\s)(?:url\s?=\s?)?{_QUOTE}?"
_REFRESH = f"[0-9.]{{1,64}}{_BEHIND_SECONDS}"
_REFRESH_BEGIN = rf"(?:[=:,(\[{{]\s?{_QUOTE}|=|{STRING_BEGIN})\s?{_REFRESH}"
WORD_BEGIN = lazy_pattern(rf"(?:\A|{_QUOTE}|{_LESS}|[\s(>=,;|{{}}\[\]{STRING_BEGIN}]|\]:)\Z")
DESTINATION_BEGIN = lazy_pattern(rf"(?:{_QUOTE}|{_LESS}|[(=,{STRING_BEGIN}]|\]:|{_REFRESH_BEGIN}) ?\Z", re.IGNORECASE)
# A string of a program, in which two backslashes are one. In an attribute, `=` precedes the quote.
LITERAL_BEGIN = lazy_pattern(rf"(?<![=\s])\s?{_QUOTE} ?\Z")
ATTRIBUTE_BEGIN = lazy_pattern(rf"(?:= ?{_QUOTE}?|\]\(|\]:|{_LESS}|{_REFRESH_BEGIN}) ?\Z", re.IGNORECASE)
_IMPORT = r"@import[^\"'`;]{0,64}"
# 1: all before a URL of a style sheet, of which a few letters may stand before the first escape.
_CSS_BEGIN = lazy_pattern(
    rf"((?:\b(?:url|src|image|image-set)\( ?{_QUOTE}?|{_IMPORT}{_QUOTE}) ?)[A-Za-z]{{0,5}}\Z", re.IGNORECASE
)

_CSS_LETTERS = lazy_pattern(rf"(?:\(|{_QUOTE}) ?[A-Za-z]{{0,5}}\Z")

# What a URL stands in, the strictest first, and what ends it there. White space other than ASCII ends no URL.
_WHITE = r"\t\n\f\r "
_NEVER = lazy_pattern(r"(?!)")  # only the end of the JSON string
_LINE = lazy_pattern(r"(?<!\\)>|[\r\n]")
_BARE = lazy_pattern(rf"[{_WHITE}<]")
# The white space behind an escape belongs to it, and so does a line break behind the first half of it.
_ESCAPED = r"(?<!\\)" + "".join(rf"(?<!\\[0-9A-Fa-f]{{{digits}}})" for digits in range(1, 7))
_CSS_WHITE = lazy_pattern(rf"{_ESCAPED}(?:[\t\f\r ]|(?<![\t\r\n])\n)")
END_CONTEXT = 8  # code points before the end of a URL that decide whether it is one
_IN_STRING = lazy_pattern(rf"{STRING_BEGIN} ?(?:{_REFRESH})?\Z", re.IGNORECASE)
_LONG_REFRESH = lazy_pattern(rf"[0-9.]{{48}}{_BEHIND_SECONDS}\Z", re.IGNORECASE)  # what it stands in is out of sight
_IN_QUOTES = lazy_pattern(rf"(?:[=(:,\[{{] ?|{_IMPORT})({_QUOTE}) ?(?:{_REFRESH})?\Z", re.IGNORECASE)
_IN_ANGLES = lazy_pattern(rf"\](?:\(|:) ?{_LESS} ?\Z")
_DIRECTLY_IN = (
    (lazy_pattern(f"({_QUOTE})\\Z"), None),
    (lazy_pattern(rf"{_LESS}\Z"), lazy_pattern(rf"[{_WHITE}<>{twin('<')}{twin('>')}]")),
    (lazy_pattern(rf"= ?(?:{_REFRESH})?\Z", re.IGNORECASE), lazy_pattern(rf"[{_WHITE}>]")),
    (lazy_pattern(r"\burl\( ?\Z", re.IGNORECASE), _CSS_WHITE),
    (lazy_pattern(r"(?:\(|\]:) ?\Z"), lazy_pattern(rf"[{_WHITE}]")),
)
_QUOTES = "\"'`"
# Behind a backslash a quote belongs to the string of a style sheet or a program, unless the one before it did as well.
_QUOTE_END = {form: lazy_pattern(rf"(?<!\\){form}") for quote in _QUOTES for form in (quote, twin(quote))}
_ANY_QUOTE_END = {form: lazy_pattern(form) for form in _QUOTE_END}
_AFTER_ESCAPED_QUOTE = lazy_pattern(rf"\\{_QUOTE}[^\"'`]*\Z")
_QUOTE_OR_WHITE = {form: lazy_pattern(rf"[{_WHITE}{form}]") for quote in _QUOTES for form in (quote, twin(quote))}


def backslash_in(text: str) -> re.Pattern[str]:
    """Return what finds the backslashes in a text that may begin a URL; fewer where nothing of a style sheet is."""
    lowered = text.lower()
    return _CSS_BACKSLASH if any(name in lowered for name in _CSS_NAMES) else _BACKSLASH


def css_begin(before: str) -> re.Match[str] | None:
    """Return what in a style sheet fetches a URL (1), and its first letters, at the end of a text; None elsewhere."""
    return _CSS_BEGIN.search(before) if _CSS_LETTERS.search(before, max(0, len(before) - 8)) else None


def end_of(before: str, flat: str = "", written: str = "") -> re.Pattern[str]:
    """Return what ends a URL behind a text.

    Args:
        before: the text.
        flat: the same text if line breaks do not count.
        written: the same text with its backslashes, and perhaps with the beginning of the URL, where `before` has none.
    """
    if any(_IN_STRING.search(seen) or _LONG_REFRESH.search(seen) for seen in (before, flat)):
        return _NEVER
    quoted = _IN_QUOTES.search(before) or _IN_QUOTES.search(flat)
    if quoted:
        return (_ANY_QUOTE_END if _AFTER_ESCAPED_QUOTE.search(written) else _QUOTE_END)[quoted[1]]
    if _IN_ANGLES.search(before) or _IN_ANGLES.search(flat):
        return _LINE
    for begin, end in _DIRECTLY_IN:
        found = begin.search(before)
        if found is not None:
            return end or _QUOTE_OR_WHITE[found[1]]
    return _BARE
