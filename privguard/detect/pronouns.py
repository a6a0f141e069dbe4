"""The pronoun of a person, where the text around a mention tells it: never by the given name.

A title in the mention or right before it, a relation right before it ("my sister Lena"), pronouns in brackets behind
it, or a pronoun in its sentence or the next one, where nobody else is mentioned in them. What may speak of others
tells nothing: a wrong pronoun is worse than none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import islice

from privguard.core.letters import straight
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import Pronoun
from privguard.detect.found import listed
from privguard.detect.linking.nicknames import look_up
from privguard.detect.linking.sentences import sentence_ends
from privguard.detect.linking.titles import MONSIEUR, TITLES
from privguard.detect.pronoun_cues import ANY, Cues, read_cues

REACH = 240  # code points at either side of a mention: what is further away tells nothing
_MAX_MENTION = 120  # code points: no name is longer
_BEFORE = 48  # code points in which titles and a relation stand
_WORD = lazy_pattern(r"[^\W\d_]+")
_AND = listed("and & und et y e en og oder or o ou of")
_STATED = lazy_pattern(
    r"\s?[(,]\s?(?:(?:(she)/her(?:/hers)?|(he)/him(?:/his)?|(they)/them(?:/theirs?)?)(?![\w/])|(?:she|he|they)/)",
    re.IGNORECASE,
)
_RELATION = lazy_pattern(r"([^\W\d_]+)\s+(?:[^\W\d_]+\s+)?([^\W\d_]+(?:-[^\W\d_]+)*)\s+\Z")
_MIN_FRENCH = 2  # words of French around "M.", which may be an initial elsewhere
_ONLY_SMALL = listed("lei")  # with a capital it is the person who is spoken to
_AGAINST = {"f": Pronoun.HE, "m": Pronoun.SHE}  # what a given name speaks against

Others = Callable[[int, int], bool]  # tells whether somebody else is mentioned in `[start, end)`


def find_pronouns(text: str, start: int, end: int, is_other: Others) -> frozenset[Pronoun]:
    """Return the pronouns that the text tells of the person mentioned at `[start, end)`: several contradict each other.

    Args:
        text: the segment.
        start: the beginning of the mention in code points.
        end: its end.
        is_other: tells whether a mention of somebody else stands in an interval of the text.
    """
    mention = text[start:end]
    words = mention.lower().split()
    if end - start > _MAX_MENTION or is_title(mention) or not _AND.isdisjoint(words):
        return frozenset()  # nobody, or two people in one mention
    before = text[max(0, start - _BEFORE) : start]
    stated = _STATED.match(text, end)
    if stated:
        return frozenset([Pronoun(each.lower()) for each in stated.groups() if each])
    titled = _by_title(mention, before, text[max(0, start - REACH) : end + REACH])
    if titled:
        return titled
    told = _by_relation(before) or _by_pronoun(text, start, end, is_other)
    return told - {_AGAINST.get(look_up(words[0]).gender)} if len(told) == 1 else told


def is_title(mention: str) -> bool:
    """Tell whether a mention is nothing but titles: a detector may part them from the name."""
    words = mention.split()
    return len(_leading_titles(words)) == len(words)


def _by_title(mention: str, before: str, around: str) -> frozenset[Pronoun]:
    words = mention.split()
    found = {told for word in _leading_titles(words[:-1]) if (told := _pronoun_of(word, is_loud=mention.isupper()))}
    behind = before.split()[::-1] if before[-1:].isspace() else []
    titles = _leading_titles(behind)
    further = behind[len(titles) :]
    if titles and len(further) > 1 and further[0].lower() in _AND and _leading_titles(further[1:2]):
        return frozenset(found)  # Mr and Mrs Roth
    found |= {told for word in titles if (told := _pronoun_of(word, is_loud=mention.isupper()))}
    if not found and MONSIEUR in (*words[:-1][:1], *behind[:1]) and _is_french(around):
        found.add(Pronoun.HE)
    return frozenset(found)


def _leading_titles(words: Sequence[str]) -> list[str]:
    """Return the titles with which a row of words begins."""
    found: list[str] = []
    for word in words:
        bare = _bare(word)
        if bare not in TITLES and bare not in read_cues()[ANY].titles and bare not in read_cues()[ANY].small_titles:
            break
        found.append(word)
    return found


def _bare(word: str) -> str:
    return straight(word).lower().strip(".(\"'\u201c\u201e\u00ab")


def _pronoun_of(title: str, *, is_loud: bool) -> Pronoun | None:
    bare, cues = _bare(title), read_cues()[ANY]
    letters = title.strip(".(\"'\u201c\u201e\u00ab")
    if bare in cues.titles and letters[:1].isupper() and (is_loud or not letters[1:].isupper()):
        return cues.titles[bare]
    return cues.small_titles.get(bare)


def _is_french(around: str) -> bool:
    words = {word.lower() for word in _WORD.findall(around)}
    return _language(words) == "fr" and len(words & read_cues()["fr"].common) >= _MIN_FRENCH


def _by_relation(before: str) -> frozenset[Pronoun]:
    words = before.split()
    if not words or words[-1].lower() not in _all_kin() or (match := _RELATION.search(before)) is None:
        return frozenset()
    own, relation = match[1].lower(), match[2].lower()
    nearer = words[-2].lower()
    return frozenset(
        cues.kin[relation]
        for cues in read_cues().values()
        if relation in cues.kin and (own in cues.own or nearer in cues.own)
    )


def _by_pronoun(text: str, start: int, end: int, is_other: Others) -> frozenset[Pronoun]:
    following = text[end : end + REACH]
    if _first_words().isdisjoint(word.lower() for word in _WORD.findall(following)):
        return frozenset()
    ends = [*islice(sentence_ends(following), 2), len(following), len(following)]
    own, following = following[: ends[0]], following[: ends[1]]
    if is_other(start, end + len(following)):
        return frozenset()
    preceding = text[max(0, start - REACH) : start]
    begin = max(sentence_ends(preceding), default=0)
    if is_other(start - len(preceding) + begin, start):
        return frozenset()
    before, own_words, words = (_WORD.findall(part) for part in (preceding[begin:], own, following))
    language = _language({word.lower() for word in (*before, *words)})
    if not language or _names_another(read_cues()[language], before, words):
        return frozenset()
    begins = not before or all(_bare(word) in TITLES for word in before)
    return frozenset(_pronouns_among(read_cues()[language], words, len(own_words) if begins else -1))


@cache
def _all_kin() -> frozenset[str]:
    return frozenset(word for cues in read_cues().values() for word in cues.kin)


@cache
def _first_words() -> frozenset[str]:
    """Return the words without which no pronoun stands anywhere."""
    return frozenset(
        word
        for cues in read_cues().values()
        for word in (*cues.pronouns, *(pair[0] for pairs in (cues.with_verb, cues.subjects) for pair in pairs))
    )


def _language(words: AbstractSet[str]) -> str:
    """Return the language that most of the words tell, "" where two tell as much."""
    counts = sorted(((len(words & cues.common), name) for name, cues in read_cues().items()), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else ""


def _names_another(cues: Cues, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Tell whether a word for somebody else stands in the sentences; the one right before a name is its own."""
    rows = ([word.lower() for word in before[:-1]], [word.lower() for word in behind])
    return any(
        word in cues.others and (place == 0 or row[place - 1] not in cues.articles)
        for row in rows
        for place, word in enumerate(row)
    )


def _pronouns_among(cues: Cues, words: Sequence[str], subject: int) -> Iterator[Pronoun]:
    """Yield the pronouns among the words behind a mention.

    Args:
        cues: those of the language.
        words: the words.
        subject: the place of the first one of the next sentence, where it speaks of whom the mention is the subject.
    """
    for place, word in enumerate(words):
        lower = word.lower()
        if lower in cues.pronouns and (lower == word or lower not in _ONLY_SMALL):
            yield cues.pronouns[lower]
            if place and words[place - 1].lower() == "s":
                yield Pronoun.SHE  # s/he: either
        pair = (lower, words[place + 1].lower() if place + 1 < len(words) else "")
        told = cues.with_verb.get(pair) or (cues.subjects.get(pair) if place == subject else None)
        if told:
            yield told
