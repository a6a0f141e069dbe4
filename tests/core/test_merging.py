"""Tables of one conversation: what both say alike is kept, what they say differently is never restored."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.merging import clashes, merge_tables
from privguard.core.restoring import RestoreEntry, RestoreTable

ADA = RestoreEntry(
    placeholder_id="7QK2",
    kind=EntityType.PERSON,
    value="Ada Roth",
    forms=(("last name", "Roth"),),
    written=(("last name", "R\\u006fth"),),
)
BEN = RestoreEntry(placeholder_id="8ABC", kind=EntityType.PERSON, value="Ben Kole")

IDS = st.sampled_from(["7QK2", "8ABC", "9XYZ", "3MNP"])
ENTRIES = st.builds(
    RestoreEntry,
    placeholder_id=IDS,
    kind=st.sampled_from([EntityType.PERSON, EntityType.GOV_ID]),
    value=st.sampled_from(["Ada Roth", "ADA ROTH", "Ben Kole", "7-AB-99201"]),
    forms=st.sampled_from([(), (("last name", "Roth"),), (("first name", "Ada"), ("initials", "A.R."))]),
)


def test_a_value_that_stood_before_a_link_once_may_stand_there_again() -> None:
    older, newer = replace(table(ADA), before_links=frozenset({"7QK2"})), table(BEN)
    assert merge_tables(older, newer).before_links == merge_tables(newer, older).before_links == {"7QK2"}


def test_of_two_notes_of_one_name_the_newer_counts() -> None:
    older = replace(table(ADA), notes=(("a", "1"), ("b", "2")))
    newer = replace(table(BEN), notes=(("b", "3"), ("c", "4")))
    assert merge_tables(older, newer).notes == (("a", "1"), ("b", "3"), ("c", "4"))


def table(*entries: RestoreEntry, literals: Iterable[str] = (), hosts: tuple[str, ...] = ()) -> RestoreTable:
    """Return a table of one request."""
    return RestoreTable(
        entries={entry.placeholder_id: entry for entry in entries}, literals=frozenset(literals), url_hosts=hosts
    )


@st.composite
def tables(draw: st.DrawFn) -> RestoreTable:
    """A table of one request: an id that the caller typed is never given to a value in it."""
    entries = draw(st.lists(ENTRIES, max_size=3))
    literals = draw(st.frozensets(IDS, max_size=2)) - {entry.placeholder_id for entry in entries}
    return table(*entries, literals=literals)


def live(merged: RestoreTable) -> dict[str, str]:
    """Return what may be restored, by id."""
    return {each: entry.value for each, entry in merged.entries.items() if each not in merged.disputed}


def test_values_of_both_requests_are_known() -> None:
    assert live(merge_tables(table(ADA), table(BEN))) == {"7QK2": "Ada Roth", "8ABC": "Ben Kole"}


def test_the_newest_writing_of_one_value_counts_and_the_older_forms_stay() -> None:
    newer = replace(ADA, value="ADA  ROTH", forms=(("first name", "ADA"),), written=())
    (entry,) = merge_tables(table(ADA), table(newer)).entries.values()
    assert entry.value == "ADA  ROTH"
    assert entry.forms == (("first name", "ADA"), ("last name", "Roth"))
    assert entry.written == (("last name", "R\\u006fth"),)


def test_a_form_that_both_know_is_the_newest() -> None:
    newer = replace(ADA, forms=(("last name", "ROTH"),), written=())
    (entry,) = merge_tables(table(ADA), table(newer)).entries.values()
    assert (entry.forms, entry.written) == ((("last name", "ROTH"),), ())


def test_a_hint_and_a_phrase_are_not_forgotten() -> None:
    older = replace(ADA, hint="a person", phrase="somebody")
    (entry,) = merge_tables(table(older), table(ADA)).entries.values()
    assert (entry.hint, entry.phrase) == ("a person", "somebody")


def test_an_id_with_two_values_has_none() -> None:
    other = replace(BEN, placeholder_id="7QK2")
    merged = merge_tables(table(ADA, BEN), table(other))
    assert merged.disputed == {"7QK2"}
    assert live(merged) == {"8ABC": "Ben Kole"}
    assert merged.entries["7QK2"] == RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="")


def test_mr_and_mrs_of_one_name_are_two_values() -> None:
    one, other = (replace(ADA, value=value) for value in ("Mr Roth", "Mrs Roth"))
    assert clashes(table(one), table(other)) == {"7QK2"}


def test_an_id_of_two_types_has_no_value() -> None:
    assert clashes(table(ADA), table(replace(ADA, kind=EntityType.USERNAME))) == {"7QK2"}


def test_an_id_that_was_typed_before_it_was_given_has_no_value() -> None:
    merged = merge_tables(table(BEN, literals=("7QK2", "9XYZ")), table(ADA))
    assert merged.disputed == {"7QK2"}
    assert merged.literals == {"9XYZ"}
    assert live(merged) == {"8ABC": "Ben Kole"}


def test_an_id_that_is_typed_after_it_was_given_is_the_one_that_was_given() -> None:
    merged = merge_tables(table(ADA), table(BEN, literals=("7QK2", "9XYZ")))
    assert not merged.disputed
    assert merged.literals == {"9XYZ"}
    assert live(merged) == {"7QK2": "Ada Roth", "8ABC": "Ben Kole"}


def test_values_stand_only_in_urls_that_both_requests_allow() -> None:
    merged = merge_tables(table(ADA, hosts=("a.example", "b.example")), table(BEN, hosts=("b.example", "c.example")))
    assert merged.url_hosts == ("b.example",)


@given(st.lists(tables(), min_size=2, max_size=5))
def test_an_id_is_restored_if_and_only_if_all_requests_agree_on_it(given_tables: list[RestoreTable]) -> None:
    merged = reduce(merge_tables, given_tables)
    for placeholder_id in merged.entries:
        entries = [each.entries[placeholder_id] for each in given_tables if placeholder_id in each.entries]
        agreed = len({(entry.kind, entry.value.casefold()) for entry in entries}) == 1
        first = next(number for number, each in enumerate(given_tables) if placeholder_id in each.entries)
        typed = any(placeholder_id in each.literals for each in given_tables[:first])
        assert (placeholder_id in live(merged)) == (agreed and not typed)
        if agreed and not typed:
            assert live(merged)[placeholder_id] == entries[-1].value


@given(tables(), tables(), tables())
def test_it_does_not_matter_which_tables_are_merged_first(a: RestoreTable, b: RestoreTable, c: RestoreTable) -> None:
    left, right = merge_tables(merge_tables(a, b), c), merge_tables(a, merge_tables(b, c))
    typed = b.literals & c.entries.keys()  # c gives what b typed: whether a had given it is not known to the two
    assert left.disputed - typed == right.disputed - typed
    assert {each: live(left).get(each) for each in live(right)} == live(right)


@given(tables())
def test_a_table_merged_with_itself_says_the_same(one: RestoreTable) -> None:
    assert merge_tables(one, one) == one


def test_a_spelling_that_either_request_had_in_its_conversation_was_said() -> None:
    older = replace(ADA, unsaid=frozenset({"last name"}))
    newer = replace(ADA, value="ADA ROTH", unsaid=frozenset({"", "last name"}))
    (entry,) = merge_tables(table(older), table(newer)).entries.values()
    assert (entry.value, entry.unsaid) == ("ADA ROTH", frozenset({"last name"}))


@given(unsaid=st.tuples(*[st.frozensets(st.sampled_from(["", "last name"]))] * 2))
def test_merging_takes_no_spelling_for_said_that_nobody_said(unsaid: tuple[frozenset[str], frozenset[str]]) -> None:
    older, newer = (replace(ADA, unsaid=each) for each in unsaid)
    (entry,) = merge_tables(table(older), table(newer)).entries.values()
    assert entry.unsaid == unsaid[0] & unsaid[1]


def test_a_hint_keeps_what_either_request_told() -> None:
    def table(hint: str) -> RestoreTable:
        entry = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada Roth", hint=hint)
        return RestoreTable(entries={"7QK2": entry})

    for older, newer, united in (
        ("a customer", "she", "a customer, she"),
        ("a customer, he", "she", "a customer, she"),
        ("she", "", "she"),
        ("", "", ""),
    ):
        assert merge_tables(table(older), table(newer)).entries["7QK2"].hint == united
