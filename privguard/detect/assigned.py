"""Values behind a name that says what they are: assignments, comparisons, arguments, attributes, elements, log fields.

`WHERE last_name = 'Brandt'`, `User(first_name="Mia")`, `{firstName: "Mia"}`, `<lastName>Brandt</lastName>`,
`<input name="lastname" value="Brandt">`, `TODO(mbrandt)`, and `WARN login failed user=mia.brandt`. Without quotes a
value is a name of a program more often than not, so it counts in lines of logs alone, and in forms and behind flags
where it names somebody.
"""

import re
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.columns import listed_fields
from privguard.detect.key_kinds import kind_of, read_value
from privguard.detect.ordinary import is_ordinary

_QUOTED = r"(?:'(?P<s>(?:[^'\\\n]|''|\\.){1,200})'|\"(?P<d>(?:[^\"\\\n]|\"\"|\\.){1,200})\"|`(?P<t>[^`\\\n]{1,200})`)"
# From the operator on, of which there are far fewer than words; the key is read backwards from it.
_ASSIGNED = lazy_pattern(rf"(?:[=:>]|(?<=[Ll][Ii][Kk][Ee]))[ \t]{{0,3}}[NnEefbr]?{_QUOTED}")
_KEY = lazy_pattern(
    r"(?<![\w-])(?P<k>[^\W\d][\w-]{0,58})[\"'`]?[\])]?\s{0,3}(?:[=!<:]{0,2}|(?i:(?:not )?i?like|(?:not )?in))\Z"
)
_KEY_LENGTH = 80  # code points of a key and its operator
_AMONG = lazy_pattern(r"(?<=[\s)\"`][Ii][Nn])\s{0,3}\((?=\s{0,20}')")
_SETTER = lazy_pattern(rf"(?<![^\W_])(?:set|with)(?:_|(?=[A-Z]))(?P<k>\w{{2,58}})\(\s{{0,3}}{_QUOTED}")
# Unquoted, of forms and command lines; names of programs as values are left to other rules.
_FORM = lazy_pattern(
    r"(?:(?<=[?&])|(?<![\w.&?-]))(?P<k>[A-Za-z_]\w{1,40})=(?P<v>[^\s&=\"'<>();]{2,80})(?=(?P<more>&)?)"
)
_FLAG = lazy_pattern(r"(?<!\S)--(?P<k>[a-z][\w-]{1,40})[ =](?P<v>[^\W\d_][\w'\u2019-]{1,60})(?!\S)")
_ELEMENT = lazy_pattern(r"<(?:[\w.-]{1,40}:)?(?P<k>[^\W\d][\w.-]{0,58})(?:\s[^<>]{0,300})?>(?P<v>[^<>]{1,200})</")
_INPUT = lazy_pattern(r"<(?:input|field|param|property|data|meta|option)\s(?P<a>[^<>]{1,600})>?", re.IGNORECASE)
_ATTRIBUTE = lazy_pattern(rf"(?<![\w-])(?P<k>name|id|key|value|content)\s{{0,3}}=\s{{0,3}}{_QUOTED}", re.IGNORECASE)
_LOGGED = lazy_pattern(r"(?<![\w.-])(?P<k>[A-Za-z_][\w-]{0,40})=(?P<v>[\w.+@-]{2,64})(?=[\s,;]|\Z)")
_MARK = lazy_pattern(r"\b(?:TODO|FIXME|XXX|HACK)\((?P<v>[^\W\d_][\w.-]{2,40})\)")
_LOG = lazy_pattern(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|ALERT)\b|\b\d\d:\d\d:\d\d\b")
_LOG_LENGTH = 200  # code points of a line before a field, in which it says that it is of a log
_LOGGED_KINDS = frozenset({EntityType.PERSON, EntityType.USERNAME})


def find_assigned(text: str) -> Iterator[Span]:
    """Yield the values that a telling name introduces. Cost: linear in the text."""
    if "'" in text or '"' in text or "`" in text:
        yield from _in_quotes(text)
    if "<" in text:
        for match in _ELEMENT.finditer(text):
            yield from _read(text, match["k"], match.span("v"))
        for match in _INPUT.finditer(text):
            yield from _in_attributes(text, match.span("a"))
    if "=" in text:
        yield from _in_logs(text)
    yield from _unquoted(text)
    for match in _MARK.finditer(text):
        if not is_ordinary(match["v"]):
            yield from _read(text, "user", match.span("v"))


def _in_quotes(text: str) -> Iterator[Span]:
    for match in _ASSIGNED.finditer(text):
        yield from _read(text, _key_before(text, match.start()), _place(match))
    for match in _AMONG.finditer(text):
        key = _key_before(text, match.start())
        for place in listed_fields(text, match.end())[0] if kind_of(key) else ():
            yield from _read(text, key, place)
    for match in _SETTER.finditer(text):
        yield from _read(text, match["k"], _place(match))


def _key_before(text: str, end: int) -> str:
    """Return the key whose operator ends there, "" where none does."""
    key = _KEY.search(text, max(0, end - _KEY_LENGTH), end)
    return key["k"] if key is not None else ""


def _place(match: re.Match[str]) -> tuple[int, int]:
    """Return where the value between the quotation marks stands."""
    return match.span(next((group for group in "sdt" if match[group] is not None), 0))


def _in_attributes(text: str, inside: tuple[int, int]) -> Iterator[Span]:
    """Yield the value of an element whose name or id stands in another attribute of it."""
    keys, places = [], []
    for match in _ATTRIBUTE.finditer(text, *inside):
        place = _place(match)
        if match["k"].lower() in {"value", "content"}:
            places.append(place)
        else:
            keys.append(text[slice(*place)])
    key = next((key for key in keys if kind_of(key)), "")
    for place in places:
        yield from _read(text, key, place)


def _unquoted(text: str) -> Iterator[Span]:
    """Yield names of people in forms (`lastName=brandt&firstName=mia`) and behind flags (`--last-name brandt`)."""
    for match in _FORM.finditer(text) if "&" in text else ():
        if (match["more"] or text[match.start() - 1 : match.start()] in {"?", "&"}) and _names(match["k"]):
            yield from _read(text, match["k"], match.span("v"))
    for match in _FLAG.finditer(text) if "--" in text else ():
        if _names(match["k"]):
            yield from _read(text, match["k"], match.span("v"))


def _names(key: str) -> bool:
    return kind_of(key) is EntityType.PERSON


def _in_logs(text: str) -> Iterator[Span]:
    for match in _LOGGED.finditer(text):
        kind = kind_of(match["k"])
        if kind not in _LOGGED_KINDS:
            continue
        first = max(0, match.start() - _LOG_LENGTH)
        line = max(text.rfind("\n", first, match.start()) + 1, first)
        if _LOG.search(text, line, match.start()):
            yield from _read(text, match["k"], match.span("v"))


def _read(text: str, key: str, place: tuple[int, int]) -> Iterator[Span]:
    kind = kind_of(key)
    span = read_value(text, *place, kind) if kind is not None else None
    if span is not None:
        yield span
