from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry

REIK = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Johnny Reik", forms=(("last name", "Reik"),))


def test_a_form_tells_its_spelling_and_anything_else_the_value() -> None:
    assert [REIK.value_of(hint) for hint in ("last name", " Last Name ")] == ["Reik", "Reik"]
    assert [REIK.value_of(hint) for hint in ("", "first name", "a person")] == ["Johnny Reik"] * 3


def test_an_entry_shows_no_spelling() -> None:
    assert "Reik" not in repr(REIK)
