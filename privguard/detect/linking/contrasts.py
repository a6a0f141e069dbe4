"""Two people of one name whom the sentence itself tells apart: `Officer Hall arrested Kevin Hall`.

A mention is a part of another in letters, and somebody else by the sentence: both are joined by "and", or do something
to each other. Nobody is told apart where the words between say who is who ("is", "known as"), where a part of the
sentence with a subject of its own begins ("said that"), or where signs stand between that are no list: a name in
brackets explains.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import combinations, pairwise

from privguard.core.patterns import lazy_pattern
from privguard.detect.found import listed
from privguard.detect.linking.person_name import Name, title_of
from privguard.detect.linking.surfaces import Surface, gap_between

_MOST = 16  # mentions of one sentence that are compared with each other
_AND = listed("and & und et y e og och en sowie")
_POSSESSIVE = lazy_pattern(r"['\u2019]s?(?=\s)")
_COMMA = lazy_pattern(r",(?=\s)")
# Words that say who is who.
_SAYING = listed(
    "called known born née nee né alias aka also as or formerly previously sign signs signed spelled spelt spells mean "
    "means meaning goes went became becomes name names named renamed change changed changes same short being "
    "genannt geborene geborener geb heißt heisst wurde wird name oder auch als "
    "dit dite nommé nommée appelé appelée ou aussi comme nom llamada llamado conocida conocido como o también nombre "
    "heet genaamd ofwel ook"
)
_COPULAS = listed("am is are was were be been ist war sind est était es era son è era")
# Behind these begins a part of the sentence that may name the same person again.
_OPENERS = listed(
    "that who whom whose which because if when while since whether where until before after though although but than "
    "dass weil wenn ob während que qui dont si quand parce porque cuando quien"
)
_TOWARDS = listed("by to of with from against for")
_MOVING = listed("to into in zu en a à")  # alone: "from Mary Roth to Mary Ann Roth"


class _Gap(Enum):
    CLOSED = 0  # tells nothing
    LISTED = 1  # a comma, which tells something where an "and" follows
    LAST = 2  # a comma and an "and": of a list, where a comma stands before it
    JOINED = 3
    MOVED = 4  # from the one to the other, who may be the same under a new name
    ACTED = 5


def contrasts(batch: Sequence[Surface], names: Sequence[Name]) -> Iterator[tuple[Name, Name]]:
    """Yield the pairs of names of which one could be the other but for the sentence that holds both."""
    if len(batch) < 2:
        return
    gaps = [_read(one, other) for one, other in pairwise(batch)]
    start = 0
    for at, gap in enumerate([*gaps, _Gap.CLOSED]):
        if gap is _Gap.CLOSED:
            if at > start:
                yield from _of_run(names[start : at + 1], gaps[start:at])
            start = at + 1


def _of_run(names: Sequence[Name], gaps: Sequence[_Gap]) -> Iterator[tuple[Name, Name]]:
    for first, second in combinations(range(min(len(names), _MOST)), 2):
        one, other = names[first], names[second]
        between = gaps[first:second]
        if _Gap.MOVED in between and one.is_full and other.is_full:
            continue
        if _is_told(between, gaps[second:]) and _are_two(one, other):
            yield one, other


def _is_told(between: Sequence[_Gap], behind: Sequence[_Gap]) -> bool:
    """Tell whether the gaps between two mentions, and those behind the second, join them or let one act."""
    if between[-1] is _Gap.LAST:
        return _Gap.LISTED in between
    if between[-1] is not _Gap.LISTED:
        return True
    return next((gap for gap in behind if gap is not _Gap.LISTED), _Gap.CLOSED) in {_Gap.JOINED, _Gap.LAST}


def _are_two(one: Name, other: Name) -> bool:
    """Tell whether two mentions of such a sentence are two people: given name and surname, and less or more than that.

    A surname alone may be a second mention in any sentence.
    """
    if one.apart or other.apart or one.keys[-1].isdisjoint(other.keys[-1]):
        return False
    if one.is_full == other.is_full:
        return one.is_full and one.words != other.words
    part, full = (other, one) if one.is_full else (one, other)
    return part.titled and part.titles.isdisjoint(full.titles)


def _read(one: Surface, other: Surface) -> _Gap:
    """Tell what the text between two mentions says of them."""
    gap = gap_between(one, other) if one.sentence is not None and one.sentence == other.sentence else None
    if gap is None:
        return _Gap.CLOSED
    owner = _POSSESSIVE.match(gap)
    gap = gap[owner.end() :] if owner else gap
    comma = _COMMA.match(gap) is not None
    words = gap[1 if comma else 0 :].lower().split()
    while words and title_of(words[-1]):
        words.pop()
    if not words:
        return _Gap.ACTED if owner else _Gap.LISTED if comma else _Gap.CLOSED
    if len(words) == 1 and words[0] in _AND:
        return _Gap.LAST if comma else _Gap.JOINED
    if comma or not all(map(_is_word, words)) or not _AND.isdisjoint(words[1:]):
        return _Gap.CLOSED
    return _of_act(frozenset(words), words[-1], owned=owner is not None)


def _is_word(word: str) -> bool:
    return all(part.isalpha() for part in word.split("-"))


def _of_act(words: frozenset[str], last: str, *, owned: bool) -> _Gap:
    if not owned and words <= _MOVING:
        return _Gap.MOVED
    if not words.isdisjoint(_SAYING) or not words.isdisjoint(_OPENERS):
        return _Gap.CLOSED
    # "was treated by", "is the mother of", "is treating"; but "'s title is".
    acted = not owned and (last in _TOWARDS or any(word.endswith("ing") for word in words))
    return _Gap.ACTED if acted or words.isdisjoint(_COPULAS) else _Gap.CLOSED
