"""The grammar of what R reads: a placeholder as it was written, and the ways in which models mangle it.

Every form has a separator between type and id, which is rare in prose. So R looks for separators that an id follows
(`ANCHOR`, at the speed of a character scan) and only then at what stands left and right of them. The same elements,
as prefixes, say what at the end of a chunk may still become a placeholder (`held_back`).
"""

import re
from collections.abc import Iterable, Sequence

from privguard.core.entities import EntityType
from privguard.core.placeholders import MAX_HINT, MAX_ID, MIN_ID

_OPEN_FORMS = (
    "[",
    "&#91;",
    "&#091;",
    "&#x5b;",
    "&#x5B;",
    "&#X5B;",
    "&lbrack;",
    "&lsqb;",
    "%5b",
    "%5B",
    r"\u005b",
    r"\u005B",
)
_CLOSE_FORMS = (
    "]",
    "&#93;",
    "&#093;",
    "&#x5d;",
    "&#x5D;",
    "&#X5D;",
    "&rbrack;",
    "&rsqb;",
    "%5d",
    "%5D",
    r"\u005d",
    r"\u005D",
)
_SEPARATOR_FORMS = (
    "_",
    "&#95;",
    "&#095;",
    "&#x5f;",
    "&#x5F;",
    "&#X5F;",
    "&lowbar;",
    "%5f",
    "%5F",
    r"\u005f",
    r"\u005F",
)
_SPACE = "[ \t\u00a0\r\n]"
_MAX_SPACES = 4
_MAX_ESCAPES = 4  # a markdown escape inside JSON inside JSON
_ID = rf"[0-9A-Za-z]{{{MIN_ID},{MAX_ID}}}"
_WORD = "0-9A-Za-z_"
# No form is longer: it bounds what a stream holds back.
MAX_FORM = 9 + 12 + 24 + 24 + MAX_ID + 9 + MAX_HINT + 16


def _any_of(forms: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(form) for form in forms) + ")"


SPACES = f"{_SPACE}{{0,{_MAX_SPACES}}}"
_ESCAPES = rf"\\{{0,{_MAX_ESCAPES}}}"
OPEN = rf"{_ESCAPES}{_any_of(_OPEN_FORMS)}"
CLOSE = rf"{_ESCAPES}{_any_of(_CLOSE_FORMS)}"
SEPARATOR = rf"{_ESCAPES}{_any_of(_SEPARATOR_FORMS)}"


def _type_name(kind: EntityType) -> str:
    words = (f"(?ai:{word})" for word in kind.value.split("_"))
    return f"{SPACES}{SEPARATOR}{SPACES}".join(words)


_TYPES = "|".join(_type_name(kind) for kind in sorted(EntityType, key=lambda kind: -len(kind.value)))

_AFTER_SEPARATOR = rf"{SPACES}({_ID})(?![{_WORD}])"
_ANCHOR = re.compile(rf"{_any_of(_SEPARATOR_FORMS)}{_AFTER_SEPARATOR}")
# With the underscore as its literal first letter the search runs at the speed of memchr, some 20 times faster.
_PLAIN_ANCHOR = re.compile(rf"_{_AFTER_SEPARATOR}")
_MARKS_OF_OTHER_FORMS = ("&", "%", "\\u005")
LEFT = re.compile(rf"(?:({OPEN}){SPACES}|(?<![{_WORD}]))({_TYPES}){SPACES}{_ESCAPES}\Z")
RIGHT_CLOSED = re.compile(rf"{SPACES}({CLOSE})")
RIGHT_HINTED = re.compile(rf"{SPACES}:([^\[\]\r\n]{{0,{MAX_HINT + 2}}}?)({CLOSE})")
# Behind an id in a bracket that does not close there: the bracket is a list's or a sentence's, not the placeholder's.
RIGHT_OTHER = re.compile(rf"{SPACES}[,;:|/&]")
LONE_CLOSE = re.compile(CLOSE)
ESCAPED = re.compile(r"\\+\Z")
CUT_OFF = re.compile(rf"{OPEN}{SPACES}([A-Za-z][A-Za-z_\\&#;0-9: \t]*)")


def anchors_of(text: str) -> re.Pattern[str]:
    """Return the pattern that finds every separator with an id behind it in `text`; group 1 is the id."""
    return _ANCHOR if any(mark in text for mark in _MARKS_OF_OTHER_FORMS) else _PLAIN_ANCHOR


_NOT_LETTERS = re.compile(r"[^A-Za-z]+")
_KIND_BY_LETTERS = {kind.value.replace("_", ""): kind for kind in EntityType}


def kind_of(type_name: str) -> EntityType:
    """Return the type that a tolerantly written type name names."""
    # Escapes of the separator inside a two-word name hold letters of their own: `GOV&#x5f;ID`.
    plain = re.sub(_any_of(_SEPARATOR_FORMS), "", type_name)
    return _KIND_BY_LETTERS[_NOT_LETTERS.sub("", plain).upper()]


def _start_of(form: str, *, ignore_case: bool = False) -> str:
    """Return a pattern for every non-empty proper or full start of `form`, up to the end of the text."""
    pattern = ""
    for letter in reversed(form):
        one = f"[{letter.upper()}{letter.lower()}]" if ignore_case and letter.isalpha() else re.escape(letter)
        pattern = f"{one}(?:{pattern})?" if pattern else one
    return pattern


def _starts_of(forms: Iterable[str]) -> str:
    return "(?:" + "|".join(_start_of(form) for form in forms) + ")"


def _chain(elements: Sequence[tuple[str, str]], last: str = r"\Z") -> str:
    """Match any start of a sequence of (whole, start) patterns, up to the end of the text, or all of it and `last`."""
    pattern = last
    for whole, start in reversed(elements):
        pattern = rf"(?:{whole}{pattern}|{start}\Z)"
    return pattern


def _type_elements(kind: EntityType) -> list[tuple[str, str]]:
    """Return what follows the first letter of a type, as (whole, start) patterns."""
    first, *others = kind.value.split("_")
    elements = [(f"(?ai:{first[1:]})", f"(?:{_start_of(first[1:], ignore_case=True)})?")]
    for word in others:
        elements += [
            (SPACES, SPACES),
            (SEPARATOR, rf"{_ESCAPES}(?:{_starts_of(_SEPARATOR_FORMS)})?"),
            (SPACES, SPACES),
            (f"(?ai:{word})", _start_of(word, ignore_case=True)),
        ]
    return elements


def _held_back() -> re.Pattern[str]:
    """Compile what may, at the end of a chunk, still become a placeholder.

    Group 1 is the opening bracket, if there is one. A complete placeholder with its closing bracket never matches,
    since nothing can change it any more.
    """
    hint = rf":[^\[\]\r\n]{{0,{MAX_HINT + 2}}}"
    # A complete closing form must not match as the start of itself: the placeholder is then certain.
    close = rf"(?!{CLOSE}){_ESCAPES}(?:{_starts_of(_CLOSE_FORMS)})?"
    after_id = rf"(?:{SPACES}(?:{close}|{hint}{close}))"
    tail = [
        (SPACES, SPACES),
        (SEPARATOR, rf"{_ESCAPES}(?:{_starts_of(_SEPARATOR_FORMS)})?"),
        (SPACES, SPACES),
        (rf"{_ID}(?![0-9A-Za-z])", rf"[0-9A-Za-z]{{0,{MAX_ID}}}"),
        (after_id, after_id),
    ]
    # The tail stands once: for each type it would be most of a hundred thousand characters, which take long to compile.
    # The first letter in front lets the engine skip a type at the cost of a look.
    letters = {kind: f"[{kind.value[0]}{kind.value[0].lower()}]" for kind in EntityType}
    elements = {kind: _type_elements(kind) for kind in EntityType}
    whole = "|".join(letters[kind] + "".join(part for part, _ in elements[kind]) for kind in EntityType)
    start = "|".join(letters[kind] + _chain(elements[kind], last="(?!)") for kind in EntityType)
    body = rf"(?:{whole}){_chain(tail)}|(?:{start})"
    begin = rf"(?:({OPEN}){SPACES}|(?<![{_WORD}])(?=[A-Za-z]))"
    open_start = rf"(?:{_ESCAPES}{_starts_of(_OPEN_FORMS)}|\\{{1,{_MAX_ESCAPES}}}|{OPEN}{SPACES})\Z"
    return re.compile(rf"{begin}(?:{body})|{open_start}")


HELD_BACK = _held_back()
