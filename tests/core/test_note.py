from privguard.core.entities import EntityType
from privguard.core.note import EXAMPLE, NOTE
from privguard.core.placeholders import EXAMPLE_ID, is_placeholder_id, write_placeholder


def test_the_example_looks_like_a_placeholder() -> None:
    assert is_placeholder_id(EXAMPLE_ID)
    assert write_placeholder(EntityType.PERSON, EXAMPLE_ID) == EXAMPLE
    assert NOTE.count(EXAMPLE) == 1


def test_nothing_of_the_note_is_escaped_in_json() -> None:
    assert NOTE.isascii()
    assert NOTE.isprintable()
    assert not set(NOTE) & set('"\\')
