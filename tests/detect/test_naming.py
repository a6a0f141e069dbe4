import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.naming import is_plausible, tidy


def _span(text: str, value: str, kind: EntityType = EntityType.PERSON) -> Span:
    start = text.index(value)
    return Span(start=start, end=start + len(value), kind=kind, score=0.85, source="presidio/spacy")


@pytest.mark.parametrize(
    ("text", "said", "meant"),
    [
        ("Otto von Hagen", "Hagen", "Otto von Hagen"),
        ("J. R. Lind spoke", "Lind", "J. R. Lind"),
        ("Sam Kole Jr. spoke", "Sam Kole", "Sam Kole Jr."),
        ("Ada's book", "Ada's", "Ada"),
        ("Ada\u00b4s book", "Ada\u00b4s", "Ada"),
        ("Dr. Ada Roth", "Dr. Ada Roth", "Ada Roth"),
        ("Maria de la Cruz", "Maria", "Maria de la Cruz"),
        ("the Globex Group", "the Globex Group", "the Globex Group"),
    ],
)
def test_the_edges_of_a_name_are_put_right(text: str, said: str, meant: str) -> None:
    span = tidy(_span(text, said), text)
    assert span is not None
    assert text[span.start : span.end] == meant.removeprefix("the ")


@pytest.mark.parametrize("value", ["build_7", "m2", "EKS", "6033391", "foo.py", "x=y", "mark", "API", "Globex Ltd"])
def test_code_numbers_and_words_are_no_people(value: str) -> None:
    assert not is_plausible(_span(value, value), value)


@pytest.mark.parametrize("value", ["today", "weekly", "three days", "2019", "last Monday", "08:51:06", "the 1990s"])
def test_vague_dates_are_dropped(value: str) -> None:
    assert not is_plausible(_span(value, value, EntityType.DATE), value)


def test_full_dates_are_kept() -> None:
    assert is_plausible(_span("14 March 1987", "14 March 1987", EntityType.DATE), "14 March 1987")
