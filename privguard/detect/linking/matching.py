"""Tell whether two mentions can be of one person, and how much speaks for it.

Two full names, given name and surname each, that differ are two people, unless

* they are the same but for a space and a hyphen: Jean Pierre Martin, Jean-Pierre Martin;
* one abbreviates the other: initials, a middle name left out; the given name and the last surname stay, so that
  nobody is taken for the bearer of a longer name;
* or one is a weaker likeness of the other: a pet form of the given name, two surnames without it. Whoever links has
  to make sure that the two never stand in one sentence and that no third name has as good a claim.
"""

from privguard.detect.linking import east_asian
from privguard.detect.linking.nicknames import are_alike
from privguard.detect.linking.person_name import Name


def compatible(one: Name, other: Name) -> bool:
    """Tell whether two mentions can be of the same person, the one being a part or another writing of the other."""
    if one.apart != other.apart or one.east_asian != other.east_asian:
        return False
    if one.generation != other.generation and one.generation and other.generation:
        return False
    if one.sex and other.sex and one.sex != other.sex:
        return False
    short, long = (one, other) if one.rank <= other.rank else (other, one)
    if short.titled and short.sex == "m" and not short.is_full and not long.sex and long.is_like_a_womans:
        return False
    if one.east_asian:
        return east_asian.is_part(short.words[0], long.words[0])
    if len(short.words) > len(long.words):
        short, long = long, short
    return _fits(short, long)


def abbreviates(one: Name, other: Name) -> bool:
    """Tell whether two names that are `compatible` are the same but for spelling, initials and middle names."""
    short, long = (one, other) if len(one.words) <= len(other.words) else (other, one)
    if short.parts == long.parts:
        return True
    return _written(short, 0, long, 0) and _written(short, -1, long, -1)


def _fits(short: Name, long: Name) -> bool:
    if short.parts == long.parts:
        return True
    count, total = len(short.words), len(long.words)
    if count == 1 and total > 1:
        places = range(1, total) if short.titled else range(total)
        return len(short.words[0]) > 1 and any(_is_part(short, long, place) for place in places)
    if count == total:
        return _pairwise(short, long, 0, range(count)) and (count > 1 or short.keys[0] & long.keys[0] != frozenset())
    if _same(short, 0, long, 0):
        return _same(short, count - 1, long, total - 1) and _in_order(short, long)
    # Both surnames, without the given name.
    return not short.rows(0) and _pairwise(short, long, total - count, range(count))


def _is_part(short: Name, long: Name, place: int) -> bool:
    """Tell whether a single word is that word of a name; a given name in the middle may be somebody else's first."""
    middle = 0 < place < len(long.words) - 1
    return _same(short, 0, long, place) and not (middle and short.rows(0))


def _pairwise(short: Name, long: Name, shift: int, places: range) -> bool:
    whole = any(len(short.words[place]) > 1 and len(long.words[place + shift]) > 1 for place in places)
    return whole and all(_same(short, place, long, place + shift) for place in places)


def _in_order(short: Name, long: Name) -> bool:
    place = 1
    for number in range(1, len(short.words)):
        while place < len(long.words) and not _same(short, number, long, place):
            place += 1
        if place == len(long.words):
            return False
        place += 1
    return True


def _same(one: Name, at: int, other: Name, there: int) -> bool:
    """Tell whether two words can be the same; a pet form counts for given names alone."""
    if _written(one, at, other, there):
        return True
    first, second = one.words[at], other.words[there]
    if len(first) == 1 or len(second) == 1:
        return False
    if there == 0 and other.is_full and are_alike(one.keys[at], other.keys[there]):
        return True
    return _is_genitive(one, at, second) or _is_genitive(other, there, first)


def _is_genitive(name: Name, place: int, base: str) -> bool:
    """Tell whether a word is the genitive of another, without apostrophe: Peters is a name beside Peter as well."""
    return name.is_genitive and place == len(name.words) - 1 and name.words[place] == f"{base}s"


def _written(one: Name, at: int, other: Name, there: int) -> bool:
    """Tell whether two words are spellings of one, or one is the initial of the other."""
    first, second = one.words[at], other.words[there]
    if len(first) == 1 or len(second) == 1:
        return first[0] == second[0]
    return not one.keys[at].isdisjoint(other.keys[there])
