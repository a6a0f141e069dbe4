import pytest

from privguard.core.entities import EntityType
from privguard.guard.hinting import Hints
from privguard.testing import FakeAbstractor


def test_the_ladders_are_asked_for_rungs() -> None:
    ladders = FakeAbstractor()
    hints = Hints(ladders)
    assert hints.id == ladders.id
    assert hints.abstract(EntityType.LOCATION, "Zurich") == ladders.abstract(EntityType.LOCATION, "Zurich")


@pytest.mark.parametrize(
    ("phrase", "is_known"),
    [("she", True), ("short form 2", True), ("a place", True), ("a place, she", True), ("Zurich", False), ("", False)],
)
def test_what_is_ours_in_a_bracket_is_known(phrase: str, is_known: bool) -> None:
    assert Hints(FakeAbstractor()).is_rung(EntityType.LOCATION, phrase) is is_known
