from collections.abc import Sequence

import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.linking.surnames import name_bearers

P, G = EntityType.PERSON, EntityType.ORGANIZATION


def kinds(*messages: Sequence[tuple[str, EntityType]]) -> list[list[EntityType]]:
    """Return the types of the values of each message, once surnames are known."""
    texts, rows = [], []
    for values in messages:
        text, row = "", []
        for value, kind in values:
            text += "; "
            row.append(Span(start=len(text), end=len(text) + len(value), kind=kind, score=1.0, source="test"))
            text += value
        texts.append(text)
        rows.append(tuple(row))
    named = name_bearers(
        texts, rows, [[(number, place) for place in range(len(row))] for number, row in enumerate(rows)]
    )
    return [[span.kind for span in row] for row in named]


@pytest.mark.parametrize(
    "person",
    ["Tobias Hellmerich", "Mr Hellmerich", "HELLMERICH Tobias", "Tobias A. Hellmerich", "Tobias Hellmerich Jr."],
)
@pytest.mark.parametrize("alone", ["Hellmerich", "HELLMERICH", "Hellmerich\u2019s"])
def test_a_surname_alone_is_the_person_who_bears_it(person: str, alone: str) -> None:
    assert kinds([(person, P)], [(alone, G)]) == [[P], [P]]
    assert kinds([(alone, G), (person, P)]) == [[P, P]]


@pytest.mark.parametrize(
    ("person", "company"),
    [
        ("Tobias Hellmerich", "Hellmerich GmbH"),
        ("Tobias Hellmerich", "Tobias"),
        ("Hellmerich", "Hellmerich"),
        ("Tobias Hellmerich", "Hellmer"),
        ("Tobias Hellmerich", "Acme"),
        ("Johnny Peter Reik", "Peter"),
    ],
)
def test_a_company_stays_one(person: str, company: str) -> None:
    assert kinds([(person, P)], [(company, G)]) == [[P], [G]]


def test_a_word_that_a_company_bears_too_is_nobodys_name() -> None:
    assert kinds([("Tobias Hellmerich", P), ("Hellmerich GmbH", G)], [("Hellmerich", G)]) == [[P, G], [G]]
    assert kinds([("Hellmerich", G)], [("Tobias Hellmerich", P)], [("Hellmerich", G)]) == [[G], [P], [G]]


def test_a_company_that_comes_later_changes_nobody() -> None:
    before: list[list[tuple[str, EntityType]]] = [[("Tobias Hellmerich", P)], [("Hellmerich", G)]]
    assert kinds(*before, [("Hellmerich GmbH", G)], [("Hellmerich", G)]) == [[P], [P], [G], [P]]
