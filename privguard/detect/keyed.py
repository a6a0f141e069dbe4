"""Values behind their keys, as a reader sees them.

Each string and number of a JSON document is a text of its own, and `hunter2` alone tells nothing. So a short one of
which not all was found is looked at once more as the document says it: `password: hunter2`. So are values under the
names of headers, parameters and fields beside the conversation. Those are words of programs, `X-Patient-Name` and
`requestId`, and most of their ids, names and numbers are nobody's: `introduction` keeps what tells of somebody.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.percent import decoded

_LONGEST = 120  # code points: a longer value tells what it is, and a longer key is a sentence
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GLUE = re.compile(r"[._+-]+")
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
    """Return what is to be put before a text; "" where it stands under no key or needs none."""
    key = segment.written.key if segment.written else introduction(segment.key)
    size = len(segment.text)
    if not key.strip() or max(len(key), size) > _LONGEST:
        return ""
    return "" if any(span.start == 0 and span.end == size for span in found) else f"{key}: "


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


def _tells(word: str, words: set[str]) -> bool:
    """Tell whether one of the words of a key tells of somebody: `tax id` does, `request id` does not."""
    if word in _NUMBER:
        return not words.isdisjoint(_IDENTITY)
    if word == _ACCOUNT:
        return not words.isdisjoint(_BANK)
    if word == _NAME:
        return len(words) == 1 or _USER in words or not words.isdisjoint(_PEOPLE | _PARTS)
    return word not in _WORDS
