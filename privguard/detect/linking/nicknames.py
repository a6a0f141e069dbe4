"""Short and pet forms of given names, and whose names they are, from tables of our own.

Bob may be called Robert. Anna is not called Anne: names of their own are those of two people, however alike they are.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from privguard.detect.word_lists import read_lines


class GivenName(NamedTuple):
    """What the table knows of a given name."""

    rows: tuple[str, ...]  # the full names that it may stand for
    own: tuple[str, ...]  # those of them of which it is no pet form but a name of its own
    gender: str  # "m", "f", or "" where it may be either


@cache
def _table() -> dict[str, GivenName]:
    rows: dict[str, list[str]] = {}
    own: dict[str, list[str]] = {}
    genders: dict[str, set[str]] = {}
    for gender, name in (("m", "given_names_male"), ("f", "given_names_female")):
        for line in read_lines(name):
            names, _, pet_forms = line.partition(":")
            full = f"{gender}:{names.split()[0]}"
            for word in names.split():
                own.setdefault(word, []).append(full)
            for word in (*names.split(), *pet_forms.split()):
                rows.setdefault(word, []).append(full)
                genders.setdefault(word, set()).add(gender)
    return {
        word: GivenName(
            tuple(found), tuple(own.get(word, ())), "".join(genders[word]) if len(genders[word]) == 1 else ""
        )
        for word, found in rows.items()
    }


_UNKNOWN = GivenName((), (), "")


def are_alike(some: Iterable[str], others: Iterable[str]) -> bool:
    """Tell whether a given name may be a pet form of another, or both of one name.

    Args:
        some: the spellings of one of them, folded.
        others: those of the other.
    """
    one, other = list(map(look_up, some)), list(map(look_up, others))
    shared = {row for name in one for row in name.rows} & {row for name in other for row in name.rows}
    return not shared <= {row for name in one for row in name.own} & {row for name in other for row in name.own}


def look_up(folded: str) -> GivenName:
    """Return what is known of a given name, folded; nothing where it is not in the table."""
    return _table().get(folded, _UNKNOWN)
