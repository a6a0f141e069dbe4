import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.placeholders import ALPHABET, EXAMPLE_ID, MAX_ID, MIN_ID, is_placeholder_id
from privguard.replacements.identity import IdentityScope, long_id
from privguard.replacements.key import Key

KEY = Key.from_text("correct horse battery staple")
ENTITIES = st.tuples(st.sampled_from(EntityType), st.text(min_size=1, max_size=8))


@given(ENTITIES)
def test_every_prefix_of_a_long_id_is_an_id(entity: tuple[EntityType, str]) -> None:
    letters = long_id(KEY, *entity)
    assert len(letters) == MAX_ID
    assert all(is_placeholder_id(letters[:length]) for length in range(MIN_ID, MAX_ID + 1))


@given(st.lists(ENTITIES, max_size=20), st.lists(ENTITIES, max_size=20))
def test_ids_are_distinct_stable_and_unmoved_by_later_entities(
    entities: list[tuple[EntityType, str]], later: list[tuple[EntityType, str]]
) -> None:
    scope, longer = IdentityScope(KEY), IdentityScope(KEY)
    ids = [scope.assign(*entity) for entity in entities]
    assert len(set(ids)) == len(set(entities))
    assert ids == [longer.assign(*entity) for entity in entities + later][: len(entities)]
    assert ids == [scope.assign(*entity) for entity in entities]


@given(ENTITIES)
def test_a_taken_id_is_lengthened(entity: tuple[EntityType, str]) -> None:
    letters = long_id(KEY, *entity)
    assert IdentityScope(KEY, {letters[:MIN_ID]}).assign(*entity) == letters[: MIN_ID + 1]


def test_when_all_prefixes_are_taken_nothing_is_sent_and_nothing_is_shown() -> None:
    letters = long_id(KEY, EntityType.PERSON, "canary")
    taken = {letters[:length] for length in range(MIN_ID, MAX_ID + 1)}
    with pytest.raises(PlanError, match="PERSON") as refused:
        IdentityScope(KEY, taken).assign(EntityType.PERSON, "canary")
    assert "canary" not in str(refused.value)


def test_keys_and_types_separate_ids() -> None:
    other = Key.from_text("another key of enough length")
    assert long_id(KEY, EntityType.PERSON, "x") != long_id(other, EntityType.PERSON, "x")
    assert long_id(KEY, EntityType.PERSON, "x") != long_id(KEY, EntityType.MISC, "x")


class Fated(Key):
    """A key under which everything would get the id of the example first."""

    def mac(self, purpose: str, *parts: str) -> bytes:
        wanted = EXAMPLE_ID + "QQQQQQQQ" if parts[0] == "0" else "7QK2QQQQQQQQ"
        bits = sum(ALPHABET.index(letter) << 5 * at for at, letter in enumerate(wanted))
        return bits.to_bytes(8, "big")


def test_nothing_ever_gets_the_id_of_the_example_in_the_note() -> None:
    fated = Fated(b"correct horse battery staple")
    assert long_id(fated, EntityType.PERSON, "x") == "7QK2QQQQQQQQ"
    assert IdentityScope(fated, {"7QK2"}).assign(EntityType.PERSON, "x") == "7QK2Q"
