from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import Form
from privguard.detect.linking import NumberForms, Surface
from privguard.replacements.normal import normal_form

PHONE, RECORD_ID = EntityType.PHONE, EntityType.RECORD_ID


def forms(kind: EntityType = PHONE) -> NumberForms:
    return NumberForms(kind, partial(normal_form, kind))


def linked(kind: EntityType, *batches: Sequence[str]) -> list[int]:
    numbers = forms(kind)
    return [number for batch in batches for number in numbers.link([Surface(each) for each in batch])]


SAME = [
    (PHONE, ["0170 1234567", "+49 170 1234567", "(0170) 123-45 67", "0049 170/1234567", "+49 (0)170 1234567"]),
    (PHONE, ["+49 0170 1234567", "+49 170 1234567", "49 170 1234567"]),
    (PHONE, ["+1 202 555 0143", "(202) 555-0143", "1-202-555-0143", "202.555.0143"]),
    (PHONE, ["020 7946 0018", "+44 20 7946 0018"]),
    (PHONE, ["8 (912) 345-67-89", "+7 912 345 67 89"]),
    (PHONE, ["+39 06 1234 5678", "06 12345678"]),
    (RECORD_ID, ["7-AB-99201", "7AB99201", "7 ab 99201", "7/AB/99201"]),
    (RECORD_ID, ["1234-5678", "12345678"]),
]
APART = [
    (PHONE, ["+49 170 1234567", "+43 170 1234567", "0170 1234567"]),
    (PHONE, ["0170 1234567", "0170 1234568"]),
    (PHONE, ["+49 170 1234567", "0170 1234567 x2"]),
    (PHONE, ["555-CALL-NOW", "555 2255 669"]),
    (PHONE, ["+999", "999"]),
    (RECORD_ID, ["INV-1-23", "INV-12-3", "INV123"]),
    (RECORD_ID, ["12-345", "12345"]),
    (RECORD_ID, ["A-1", "A1"]),
]


@pytest.mark.parametrize(("kind", "written"), SAME, ids=range(len(SAME)))
def test_the_notations_of_one_number_are_linked_in_any_order(kind: EntityType, written: list[str]) -> None:
    assert set(linked(kind, written)) == {0}
    assert set(linked(kind, written[::-1])) == {0}
    assert set(linked(kind, *([each] for each in written))) == {0}


@pytest.mark.parametrize(("kind", "written"), APART, ids=range(len(APART)))
def test_what_may_be_two_numbers_is_not_linked_in_any_order(kind: EntityType, written: list[str]) -> None:
    assert len(set(linked(kind, written))) == len(written)
    assert len(set(linked(kind, written[::-1]))) == len(written)


def test_a_short_writing_that_two_full_ones_claim_is_given_to_neither() -> None:
    assert linked(PHONE, ["0170 1234567"], ["+49 170 1234567", "+43 170 1234567"], ["0170 1234567"]) == [0, 1, 2, 0]


def test_a_writing_keeps_its_number_whatever_is_found_later() -> None:
    assert linked(PHONE, ["0170 1234567", "+49 170 1234567"], ["+43 170 1234567"], ["01701234567"]) == [0, 0, 1, 0]


def test_the_plain_one_is_the_full_one_and_all_others_are_spellings() -> None:
    national, international = Surface("0170 1234567"), Surface("+49 170 1234567")
    assert forms().fullness(international) > forms().fullness(national)
    assert forms().form_of(national, international) is Form.SPELLING
    assert {forms().identity_of(Surface(each)) for each in ("+49 (0)170 1234567", "00491701234567")} == {
        "+491701234567"
    }


WRITTEN = st.sampled_from(
    [
        "0170 1234567",
        "+49 170 1234567",
        "01701234567",
        "+43 170 1234567",
        "+1 202 555 0143",
        "202 555 0143",
        "170 1234567",
    ]
)


@given(st.lists(st.lists(WRITTEN, max_size=4), max_size=4), st.lists(WRITTEN, max_size=4))
def test_nothing_later_changes_what_an_earlier_batch_was_linked_to(batches: list[list[str]], later: list[str]) -> None:
    before = linked(PHONE, *batches)
    assert linked(PHONE, *batches, later)[: len(before)] == before


@given(st.lists(WRITTEN, max_size=6), st.randoms(use_true_random=False))
def test_the_order_within_a_batch_does_not_matter(batch: list[str], rng: object) -> None:
    mixed = batch[:]
    rng.shuffle(mixed)  # type: ignore[attr-defined]

    def pairs(written: list[str]) -> set[tuple[str, str]]:
        numbers = linked(PHONE, written)
        return {
            (a, b)
            for a, n in zip(written, numbers, strict=True)
            for b, m in zip(written, numbers, strict=True)
            if n == m
        }

    assert pairs(mixed) == pairs(batch)
