from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry

REIK = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Johnny Reik", forms=(("last name", "Reik"),))


def test_a_form_tells_its_spelling_and_anything_else_the_value() -> None:
    assert [REIK.value_of(hint) for hint in ("last name", " Last Name ")] == ["Reik", "Reik"]
    assert [REIK.value_of(hint) for hint in ("", "first name", "a person")] == ["Johnny Reik"] * 3


def test_an_entry_shows_no_spelling() -> None:
    assert "Reik" not in repr(REIK)


LENA = RestoreEntry(
    placeholder_id="7QK2",
    kind=EntityType.PERSON,
    value="Dr Lena Okafor",
    forms=(("first name", "Lena"), ("last name", "Okafor"), ("last name 2", "OKAFOR")),
    written=(("last name", "Ok\\u0061for"),),
)


def test_without_an_unsaid_spelling_an_entry_is_as_it_was() -> None:
    assert LENA.said() is LENA


def test_an_unsaid_form_is_left_out_and_reads_as_the_plain_one() -> None:
    said = replace(LENA, unsaid=frozenset({"first name"})).said()
    assert said == replace(LENA, forms=LENA.forms[1:])
    assert said.value_of("first name") == "Dr Lena Okafor"


def test_an_unsaid_plain_spelling_gives_way_to_the_longest_one_that_was_said() -> None:
    said = replace(LENA, unsaid=frozenset({"", "first name"})).said()
    # The one without escapes, of two that are as long.
    assert said == replace(LENA, value="OKAFOR", forms=LENA.forms[1:])


def test_the_escapes_of_the_spelling_that_takes_over_go_with_it() -> None:
    said = replace(LENA, unsaid=frozenset({"", "last name 2"})).said()
    assert said is not None
    assert said.value == "Okafor"
    assert said.written_of("") == said.written_of("last name") == "Ok\\u0061for"


@given(unsaid=st.frozensets(st.sampled_from(["", "first name", "last name", "last name 2"])))
def test_no_unsaid_spelling_is_left(unsaid: frozenset[str]) -> None:
    spellings = dict(LENA.spellings)
    said = replace(LENA, unsaid=unsaid).said()
    left = {text for form, text in spellings.items() if form not in unsaid}
    assert (said is None) == (not left)
    if said is not None:
        assert {text for _, text in said.spellings} == left
        assert said.unsaid == frozenset()


def test_an_entry_that_is_emptied_knows_its_id_and_what_is_ours() -> None:
    emptied = replace(LENA, hint="a person", unsaid=frozenset({""})).emptied()
    assert emptied == RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="", hint="a person")
