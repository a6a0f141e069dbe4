"""Ids are read whole, in any case, and only before the s of a plural with something behind them."""

import pytest

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore.found import Found, Ids, is_hint, match_of, own_start
from privguard.restore.seen import see

ADA = RestoreEntry(
    placeholder_id="7QK2",
    kind=EntityType.PERSON,
    value="Ada Roth",
    hint="a customer",
    forms=(("last name", "Roth"),),
)
BEN = RestoreEntry(placeholder_id="7QK2M", kind=EntityType.PERSON, value="Ben Kole")
EVA = RestoreEntry(placeholder_id="8ABC", kind=EntityType.PERSON, value="Eva Lind")
EVAS = RestoreEntry(placeholder_id="8ABCS", kind=EntityType.PERSON, value="Ida Moor")
ENTRIES = {entry.placeholder_id: entry for entry in (ADA, BEN, EVA, EVAS)}
IDS = Ids(RestoreTable(entries=ENTRIES, literals=frozenset({"9ZZZ"}), disputed=frozenset({"7QK2M"})))


@pytest.mark.parametrize(
    ("written", "entry", "length", "intact", "unclear"),
    [
        ("7QK2", ADA, 4, True, False),
        ("7qk2", ADA, 4, False, False),
        ("7QK2s", ADA, 4, True, False),
        ("7QK2M", BEN, 5, True, True),
        ("8ABCS", EVAS, 5, True, False),
        ("8ABCs", EVAS, 5, False, True),
        ("8abcs", EVAS, 5, False, False),
    ],
)
def test_an_id_is_read_whole(written: str, entry: RestoreEntry, length: int, intact: bool, unclear: bool) -> None:
    assert IDS.read(written) == (entry, length, intact, unclear)


@pytest.mark.parametrize("written", ["7QK", "7QK22", "7QK2S", "7qk2s", "7QK2ss", "A7QK2", "7QKZ", "", "s"])
def test_what_is_not_exactly_an_id_is_none(written: str) -> None:
    assert IDS.read(written) is None


def test_what_may_be_an_id_of_another_request_matters_too() -> None:
    assert IDS.is_known("9XYZ")
    assert not IDS.is_known("9xyz")
    assert IDS.is_foreign(EntityType.PERSON, "9XYZ", "[PERSON_9XYZ: a hint]")
    assert not IDS.is_foreign(EntityType.PERSON, "9XYZ", "[person_9XYZ]")
    assert not IDS.is_foreign(EntityType.PERSON, "9ZZZ", "[PERSON_9ZZZ]")
    assert not IDS.is_foreign(EntityType.PERSON, "9XY1", "[PERSON_9XY1]")


@pytest.mark.parametrize(
    ("behind", "cause"),
    [("", Cause.TRUNCATED), (" M]", Cause.AMBIGUOUS), ("-m ", Cause.AMBIGUOUS), (" X]", None), (" said", None)],
)
def test_an_id_that_another_one_begins_with_may_be_cut_short(behind: str, cause: Cause | None) -> None:
    text = f"[PERSON_7QK2{behind}"
    assert IDS.cut_short(ADA, text, 12) is cause
    assert IDS.cut_short(EVAS, text, 12) is None


def test_only_what_left_is_an_exact_match() -> None:
    for written, hint in (("[PERSON_7QK2]", ""), ("[PERSON_7QK2: a customer]", " a customer")):
        assert match_of(written, EntityType.PERSON, ADA, hint) is Match.EXACT
    assert match_of("[PERSON_7QK2: last name]", EntityType.PERSON, ADA, " last name") is Match.EXACT
    assert match_of("[PERSON_7QK2: first name]", EntityType.PERSON, ADA, " first name") is Match.TOLERANT
    assert match_of("[person_7QK2]", EntityType.PERSON, ADA, "") is Match.TOLERANT
    assert match_of("[DATE_7QK2]", EntityType.DATE, ADA, "") is Match.EXACT


def test_a_hint_is_one_of_ours() -> None:
    assert all(is_hint(hint, ADA) for hint in ("", " a customer", " A Customer ", "last name 2", " a person"))
    assert not is_hint(" a friend", ADA)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("x\\\\[PERSON_7QK2]", 3),
        ("x\\\\[PERSON\\_7QK2]", 1),
        ("x\\[PERSON_7QK2\\]", 1),
        ("x\\[PERSON_\\n7QK2]", 2),
        ("x\\[\\u4eba_7QK2]", 2),
        ("x\\\u200b[PERSON\\_7QK2]", 3),
        ("\\" * 10 + "[PERSON\\_7QK2]", 2),
    ],
)
def test_backslashes_before_a_clean_placeholder_are_the_texts(text: str, start: int) -> None:
    seen = see(text)
    assert own_start(seen, seen.text.index("["), len(seen.text), 0) == start
    assert own_start(seen, seen.text.index("["), len(seen.text), seen.text.index("[")) == seen.place(
        seen.text.index("[")
    )


def test_no_value_is_shown_by_a_repr() -> None:
    assert "Ada" not in repr(Found(0, 4, Match.EXACT, ADA, "Ada Roth", before="Ada"))
