from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.spaced import SpacedBook
from tests.growth import costs_in_proportion, seconds


def found(value: str, kind: EntityType, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in SpacedBook([(value, kind)]).find(text)]


@pytest.mark.parametrize(
    ("value", "kind", "text", "expected"),
    [
        ("Tobias", EntityType.PERSON, "T o b i a s said", ["T o b i a s"]),
        ("Tobias", EntityType.PERSON, "t-o-b-i-a-s, T.o.b.i.a.s", ["t-o-b-i-a-s", "T.o.b.i.a.s"]),
        ("Tobias", EntityType.PERSON, "T  o  b  i  a  s a I", ["T  o  b  i  a  s"]),
        ("Ada Roth", EntityType.PERSON, "A d a  R o t h", ["A d a  R o t h"]),
        ("PX-4471-Q920", EntityType.RECORD_ID, "P X - 4 4 7 1 - Q 9 2 0", ["P X - 4 4 7 1 - Q 9 2 0"]),
        ("4111 1111", EntityType.FIN_ACCOUNT, "4 1 1 1 1 1 1 1", ["4 1 1 1 1 1 1 1"]),
        ("hunTer2", EntityType.SECRET, "h u n T e r 2 or h u n t e r 2", ["h u n T e r 2"]),
        ("12345", EntityType.RECORD_ID, "1 2 3 4 5", []),
        ("Ada", EntityType.PERSON, "A d a", []),
        ("Rose", EntityType.PERSON, "r o s e", []),
        ("Tobias", EntityType.PERSON, "Tobias, T obias", []),
        ("nurse", EntityType.OCCUPATION, "n u r s e", []),
    ],
)
def test_letters_by_themselves_are_read_together(value: str, kind: EntityType, text: str, expected: list[str]) -> None:
    assert found(value, kind, text) == expected


@given(st.text(alphabet="abT İß.-", max_size=12), st.text(alphabet="abT İß.-", max_size=12))
def test_what_stands_around_hides_no_mention(before: str, after: str) -> None:
    text = f"{before} ; T o b i a s ; {after}"
    assert "T o b i a s" in found("Tobias", EntityType.PERSON, text)


def test_the_cost_is_linear_in_the_text() -> None:
    book = SpacedBook([("Tobias Kernberg", EntityType.PERSON)])
    text = "a b c d T o b i a s words "
    assert not list(book.find(text * 1_000))
    assert costs_in_proportion(lambda size: seconds(lambda: list(book.find(text * size))), 1_250)


@given(
    st.lists(st.sampled_from(["T o b i a s", "t o b i a s 7", "K 0 0 4 2 y", " ", "-", "x", ", ", "k.0.0.4.2.y"])).map(
        "".join
    )
)
def test_of_many_values_each_is_found_as_if_it_were_the_only_one(text: str) -> None:
    values = [("Tobias", EntityType.PERSON), ("Tobias7", EntityType.SECRET)]
    values += [(f"K{number:04d}y", EntityType.USERNAME) for number in range(60)]
    alone = [
        (start, end, number) for number, value in enumerate(values) for start, end, _ in SpacedBook([value]).find(text)
    ]
    assert sorted(SpacedBook(values).find(text)) == sorted(alone)


def test_a_run_of_letters_costs_the_same_however_many_values_there_are(
    calls_of: Callable[[Callable[[], object]], int],
) -> None:
    text = "T o b i a s K 0 0 0 7 y said "
    costs = []
    for count in (100, 1_000):
        book = SpacedBook([(f"Tobias K{number:04d}y", EntityType.PERSON) for number in range(count)])
        assert [number for _, _, number in book.find(text)] == [7]
        costs.append(calls_of(lambda book=book: list(book.find(text))))  # type: ignore[misc]
    assert costs[1] <= costs[0] + 20
