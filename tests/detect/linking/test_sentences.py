from itertools import count

import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.linking.sentences import ends_between, number_sentences


@pytest.mark.parametrize(
    "gap",
    [
        " sued his cousin ",
        " sued Dr. ",
        " and Mr. J. ",
        ", e.g. ",
        " Sr. and ",
        " met his\ncousin ",
        " vs. ",
        " (no. 3) saw ",
    ],
)
def test_a_sentence_goes_on(gap: str) -> None:
    assert not ends_between(gap)


@pytest.mark.parametrize("gap", [" left. ", " left! So ", "; ", "\n", "\u3002", " left.\u201d Then ", " x" * 300])
def test_a_sentence_ends(gap: str) -> None:
    assert ends_between(gap)


def test_people_of_one_sentence_have_one_number_and_no_two_sentences_the_same() -> None:
    text = "Ada met Ben in Rome. Cleo left."
    kinds = {"Ada": EntityType.PERSON, "Ben": EntityType.PERSON, "Rome": EntityType.LOCATION, "Cleo": EntityType.PERSON}
    spans = [
        Span(start=text.index(name), end=text.index(name) + len(name), kind=kind, score=1.0, source="test")
        for name, kind in kinds.items()
    ]
    numbers = count()
    assert number_sentences(text, spans, numbers) == [0, 0, None, 1]
    assert number_sentences(text, spans[:1], numbers) == [2]
