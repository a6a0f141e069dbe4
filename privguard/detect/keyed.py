"""Values behind their keys, as a reader sees them.

Each string and number of a JSON document is a text of its own, and `hunter2` or `1992` alone tells nothing. So one that
is not known to be a secret is looked at once more as the document says it: `password: hunter2`. A long one tells what
it is, but for a secret, so its beginning is read. So are values under the names of headers, parameters and fields
beside the conversation. Those are words of programs, `X-Patient-Name` and `requestId`, and most of their ids, names and
numbers are nobody's: `introduction` keeps what tells of somebody.
"""

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import replace

from privguard.core.entities import EntityType
from privguard.core.nested_texts import Written
from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.credential_words import CODE, KEY, LOGIN_WORD, SECRETLESS
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.detect.found import listed
from privguard.detect.merge import is_secret
from privguard.detect.percent import decoded

_LONGEST = 120  # code points: a longer value tells what it is, and a longer key is a sentence
_OPENER = lazy_pattern(KEY, re.IGNORECASE)
_LOGIN = lazy_pattern(rf"{LOGIN_WORD}|{CODE}", re.IGNORECASE)
_LAST_WORD = lazy_pattern(r"\s\S*\Z")
_WORD = lazy_pattern(r"[^\W_]+")
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GLUE = lazy_pattern(r"[._+-]+")
_VALUES = listed("value val v parametervalue")
# Keys that say nothing of a value: a schema has its examples under some of them, a store of documents its strings.
_HOLDERS = _VALUES | listed(
    "values old new current previous raw plain default const example examples string stringvalue s @value #text $t"
)
_LABELS = (  # of the string beside a value that says what it is
    *("name", "key", "field", "label", "k", "Name", "Key", "Field", "Label", "parameterKey", "ParameterKey"),
    *("type", "Type", "id", "Id"),
)
# The first introduce a number of somebody in letters, and of anything in programs; the others are words there.
_NUMBER = listed("id ids uid uuid guid no nr num number")
_WORDS = listed("cc cf client fin run tc tenant")
# Whose id or number it is: a person's with an authority.
_IDENTITY = listed(
    "bsn citizen fiscal government health identity insurance medicare national passport personal social steuer tax "
    "taxpayer voter"
)
_ACCOUNT, _BANK = "account", listed("bank no nr num number")
# Whose name it is: a person's, and not that of an app, a model or a session.
_NAME = "name"
_PEOPLE = listed(
    "applicant assignee author buyer child claimant contact customer doctor employee guardian guest holder member "
    "owner parent passenger patient person physician recipient reporter respondent seller sender spouse student witness"
)
_PARTS = listed("birth family first full given last legal maiden middle sur")
_USER = "user"  # has a name of any kind: of a person, or `admin`
_NAMES = listed(
    "firstname lastname fullname forename surname nachname vorname familienname nom pr\u00e9nom prenom nombre apellido "
    "apellidos cognome nome naam voornaam achternaam apelido sobrenome nazwisko"
)


def lead_of(segment: Segment, found: Iterable[Span]) -> str:
    """Return what is to be put before a text; "" where it stands under no key or is a secret as a whole."""
    key = _in_words(_key_of(segment.written)) if segment.written else introduction(segment.key)
    size = len(segment.text)
    if not key.strip() or len(key) > _LONGEST:
        return ""
    return "" if any(span.start == 0 and span.end == size and is_secret(span) for span in found) else f"{key}: "


def led(lead: str, text: str) -> str:
    """Return a text behind its lead; of a long one the beginning, in whole words where it has any."""
    if len(text) <= _LONGEST:
        return lead + text
    cut = _LAST_WORD.search(text[: _LONGEST + 1])
    return lead + text[: cut.start() if cut and text[: cut.start()].strip() else _LONGEST]


def told(lead: str, text: str, found: Iterable[Span], known: Iterable[Span]) -> Iterator[Span]:
    """Yield what a key tells of the value under it, at the offsets of that.

    Args:
        lead: that was put before the value.
        text: the value.
        found: what was found in `led(lead, text)`.
        known: what was found in the value alone.
    """
    blank = len(text) - len(text.lstrip())
    first = len(lead) + blank
    apart = max((span.end for span in known if _is_rules_secret(span) and span.start == blank), default=0)
    for span in found:
        if span.start == first and span.end - len(lead) > apart and _is_rules_secret(span):
            # The value ends where its string ends, whatever signs it holds.
            whole = span if _is_prose(text) else replace(span, start=len(lead), end=len(lead) + len(text))
            yield from behind(lead, (whole,))
        elif len(text) <= _LONGEST or (span.start == first and span.source != ENCODER):
            yield from behind(lead, (span,))


def behind(lead: str, found: Iterable[Span]) -> Iterator[Span]:
    """Yield what was found behind a lead, at the offsets of the text without it."""
    for span in found:
        if span.end > len(lead):
            yield replace(span, start=max(0, span.start - len(lead)), end=span.end - len(lead))


def introduction(name: str) -> str:
    """Return what the name of a header, a parameter or a field tells of its value, in words; "" for nothing."""
    words = [word for piece in _WORD.findall(name[: _LONGEST + 1]) for word in _HUMP.split(piece)]
    if len(words) > 1 and words[0] in {"X", "x"}:
        del words[0]
    known = {word.lower() for word in words}
    return " ".join([word for word in words if _tells(word.lower(), known)])


def is_about_person(introduction: str) -> bool:
    """Tell whether a value is somebody's name, or that of an account, by what introduces it."""
    return not (_PEOPLE | _NAMES | {_NAME}).isdisjoint(introduction.lower().split())


def names_person(introduction: str) -> bool:
    """Tell whether a value is the name of a person by what introduces it, in whatever letter case it is written."""
    words = set(introduction.lower().split())
    return not words.isdisjoint(_NAMES) or (_NAME in words and not words.isdisjoint(_PEOPLE | _PARTS))


def as_name(text: str) -> str:
    """Return a text as the name that it would be: `tobias_kernberg` is Tobias Kernberg."""
    return _GLUE.sub(" ", decoded(text)).title()


def _key_of(written: Written) -> str:
    """Return the nearest key that says what a value is: in `{"pin": {"old": …}}`, `old` does not.

    In `{"name": "pin", "value": …}` a string beside the value says it.
    """
    keys = written.keys
    if keys and keys[0].lower() in _VALUES and (label := written.beside(_LABELS)):
        return label
    return next((key for key in keys if key.lower() not in _HOLDERS), keys[0] if keys else "")


def _in_words(key: str) -> str:
    """Return a key as prose says it: `cardCvv` is a card CVV.

    The names of keys and tokens are known as they stand, and the id of a station or an order is nobody's. Each of
    several passwords is one.
    """
    key = key[:-1] if key.endswith("s") and _LOGIN.fullmatch(key, 0, len(key) - 1) else key
    words = _HUMP.sub(" ", key.replace("_", " "))
    known = words.lower().split()
    telling = known and (_tells(known[-1], set(known)) or (_ACCOUNT in known and known[-1] in _BANK))
    return words if telling and not _OPENER.fullmatch(key) else key


def _is_rules_secret(span: Span) -> bool:
    return span.kind is EntityType.SECRET and span.source != ENCODER


def _is_prose(text: str) -> bool:
    """Tell whether a value of several words is a sentence, such as a message of a form, and no pass phrase."""
    words = [word.strip(string.punctuation).lower() for word in text.split()]
    return len(words) > 1 and sum(word in SECRETLESS for word in words) * 4 > len(words)


def _tells(word: str, words: set[str]) -> bool:
    """Tell whether one of the words of a key tells of somebody: `tax id` does, `request id` does not."""
    if word in _NUMBER:
        return not words.isdisjoint(_IDENTITY)
    if word == _ACCOUNT:
        return not words.isdisjoint(_BANK)
    if word == _NAME:
        return len(words) == 1 or _USER in words or not words.isdisjoint(_PEOPLE | _PARTS)
    return word not in _WORDS
