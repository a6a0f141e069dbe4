"""Keyed, value-derived placeholder ids, scoped to one request.

The id of an entity is a prefix of `HMAC(key, type, normalised value)`: the same person has the same placeholder in
turn 1 and turn 9, in a tool result and in another process with the same key, and no table has to be kept.
"""

import itertools
from collections.abc import Collection

from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.placeholders import ALPHABET, EXAMPLE_ID, MAX_ID, MIN_ID, is_placeholder_id
from privguard.replacements.key import Key

_PAIRS = tuple(first + second for second in ALPHABET for first in ALPHABET)  # ten bits each
_SHIFTS = range(0, 5 * MAX_ID, 10)


def long_id(key: Key, kind: EntityType, normal_value: str) -> str:
    """Derive the longest id of an entity; its first `MIN_ID` characters are an id already."""
    for counter in itertools.count():
        bits = int.from_bytes(key.mac("placeholder", str(counter), kind.value, normal_value)[:8], "big")
        letters = "".join([_PAIRS[(bits >> shift) & 1023] for shift in _SHIFTS])
        if is_placeholder_id(letters[:MIN_ID]) and not letters.startswith(EXAMPLE_ID):
            return letters
    raise AssertionError  # pragma: no cover - count() does not end


class IdentityScope:
    """Give the entities of one request their ids.

    An id is the shortest prefix that is neither `taken` (the caller typed something that R would read as it) nor
    given to another entity. Entities are asked for in request order, so that the ids of earlier messages do not
    change when later ones are added.
    """

    def __init__(self, key: Key, taken: Collection[str] = ()) -> None:
        self._key = key
        self._taken = set(taken)
        self._given: dict[tuple[EntityType, str], str] = {}

    def assign(self, kind: EntityType, normal_value: str) -> str:
        """Return the id of an entity, the same one at every call.

        Raises:
            PlanError: every prefix is taken.
        """
        entity = (kind, normal_value)
        if entity not in self._given:
            self._given[entity] = self._shortest_free(long_id(self._key, kind, normal_value), kind)
        return self._given[entity]

    def _shortest_free(self, letters: str, kind: EntityType) -> str:
        for length in range(MIN_ID, MAX_ID + 1):
            if letters[:length] not in self._taken:
                self._taken.add(letters[:length])
                return letters[:length]
        raise PlanError(f"no placeholder id is left for a {kind} value: the text itself contains all of them")
