"""Short and pet forms of given names, and whose names they are, from tables of our own."""

from functools import cache
from typing import NamedTuple

from privguard.detect.word_lists import read_lines


class GivenName(NamedTuple):
    """What the table knows of a given name."""

    rows: tuple[str, ...]  # the full names that it may stand for
    gender: str  # "m", "f", or "" where it may be either


@cache
def _table() -> dict[str, GivenName]:
    rows: dict[str, list[str]] = {}
    genders: dict[str, set[str]] = {}
    for gender, name in (("m", "given_names_male"), ("f", "given_names_female")):
        for row in read_lines(name):
            words = row.split()
            for word in words:
                rows.setdefault(word, []).append(f"{gender}:{words[0]}")
                genders.setdefault(word, set()).add(gender)
    return {
        word: GivenName(tuple(found), "".join(genders[word]) if len(genders[word]) == 1 else "")
        for word, found in rows.items()
    }


_UNKNOWN = GivenName((), "")


def look_up(folded: str) -> GivenName:
    """Return what is known of a given name, folded; nothing where it is not in the table."""
    return _table().get(folded, _UNKNOWN)
