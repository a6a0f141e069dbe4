import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.idioms import without_idioms


def _left(text: str, mention: str, kind: EntityType = EntityType.AGE) -> int:
    start = text.index(mention)
    return len([*without_idioms(text, [Span(start=start, end=start + len(mention), kind=kind, score=0.8, source="x")])])


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("Explain it like I'm five.", "five"),
        ("Explain it Like I’m a 10 year old", "10 year old"),
        ("Erkläre es, als wäre ich 12", "12"),
        ("comme si j'avais 10 ans", "10 ans"),
        ("como si tuviera cinco años", "cinco años"),
    ],
)
def test_how_old_somebody_wants_to_be_spoken_to_is_no_age(text: str, mention: str) -> None:
    assert _left(text, mention) == 0
    assert _left(text, mention, EntityType.DATE) == 1


@pytest.mark.parametrize("text", ["I'm 12", "I feel like I am old: I'm 12", "Men like him, 12", "I like Tom, 12"])
def test_other_ages_stay(text: str) -> None:
    assert _left(text, "12") == 1
