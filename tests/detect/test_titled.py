import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.titled import without_titles


def found(text: str, *values: str, kind: EntityType = EntityType.PERSON) -> list[Span]:
    spans = []
    for value in values:
        start = text.index(value)
        spans.append(Span(start=start, end=start + len(value), kind=kind, score=0.9, source="test"))
    return spans


@pytest.mark.parametrize(
    ("text", "title", "name"),
    [
        ("I met Mrs Roth.", "Mrs", "Roth"),
        ("boss Mr. Roth wrote", "Mr", "Roth"),
        ("boss Mr. Roth wrote", "Mr.", "Roth"),
        ("hier ist Frau Dr. Esser", "Frau Dr", "Esser"),
        ("la señora  Tejedor", "señora", "Tejedor"),
    ],
)
def test_a_title_right_before_a_person_is_no_person(text: str, title: str, name: str) -> None:
    spans = found(text, title, name)
    assert without_titles(text, spans) == (spans[1],)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Dean and Ben", ("Dean", "Ben")),  # a name that is a title too
        ("Don was here", ("Don",)),
        ("Mrs\nRoth", ("Mrs", "Roth")),  # another line, maybe another person
        ("Ada Roth", ("Ada", "Roth")),
        ("DrRoth", ("Dr", "Roth")),
    ],
)
def test_whatever_else_is_found_stays(text: str, values: tuple[str, ...]) -> None:
    spans = found(text, *values)
    assert without_titles(text, spans) == tuple(spans)


def test_only_persons_have_titles() -> None:
    text = "Dr Roth"
    spans = found(text, "Dr", kind=EntityType.OCCUPATION) + found(text, "Roth")
    assert without_titles(text, spans) == tuple(spans)
