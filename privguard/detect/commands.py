"""Secrets on command lines: `zip -P …`, `curl -u user:…`, `echo … | sudo -S`, `net use … /user:x …`.

No word announces them, so the command and its option do (the list `secret_options`). A value is read as a shell reads
it, or as an item of a list of arguments (`["zip", "-P", "…"]`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.credential_words import SECRETLESS
from privguard.detect.found import listed
from privguard.detect.ordinary import is_function_word
from privguard.detect.prepared import Prepared
from privguard.detect.word_lists import read_lines

_SCORE = 0.9
_MIN_LENGTH = 3
_MOST_WORDS, _REACH = 60, 800  # of a command: words, code points
_SHELL_WORD = lazy_pattern(
    r"(?:[ \t]|\\\r?\n){1,80}(?P<w>(?:\"(?:[^\"\\\n]|\\.){0,200}\"|'[^'\n]{0,200}'|\\[^\n]|[^\s\"'`|;&<>()\\]){1,300})"
)
_ITEM = lazy_pattern(r"[\"']\s{0,20},\s{0,20}[rbfu]?(?P<q>[\"'])(?P<w>[^\"'\n]{1,300})(?=(?P=q))")
_SIGN = lazy_pattern(r"[\s\"'](?:--?|/)[A-Za-z]|userid=|_pw |wpa_passphrase|rabbitmqctl|psk |password ")
_ANY_OPTION = lazy_pattern(
    r"-(?<![\w-]-)(?:-(?:[a-z0-9]{1,20}[-_]){0,3})?(?P<pass>password|passwd|passphrase|passcode|pwd)(?=\s)"
    r"|--(?<![\w-]--)(?:(?:access|auth|api|bearer|bot)[-_]?)?(?:token|secret|api[-_]?key)(?=\s)",
    re.IGNORECASE,
)
# What is no secret itself: variables, places, prompts, what is hidden or left out.
_REFERENCE = lazy_pattern(
    r"\$.*|%\w+%|[<{\[].*|[*x.\u2022_#-]+|-\D.*|(?:file|env|fd):.*|stdin|prompt|keyring|https?://.*|[./~]*/.*|@.*|"
    r"(?:your|my|the|some|new|old|db|root|admin|user)?[-_ ]?(?:password|passwd|passphrase|pass|secret|pwd?|token|key)",
    re.IGNORECASE,
)
_NO_VALUE = listed("option options flag flags switch argument arguments parameter parameters prompt stdin file")
_ELSEWHERE = listed("env file fd")  # where `openssl` is told to read
_PLAIN = lazy_pattern(r"[a-z]+(?:-[a-z]+)*", re.IGNORECASE)
_DIGIT = lazy_pattern(r"\d")
_NO_WORD = lazy_pattern(r"[-/*\\]|[A-Za-z]:$")
_VALUE = r"(?:\"(?P<d>(?:[^\"\\\n]|\\.){1,200})\"|'(?P<s>[^'\n]{1,200})'|(?P<b>(?:\\[^\n]|[^\s\"'`|;&<>()\\]){1,200}))"
_PIPED = lazy_pattern(
    rf"(?<![\w-])(?:echo|printf|print|yes|Write-Output)(?:[ \t]+-[neE]+)*(?:[ \t]+[\"']%s(?:\\n)?[\"'])?[ \t]+{_VALUE}"
    r"[ \t]*\|[ \t]*(?P<reader>[^\n|]{1,200})"
)
_HERE = lazy_pattern(rf"(?P<reader>[^\n|;&]{{1,200}})<<<[ \t]*{_VALUE}")
_READERS = lazy_pattern(
    r"\bsudo\b.*\s-\w*S|--(?:password|passphrase|token)-(?:stdin|fd|file)|--stdin|\b(?:kinit|passwd|chpasswd|smbpasswd|"
    r"cryptsetup|su|doas|pass insert|keyring set|secret-tool|ssh-add|mount\.ecryptfs\w*|ecryptfs-\S+)\b|"
    r"\bhtpasswd\b.*-\w*i|\bopenssl\b.*\bstdin\b|\bgpg2?\b.*\b0\b|--with-token"
)
_VARIABLE = lazy_pattern(
    rf"(?<![A-Za-z0-9_])(?:SSHPASS|MYSQL_PWD|REDISCLI_AUTH|[A-Z][A-Z0-9_]{{0,30}}_(?:PASS|PASSPHRASE|PASSCODE|PW|PWD))="
    rf"{_VALUE}"
)
_SECURE_STRING = lazy_pattern(rf"ConvertTo-SecureString(?:[ \t]+-String)?[ \t]+{_VALUE}", re.IGNORECASE)


# In small letters the statement must say whose it is: prose says "identified by" as well.
_DATABASE_USER = lazy_pattern(
    rf"(?:IDENTIFIED|(?i:(?:user|to)[ \t]+\S{{1,80}}[ \t]+identified))(?i:[ \t]+with[ \t]+\S{{1,60}})?"
    rf"(?i:[ \t]+(?:by|as))(?i:[ \t]+password)?[ \t]+{_VALUE}"
)
_DIRECTIVE = lazy_pattern(
    rf"(?<![\w-])(?:requirepass|masterauth|(?:root)?bindpw|(?:olc)?rootpw:?|redis-cli AUTH|snmp-server community|"
    rf"r[ow]community6?)[ \t]+{_VALUE}",
    re.IGNORECASE,
)
_FORMS = (
    ("|", _PIPED),
    ("<<<", _HERE),
    ("=", _VARIABLE),
    ("ecure", _SECURE_STRING),
    ("IDENTIFIED", _DATABASE_USER),
    ("identified", _DATABASE_USER),
    *((mark, _DIRECTIVE) for mark in ("requirepass", "masterauth", "pw", "PW", "AUTH", "community")),
)  # by what each holds


class _Word(NamedTuple):
    text: str  # without quotes around it
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    name: str
    glued: bool  # may be glued to the value
    apart: bool  # may stand apart from it
    sign: str  # behind which the secret stands in the value, "" where it is the whole of it


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A secret by its place among the words behind `marker`, other than options, shares and drives."""

    marker: str
    number: int
    least: int
    sign: re.Pattern[str] | None = None  # one of the words, or the value


# Of commands that take a secret without any option.
_PLACES: Mapping[str, Sequence[_Place]] = {
    "htpasswd": (_Place(marker="", number=-1, least=2, sign=lazy_pattern(r"-\w*b\w*")),),
    "mosquitto_passwd": (_Place(marker="", number=-1, least=2, sign=lazy_pattern(r"-\w*b\w*")),),
    "net": (
        _Place(marker="use", number=-1, least=1, sign=lazy_pattern(r"\\\\.*|/user:.*", re.IGNORECASE)),
        _Place(marker="user", number=1, least=2, sign=lazy_pattern(r"/\w+.*|\S*\d\S*")),
    ),
    "rabbitmqctl": tuple(
        _Place(marker=marker, number=1, least=2) for marker in ("add_user", "change_password", "authenticate_user")
    ),
    "wpa_passphrase": (_Place(marker="", number=1, least=2),),
    "networksetup": (_Place(marker="-setairportnetwork", number=2, least=3),),
    "dscl": (_Place(marker="-passwd", number=-1, least=2),),
    "mysqladmin": (_Place(marker="password", number=0, least=1),),
    "rclone": (_Place(marker="obscure", number=0, least=1),),
    "cf": (_Place(marker="auth", number=1, least=2),),
}


def find_commands(view: Prepared) -> Iterator[Span]:
    """Find the secrets that commands are given: the value alone is the span."""
    text = view.text
    done = -1
    for sign in _SIGN.finditer(text):
        if sign.end() > done:
            start = max(done, text.rfind("\n", 0, sign.start()) + 1)
            end = text.find("\n", sign.end())
            done = end if end >= 0 else len(text)
            for match in _rules().commands.finditer(text, start, done):
                yield from _arguments(text, match)
            for match in _ANY_OPTION.finditer(text, start, done):
                yield from _behind(text, match)
    for mark, form in _FORMS:
        for match in form.finditer(text) if mark in text else ():
            if "reader" not in form.groupindex or _READERS.search(match["reader"]):
                yield from _given(match)


def _given(match: re.Match[str]) -> Iterator[Span]:
    name = next(name for name in "dsb" if match[name] is not None)
    value, start = match[name], match.start(name)
    if "chpasswd" in match.groupdict().get("reader", ""):
        value = value.partition(":")[2]
        start = match.end(name) - len(value)
    yield from _secret(value, start)


def _behind(text: str, option: re.Match[str]) -> Iterator[Span]:
    """Yield the value of an option whose name says that it is secret."""
    for word in _words(text, option.end(), most=1):
        if option["pass"] or _DIGIT.search(word.text):
            yield from _secret(word.text, word.start)


def _arguments(text: str, command: re.Match[str]) -> Iterator[Span]:
    words = _until_next(_words(text, command.end(), most=_MOST_WORDS))
    name = command["c"].lower()
    rule = _rules().options.get(name)
    if rule and rule.needed.issubset(word.text for word in words):
        for option in rule.options:
            for number, word in enumerate(words):
                yield from _value_of(option, word, words[number + 1 : number + 2])
    for place in _PLACES.get(name, ()):
        yield from _placed(place, words)


def _until_next(words: Iterable[_Word]) -> Sequence[_Word]:
    """Return the words before those of another command, so that a line of many costs no more than its length."""
    kept: list[_Word] = []
    for word in words:
        after_option = bool(kept) and kept[-1].text.startswith("-")
        if not after_option and word.text.lower() in _rules().options:
            break
        kept.append(word)
    return kept


def _placed(place: _Place, words: Sequence[_Word]) -> Iterator[Span]:
    at = next((number for number, word in enumerate(words) if word.text == place.marker), None)
    first = 0 if not place.marker else None if at is None else at + 1
    if first is None or (place.sign and not any(place.sign.fullmatch(word.text) for word in words)):
        return
    others = [word for word in words[first:] if not _NO_WORD.match(word.text)]
    if len(others) >= place.least:
        yield from _secret(others[place.number].text, others[place.number].start)


def _value_of(option: _Option, word: _Word, following: Sequence[_Word]) -> Iterator[Span]:
    """Yield the value of an option, where `word` is that option or holds both."""
    name = option.name
    if word.text.startswith(name) and len(word.text) > len(name):
        rest = len(name) + (word.text[len(name)] == "=" and not option.glued)
        if option.glued or rest > len(name):
            yield from _part(option, _Word(word.text[rest:], word.start + rest))
    elif option.apart and (word.text == name or _is_combined(word.text, name)):
        for value in following:
            yield from _part(option, value)


def _is_combined(word: str, name: str) -> bool:
    """Tell whether a word is several options of one letter, of which the last is this: `-rP`."""
    return (
        len(name) == 2
        and name[0] == "-"
        and 2 < len(word) < 7
        and word[0] == "-"
        and word[1:].isalpha()
        and word[-1] == name[1]
    )


def _part(option: _Option, value: _Word) -> Iterator[Span]:
    if not option.sign:
        yield from _secret(*value)
        return
    before, sign, rest = value.text.partition(option.sign)
    if sign and before not in _ELSEWHERE:
        yield from _secret(rest, value.start + len(before) + 1)


def _secret(value: str, start: int) -> Iterator[Span]:
    if len(value) > 1 and value[0] in "\"'" and value[0] == value[-1]:
        value, start = value[1:-1], start + 1
    value = value.rstrip(".,:")
    folded = value.lower()
    if len(value) < _MIN_LENGTH or _REFERENCE.fullmatch(value) or folded in SECRETLESS or folded in _NO_VALUE:
        return
    if _PLAIN.fullmatch(value) and is_function_word(folded):
        return
    yield Span(start=start, end=start + len(value), kind=EntityType.SECRET, score=_SCORE, source="secrets/command")


def _words(text: str, start: int, *, most: int) -> Iterator[_Word]:
    """Yield the words of a command from `start` on, to its end."""
    pattern = _ITEM if _ITEM.match(text, start) else _SHELL_WORD
    at, last = start, min(len(text), start + _REACH)
    for _ in range(most):
        match = pattern.match(text, at, last)
        if match is None:
            return
        at = match.end()
        word, begin = match["w"], match.start("w")
        quoted = len(word) > 1 and word[0] in "\"'" and word.find(word[0], 1) == len(word) - 1
        yield _Word(word[1:-1], begin + 1) if quoted else _Word(word, begin)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    options: Sequence[_Option]
    needed: frozenset[str]  # words


class _Rules(NamedTuple):
    commands: re.Pattern[str]
    options: Mapping[str, _Rule]  # by the command


@cache
def _rules() -> _Rules:
    rules: dict[str, _Rule] = {}
    for line in read_lines("secret_options"):
        commands, _, written = line.partition(": ")
        words = written.split()
        rule = _Rule(
            options=tuple(_option(word) for word in words if word[0] != "+"),
            needed=frozenset(word[1:] for word in words if word[0] == "+"),
        )
        rules.update(dict.fromkeys((command.lower() for command in commands.split()), rule))
    names = "|".join(map(re.escape, sorted({*rules, *_PLACES}, key=len, reverse=True)))
    return _Rules(
        commands=re.compile(rf"(?<![\w.@-])(?P<c>{names})(?:\.exe|\.sh|\.py)?(?=[ \t\"'])", re.IGNORECASE),
        options=rules,
    )


def _option(written: str) -> _Option:
    sign = written[-1] if written[-1] in ":%,/" and len(written) > 2 and not written.startswith("/") else ""
    name = written.removesuffix(sign)
    stars = len(name) - len(name.rstrip("*"))
    return _Option(name=name.rstrip("*"), glued=stars > 0, apart=stars < 2, sign=sign)
